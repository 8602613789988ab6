import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { sql } from "kysely";
import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { readEnd } from "../../src/audit/repository.ts";
import { listAccessCommand, revokeAccessCommand } from "../../src/commands/access.ts";
import { createCalendarCommand } from "../../src/commands/calendars.ts";
import { archiveAuditCommand } from "../../src/commands/audit-archive.ts";
import { listAuditCommand, verifyAuditCommand } from "../../src/commands/audit.ts";
import { copyCommand } from "../../src/commands/copy.ts";
import { billingCommand } from "../../src/commands/billing.ts";
import { doctorCommand } from "../../src/commands/doctor.ts";
import { getCommand } from "../../src/commands/get.ts";
import { exportCommand } from "../../src/commands/export.ts";
import { importCommand, openPracticeFile } from "../../src/commands/import.ts";
import { inviteCommand } from "../../src/commands/invite.ts";
import {
  createKeyCommand,
  listKeysCommand,
  revokeKeyCommand,
  rotateKeyCommand,
} from "../../src/commands/keys.ts";
import { migrateDatabase } from "../../src/commands/migrate.ts";
import { listOrganizationsCommand } from "../../src/commands/organizations.ts";
import { serve } from "../../src/commands/serve.ts";
import {
  addWebhookCommand,
  listWebhooksCommand,
  removeWebhookCommand,
  rotateWebhookCommand,
  testWebhookCommand,
} from "../../src/commands/webhooks.ts";
import { forgetExpiredResponses } from "../../src/http/idempotency.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { forgetDeletions, nextSequence } from "../../src/organizations/repository.ts";
import { forgetWrites } from "../../src/organizations/write-repository.ts";
import { deleteExpiredAccess } from "../../src/sign-in/repository.ts";
import { Doorbell } from "../../src/webhooks/doorbell.ts";
import { listWebhooks } from "../../src/webhooks/repository.ts";
import { issueKey, newApiKey } from "./factories.ts";
import { goalTypes, required, step } from "./goals/bodies.ts";
import { ORIGIN, TestClock, TestService } from "./harness.ts";
import { filled, reads, writes } from "./operations.ts";
import {
  fullPractice,
  idsOfFullPractice,
  pool,
  skillGoal,
  takenBack,
} from "./practice-file/full-practice.ts";
import { type Fields, fileOf } from "./practice-file/practice-file.ts";
import { SoftwarePasskey } from "./sign-in/authenticator.ts";
import { signedInPerson } from "./sign-in/browser.ts";

/** Uses all functions of the program, for tests that check all of its statements. */

const ORGANIZATION = "org_maple";

/** More rows than the limit for OFFSET. */
const MANY = 1_200;

interface Place {
  database: OpenDatabase;
  url: string;
  /** An empty database, as the target of a copy. */
  targetUrl: string;
  /** A folder for files. */
  folder: string;
}

/**
 * Runs every command on an empty database, then sends every request.
 *
 * @returns the operations that responded, such as `GET /v1/users`.
 */
export async function useEverything(place: Place): Promise<string[]> {
  await importSeveralTimes(place);
  await addMany(place.database);
  await giveCommands(place);
  // Reads the end of a chain without head and rows.
  await place.database.read((db) => readEnd(db, "org_gone"));
  return makeRequests(place.database);
}

const clock = new TestClock();
const operator = "ana";
const output = { result() {}, message() {} };
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Imports into an empty database, and again over existing data, with all database-related refusals; then changes what
 * other records depend on, and changes it back.
 */
async function importSeveralTimes({ database, folder }: Place): Promise<void> {
  const command = { database, clock, operator, output, terminal: { isTTY: false, ...nowhere() } };
  const importRecords = async (records: typeof fullPractice, dryRun = false) => {
    const file = join(folder, "practice.jsonl");
    writeFileSync(file, fileOf(records));
    await importCommand(
      command as never,
      openPracticeFile(file, nothing()),
      dryRun ? { dryRun } : {},
    );
  };
  const own = { type: "organization", publicId: ORGANIZATION };
  const emptyPool = { ...pool, publicId: "apool_empty" };
  await importRecords(fullPractice, true);
  await importRecords(fullPractice);
  await importRecords([
    own,
    { type: "user", publicId: "usr_bcba", role: "CLINICAL_ADMIN" },
    { type: "authorizationPool", publicId: "apool_1", payorId: "pay_birch" },
    emptyPool,
    { type: "authorization", publicId: "auth_1", authorizationPoolId: "apool_1", payorId: null },
    { type: "session", publicId: "apt_2", authorizationId: null },
  ]);
  // A child goal becomes one of its own, a user takes the email address of one who is deleted; then all are deleted.
  const deletion = ({ type, publicId }: Fields) => ({ type, publicId, deleted: true });
  const [child] = skillGoal.childGoals as [Fields];
  const { type, treatmentPlanId } = skillGoal;
  const freed = { type: "user", publicId: "usr_admin" };
  await importRecords(fullPractice);
  await importRecords([
    own,
    { ...child, type, treatmentPlanId },
    { type: "user", publicId: "usr_x1", email: "admin@maple.example" },
    deletion(freed),
  ]);
  const others = [...fullPractice.slice(1), emptyPool].filter(
    ({ publicId }) => publicId !== freed.publicId,
  );
  await importRecords([own, takenBack]);
  await importRecords([own, ...[...others, { ...child, type }].map(deletion)]);
  await importRecords([...fullPractice, emptyPool]);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The numbers from 1 to `MANY`, as `n`. */
const numbers = sql`
  with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${sql.lit(MANY)})
  select n from counted
`;

async function addMany(database: OpenDatabase): Promise<void> {
  await database.write(
    async (trx) => {
      await sql`
        insert into users (organization_id, public_id, role, first_name, last_name, is_active,
          should_send_sms, last_name_key, first_name_key, search_text, created_at, updated_at)
        select ${ORGANIZATION}, 'usr_many_' || n, 'CAREGIVER', 'Ana', 'Ruiz', 1, 0, 'ruiz', 'ana', 'ana ruiz',
          '2026-03-11T15:00:00.000Z', '2026-03-11T15:00:00.000Z'
        from (${numbers}) as numbers
      `.execute(trx);
      await sql`
        insert into sessions (organization_id, public_id, title, status, start_time, end_time,
          is_supervision, is_client_present, place_of_service, location_id, is_billable, non_billable_code_id)
        select organization_id, 'apt_many_' || n, title, status, start_time, end_time, is_supervision,
          is_client_present, place_of_service, location_id, is_billable, non_billable_code_id
        from sessions cross join (${numbers}) as numbers
        where organization_id = ${ORGANIZATION} and public_id = 'apt_3'
      `.execute(trx);
    },
    { organizationId: ORGANIZATION },
  );
}

async function giveCommands({ database, url, targetUrl, folder }: Place): Promise<void> {
  const given = { database, clock, operator, output, stdout: nowhere() };
  await migrateDatabase({ url, clock, operator, output });
  await exportCommand(given, ORGANIZATION);
  await exportCommand(given, ORGANIZATION, { csv: join(folder, "csv") });
  await listOrganizationsCommand(given, {});
  const lines: string[] = [];
  const noting = { ...given, output: { ...output, result: (line: string) => lines.push(line) } };
  const key = { organizationId: ORGANIZATION, name: "mine", expiresAt: null };
  await createKeyCommand(given, { ...key, holder: { role: "ADMIN" } });
  await createKeyCommand(given, { ...key, holder: { userId: "usr_bcba" } });
  await listKeysCommand(given, { organization: ORGANIZATION });
  await listKeysCommand(noting, { json: true });
  const [first, second] = JSON.parse(lines.join("\n")) as { id: string }[];
  await rotateKeyCommand(given, first?.id ?? "", { overlap: 1_000 });
  await revokeKeyCommand(given, second?.id ?? "");
  const bcba = { organizationId: ORGANIZATION, userId: "usr_bcba" };
  await inviteCommand(given, { ...bcba, origin: undefined });
  await listAccessCommand(given, {});
  await revokeAccessCommand(given, { ...bcba, userId: "usr_tech" });
  await useWebhooks(database);
  const user = { organization: ORGANIZATION, user: "usr_tech" };
  await createCalendarCommand(given, { ...user, name: "phone" });
  await getCommand(given, "checks", ["patientId=usr_kid"], {});
  await getCommand(given, "authorization-utilization/auth_1/ledger", ["timezone=UTC"], {});
  const start = "2026-01-01" as CalendarDate;
  const end = "2026-12-31" as CalendarDate;
  await billingCommand(given, { start, end });
  await billingCommand(given, { start, end, payor: "pay_acme", bill: "W2", withProblems: true });
  const from = "2026-01-01T00:00:00.000Z" as Instant;
  const to = "2027-01-01T00:00:00.000Z" as Instant;
  await listAuditCommand(given, { keyId: first?.id ?? "", from, to, names: true });
  // A server's cleaning, which runs once an hour.
  await database.write(
    async (trx) => {
      await forgetExpiredResponses(trx, ORGANIZATION, from);
      await deleteExpiredAccess(trx, ORGANIZATION, from);
      await forgetDeletions(trx, ORGANIZATION, from);
      await forgetWrites(trx, ORGANIZATION, from);
    },
    { organizationId: ORGANIZATION },
  );
  await archiveAuditCommand(given, { file: join(folder, "archive"), before: to });
  await verifyAuditCommand(given, { knownHeads: new Map() });
  await doctorCommand({ url, clock, operator, output }, {}).catch(() => {});
  const served = await connect(url, "existing");
  const configuration = { port: 0, host: "127.0.0.1", corsOrigins: [], origin: undefined };
  const server = await serve({
    ...{ ...given, database: served },
    log() {},
    configuration: {
      ...configuration,
      proxies: undefined,
      tls: undefined,
      keyRateLimit: undefined,
      mcp: false,
    },
  });
  await server.stop();
  await served.close();
  // Last, since the copy excludes servers until its source is closed.
  const file = join(folder, "copy.db");
  await copyCommand(given, file);
  const copy = await connect(file, "existing");
  await copyCommand({ ...given, database: copy }, targetUrl);
  await copy.close();
}

async function useWebhooks(database: OpenDatabase): Promise<void> {
  const given = { database, clock, operator, output };
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const url = `http://127.0.0.1:${server.port}/`;
  await addWebhookCommand(given, url, { organization: ORGANIZATION, name: "mirror" });
  await database.write((trx) => nextSequence(trx, ORGANIZATION), { organizationId: ORGANIZATION });
  await new Doorbell({ database, clock, warn() {} }).callDue();
  const [webhook] = await database.read(listWebhooks);
  if (webhook?.acknowledged !== webhook?.sequence) throw new Error("The endpoint was not called");
  await listWebhooksCommand(given, {});
  await rotateWebhookCommand(given, webhook?.id ?? "");
  await testWebhookCommand(given, webhook?.id ?? "");
  await removeWebhookCommand(given, webhook?.id ?? "");
  await server.stop(true);
}

/** Every read by somebody who sees own patients only. Some are refused, or find nothing. */
async function readOwnPatients(service: TestService, database: OpenDatabase): Promise<void> {
  const limitTo = (own_patients_only: string | null) =>
    database.write(
      (trx) =>
        trx
          .updateTable("organizations")
          .set({ own_patients_only })
          .where("public_id", "=", ORGANIZATION)
          .execute(),
      { organizationId: ORGANIZATION },
    );
  await limitTo("TECHNICIANS");
  const { key } = await issueKey(database, ORGANIZATION, { holder: { userId: "usr_tech" } });
  for (const read of reads) await service.call(filled(read, idsOfFullPractice).line, { key });
  await limitTo(null);
}

async function makeRequests(database: OpenDatabase): Promise<string[]> {
  const service = new TestService(database);
  const key = await newApiKey(database, ORGANIZATION);
  const call = async (line: string, json?: unknown) => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const { status, body, text } = await service.call(line, {
      key,
      headers: line.startsWith("POST") ? headers : {},
      json,
    });
    if (status >= 300) throw new Error(`${line}: ${status} ${text}`);
    return body as { publicId?: string; path?: string; id?: string };
  };
  const sequence = async () =>
    (await service.call("GET /api/v1/me", { key })).headers.get("caseload-sequence");
  for (const read of reads) await call(filled(read, idsOfFullPractice).line);
  await readOwnPatients(service, database);
  await call("GET /api/v1/authorization-utilization/apool_empty/summary?timezone=UTC");
  const creations = writes.filter(({ operationId }) =>
    ["createUser", "askWhatIf", "createIntakeLead"].includes(operationId),
  );
  for (const write of creations) {
    const { line, json } = filled(write, idsOfFullPractice);
    await call(line, json);
  }
  for (const type of goalTypes) {
    const { publicId } = await call("POST /api/v1/goals", {
      ...required[type],
      treatmentPlanId: "tp_1",
    });
    const childGoals = type === "opportunity" ? { childGoals: [step("Dries hands.")] } : {};
    if (type === "rating") {
      const entry = { publicId: "rating_new", value: 3, happenedAt: "2026-02-01T10:00:00.000Z" };
      await call(`POST /api/v1/goals/${publicId}/recorded-data`, { entries: [entry] });
      await call(`DELETE /api/v1/goals/${publicId}/recorded-data/rating_new`);
    }
    const since = `unchangedSince=${await sequence()}`;
    await call(`PATCH /api/v1/goals/${publicId}?${since}`, { status: "MASTERED", ...childGoals });
    await call(`DELETE /api/v1/goals/${publicId}`);
  }
  await signInAndOut(service, key);
  const calendar = await call("POST /api/v1/calendars", { userId: "usr_tech" });
  await call(`GET ${calendar.path}`);
  await call(`DELETE /api/v1/calendars/${calendar.id}`);
  // Until the next file, more is delivered than authorized.
  await database.write(
    (trx) =>
      trx
        .updateTable("encounters")
        .set({ units: 1_000_000 })
        .where("organization_id", "=", ORGANIZATION)
        .execute(),
    { organizationId: ORGANIZATION },
  );
  await call("GET /api/v1/billing-lines?startDate=2026-01-01&endDate=2026-12-31");
  // The technician's own day.
  service.clock.set("2026-01-08T22:00:00.000Z");
  const tied = await issueKey(database, ORGANIZATION, { holder: { userId: "usr_tech" } });
  const own = { type: "organization", publicId: ORGANIZATION };
  const files = [
    {
      sender: key,
      // What was handed over meanwhile stays.
      records: [
        ...fullPractice.map(({ billed: _, ...others }) => others),
        { type: "location", publicId: "loc_new", name: "N" },
      ],
    },
    {
      sender: await newApiKey(database, ORGANIZATION, "SCHEDULING_MANAGER"),
      records: [own, { type: "user", publicId: "usr_tech", isActive: true }],
    },
    {
      sender: tied.key,
      records: [
        own,
        { type: "session", publicId: "apt_1", status: "CONFIRMED" },
        { type: "encounter", publicId: "enc_1", units: 7 },
      ],
    },
  ];
  for (const { sender, records } of files) {
    const path = `/api/v1/practice-file?unchangedSince=${await sequence()}`;
    const { status } = await service.call(`POST ${path}`, {
      key: sender,
      headers: { "Content-Type": "application/x-ndjson" },
      raw: fileOf(records),
    });
    if (status !== 200) throw new Error(`The practice file was answered ${status}`);
  }
  const csv = await service.call(
    "POST /api/v1/practice-file?type=location&dryRun=true&changes=true",
    {
      ...{ key, headers: { "Content-Type": "text/csv" } },
      raw: "publicId,name\nloc_main,Main\n",
    },
  );
  if (csv.status !== 200) throw new Error(`A file of CSV was answered ${csv.status}`);
  return [...new Set(service.log.map(({ method, route }) => `${method} ${route}`))];
}

/** Everything from an invitation to the end of all access. */
async function signInAndOut(service: TestService, key: string): Promise<void> {
  const { browser, passkey } = await signedInPerson(service, key, "usr_bcba");
  service.clock.advance(2 * 60_000);
  await browser.call("GET /api/v1/access");
  await browser.register(new SoftwarePasskey(ORIGIN));
  await browser.signIn(passkey);
  const { body } = await browser.call("GET /api/v1/passkeys");
  for (const { id } of (body as { data: { id: string }[] }).data.slice(1))
    await browser.call(`DELETE /api/v1/passkeys/${id}`);
  await browser.call("DELETE /api/sign-in");
  await service.call("DELETE /api/v1/users/usr_tech/access", { key });
}
