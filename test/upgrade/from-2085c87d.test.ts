import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { connect } from "../../db/connect.ts";
import { migrate, schemaState } from "../../db/migrate.ts";
import { schemaOf } from "../../db/sqlite/schema.ts";
import { baseline } from "../../db/sqlite/tables.ts";
import { Database as SqliteFile } from "bun:sqlite";
import { verifyChains } from "../../src/audit/verification.ts";
import { toInstant } from "../../src/lib/instant.ts";
import { foldAnew } from "../../src/users/folded-text-repository.ts";
import { runInProcess } from "../support/commands/program.ts";
import { temporaryFolder, TestService } from "../support/harness.ts";
import { onPostgresql } from "../support/postgresql/databases.ts";
import { exportText } from "../support/practice-file/practice-file.ts";
import { SoftwarePasskey } from "../support/sign-in/authenticator.ts";
import { PageBrowser } from "../support/sign-in/browser.ts";
import { linesOfList, linesOfPostgresql } from "../support/tables.ts";
import { databaseOf, upgradedLine, withoutTimes } from "../support/upgrade/fixture.ts";

/** A database that commit 2085c87d made, before the first release, brought up to date with everything in it. */

/** Shortly after the fixture was made, before what is in it expires. */
const MINUTE = 60_000;

const fixture = await databaseOf("2085c87d");
const database = await connect(fixture.url, "existing");
const made = Date.parse(fixture.shown.time);
const service = new TestService(database, { origin: () => fixture.shown.origin });
service.clock.set(toInstant(made + MINUTE));
afterAll(() => database.close());

beforeAll(async () => {
  expect(await schemaState(database)).toBe("older");
  await migrate(database, toInstant(made), { refresh: foldAnew });
  expect(await schemaState(database)).toBe("current");
});

test("its tables are those of a new database", async () => {
  if (onPostgresql) return expect(await database.read(linesOfPostgresql)).toEqual(linesOfList());
  using upgraded = new SqliteFile(fixture.url, { readonly: true });
  using model = new SqliteFile(":memory:");
  for (const statement of baseline) model.run(statement);
  expect(Object.fromEntries(schemaOf(upgraded))).toEqual(Object.fromEntries(schemaOf(model)));
});

test("its records are exported as before", async () => {
  const { organization } = fixture.shown;
  const lines = withoutTimes(await exportText(database, organization))
    .trimEnd()
    .split("\n");
  expect(lines).toEqual(fixture.exported.map(upgradedLine));
});

test("its export, and the one of before, are taken by a new database, as the same records", async () => {
  const { organization } = fixture.shown;
  const recordsOf = (text: string) => withoutTimes(text).trimEnd().split("\n").slice(1);
  const content = await exportText(database, organization);
  const files = { now: content, before: `${fixture.exported.join("\n")}\n` };
  for (const [name, file] of Object.entries(files)) {
    const cwd = temporaryFolder();
    await Bun.write(join(cwd, "practice.ndjson"), file);
    const { status } = await runInProcess(["import", "practice.ndjson"], { cwd });
    expect([name, status]).toEqual([name, 0]);
    const { stdout } = await runInProcess(["export", organization], { cwd });
    expect(recordsOf(stdout)).toEqual(recordsOf(content));
  }
});

test("who follows it goes on at the number at which they were, and hears of nothing", async () => {
  const { keys, sequence } = fixture.shown;
  const answer = await service.call(`GET /api/v1/practice-file?after=${sequence}`, {
    key: keys.admin,
  });
  expect(answer.status).toBe(200);
  expect(answer.text.trimEnd().split("\n")).toHaveLength(1);
});

describe("its keys", () => {
  test.each(["admin", "readOnly", "ofUser", "expiring"] as const)(
    "%s still opens it",
    async (name) => {
      const { status } = await service.call("GET /api/v1/me", { key: fixture.shown.keys[name] });
      expect(status).toBe(200);
    },
  );

  test("a revoked one stays revoked, and an agent's opens no more than tools", async () => {
    const { revoked, keys } = fixture.shown;
    const statusWith = async (key: string) =>
      (await service.call("GET /api/v1/me", { key })).status;
    expect([await statusWith(revoked), await statusWith(keys.agent)]).toEqual([401, 403]);
  });
});

describe("its people", () => {
  test("are still signed in, and sign in with the passkey that they have", async () => {
    for (const { cookie, userId, ...stored } of fixture.shown.people) {
      const browser = new PageBrowser(service);
      browser.cookie = cookie;
      const me = await browser.call("GET /api/v1/me");
      expect([me.status, me.body]).toEqual([
        200,
        expect.objectContaining({ key: expect.objectContaining({ userId, kind: "SIGN_IN" }) }),
      ]);
      const passkey = new SoftwarePasskey(fixture.shown.origin, { stored, isCounting: true });
      expect((await new PageBrowser(service).signIn(passkey)).status).toBe(201);
    }
  });

  test("register by the invitation that they got", async () => {
    const [, token = ""] = fixture.shown.invitation.split("/#/invitation/");
    const passkey = new SoftwarePasskey(fixture.shown.origin);
    expect((await new PageBrowser(service).register(passkey, token)).status).toBe(201);
  });
});

test("its calendars are still read", async () => {
  const { status, text } = await service.call(`GET ${fixture.shown.calendar}`);
  expect([status, text.split("\r\n")[0]]).toEqual([200, "BEGIN:VCALENDAR"]);
});

test("its webhooks keep their secret, and what is due", async () => {
  const [webhook] = await database.read((db) => db.selectFrom("webhooks").selectAll().execute());
  expect([webhook?.secret, webhook?.name]).toEqual([fixture.shown.webhook, "Copy"]);
  const [organization] = await database.read((db) =>
    db.selectFrom("organizations").select("sequence").execute(),
  );
  expect(webhook?.acknowledged).toBeLessThan(organization?.sequence ?? 0);
});

test("a request is answered as it was under its idempotency key", async () => {
  const { key, body, answer } = fixture.shown.stored;
  const again = await service.call("POST /api/v1/intake-leads", {
    ...{ key: fixture.shown.keys.admin, json: body, headers: { "Idempotency-Key": key } },
  });
  expect([again.status, again.body]).toEqual([201, answer]);
  expect(again.headers.get("Idempotency-Replayed")).toBe("true");
});

test("its trail is whole, behind its archive", async () => {
  const chains = await database.read(verifyChains);
  expect(chains.map(({ fault }) => fault)).toEqual(chains.map(() => undefined));
  const verified = await runInProcess(["audit", "verify", "archive.ndjson"], {
    ...{ cwd: fixture.folder, env: { DATABASE_URL: fixture.url } },
  });
  expect([verified.status, verified.stderr]).toEqual([
    0,
    "The archive is whole (parts of 2 chains).\n",
  ]);
});
