import { type Database, type Db, NO_ORGANIZATION } from "../../db/database.ts";
import { checkColumns } from "../../db/columns.ts";
import { DatabaseError, isTemporary, remedy } from "../../db/errors.ts";
import { readServer } from "../../db/postgresql/inspection.ts";
import { isSound, readSettings } from "../../db/sqlite/inspection.ts";
import {
  type Applied,
  appliedTo,
  stateAfter,
  unreleasedMessage,
  versionOf,
  type VersionRow,
} from "../../db/migrate.ts";
import { isActive } from "../callers/api-keys.ts";
import { isLimitedKey, type KeyRow, listKeys } from "../callers/repository.ts";
import { recordCommand } from "../audit/trail.ts";
import { findLastCommand, listRowsOfLater } from "../audit/repository.ts";
import { verifyChains } from "../audit/verification.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { listOrganizationIds, listTimeZones } from "../organizations/repository.ts";
import { sessionsByOlderRules } from "../organizations/zone-changes.ts";
import { findBeyond } from "../practice-file/limits.ts";
import { countPasskeysByHost } from "../sign-in/repository.ts";
import {
  isTooFarAhead,
  listWebhooks,
  webhookState,
  type WebhookWithSequence,
  writesBehind,
} from "../webhooks/repository.ts";
import { type Check, passed, failed } from "./check.ts";
import { checkOlderRules, checkZones } from "./zoneinfo.ts";

/** Checks of a database's content. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A day, and the duration of a nightly backup, so that a missing one is noticed in the morning. */
const MAX_BACKUP_AGE = 26 * HOUR;
const EXPIRY_NOTICE = 30 * DAY;
const MAX_DISUSE = 90 * DAY;

/** Commands after which all data is in a backup. A restored backup has no row about itself. */
const BACKED_UP = ["backup", "restore"];

/** How long a write waits for another program's lock, in milliseconds. */
const WRITING_TIMEOUT = 1_000;

/** The only host without TLS at which browsers have passkeys. */
const LOCAL_HOST = "localhost";

/** Limit of ids named in a message. */
const NAMED_IDS = 3;

/** Tolerated difference between the clocks of machines, in milliseconds. */
const CLOCK_TOLERANCE = 5 * 60_000;

/** Limit of future rows searched for. */
const LISTED_ROWS = 1_000;

/** The time of the check, and the operator. */
interface Visit {
  now: Instant;
  operator: string;
  /** Where browsers open the page; undefined if that is not configured. */
  origin: string | undefined;
}

/** The checks of an open database. Tables are checked only if the file is intact and the schema is current. */
export async function checkData(database: Database, visit: Visit): Promise<Check[]> {
  const engine = database.engine;
  const checks = engine === "sqlite" ? await checkFile(database) : [await checkServer(database)];
  if (checks.some(({ ok, name }) => !ok && name === INTEGRITY)) return checks;
  const schema = await checkSchema(database);
  checks.push(schema);
  if (!schema.ok) return checks;
  checks.push(await checkWriting(database, visit));
  const { now, origin } = visit;
  return database.read(async (db) => [
    ...checks,
    // PostgreSQL is backed up by its own tools, which leave no trace here.
    ...(engine === "sqlite" ? [checkLastBackup(await findLastCommand(db, BACKED_UP), now)] : []),
    ...checkKeys(await listKeys(db), now),
    checkPasskeys(await countPasskeysByHost(db), origin),
    checkWebhooks(await listWebhooks(db), now),
    await checkAuditTrail(db),
    ...(await checkTimes(db, now)),
    ...checkOlderRules(await sessionsByOlderRules(db, now), now),
    checkZones(await listTimeZones(db), now),
    ...(await checkLimits(db)),
  ]);
}

const INTEGRITY = "integrity";

async function checkFile(database: Database): Promise<Check[]> {
  const settings = await database.read(checkSettings);
  return [...settings, checkSoundness(await database.read(isSound))];
}

/**
 * The required settings are checked on every connection. fsync is only a warning, although data can be lost without it.
 */
async function checkServer(database: Database): Promise<Check> {
  const { version, fsync } = await database.read(readServer);
  return fsync === "on"
    ? passed("PostgreSQL", `version ${version}, synced to the disk`)
    : failed("PostgreSQL", "a power failure can destroy the database: set fsync = on");
}

async function checkSettings(db: Db): Promise<Check[]> {
  return (await readSettings(db)).map(({ name, value, needed }) =>
    value === needed
      ? passed(name, value)
      : failed(name, `${value} instead of ${needed}: put the database on a local disk`),
  );
}

function checkSoundness(sound: boolean): Check {
  return sound
    ? passed(INTEGRITY, "the file is intact")
    : failed(INTEGRITY, 'the file is damaged: stop the server and "caseload restore" a backup');
}

async function checkSchema(database: Database): Promise<Check> {
  const applied = await database.read(appliedTo);
  const advice = {
    none: 'no tables of Caseload yet: "caseload migrate"',
    older: `of ${versionOf(applied)}, which is older: "caseload migrate"`,
    newer: `of ${versionOf(applied)}, which is newer: use that version or a later one`,
    unreleased: unreleasedMessage("the database"),
  };
  const state = stateAfter(applied);
  if (state !== "current") return failed("schema", advice[state]);
  try {
    await database.read(checkColumns);
    return passed("schema", `up to date; ${historyOf(applied)}`);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return failed("schema", error.message);
  }
}

function historyOf({ versions }: Applied): string {
  const [made, ...later] = versions;
  const since = (row: VersionRow | undefined) =>
    row && `${row.version} (commit ${row.commit_id}) on ${row.since.slice(0, 10)}`;
  const last = later.length === 0 ? "" : `, last upgraded by ${since(later.at(-1))}`;
  return `made by ${since(made)}${last}`;
}

/** Records the check in the audit trail. If the database accepts no writes, the other checks run anyway. */
async function checkWriting(database: Database, { now, operator }: Visit): Promise<Check> {
  const visit = { organizationId: "", command: "doctor", operator, time: now };
  try {
    await database.write((trx) => recordCommand(trx, visit), {
      ...NO_ORGANIZATION,
      lockTimeout: WRITING_TIMEOUT,
    });
    return passed("writing", "the database is writable");
  } catch (error) {
    if (!isTemporary(error)) throw error;
    return failed(
      "writing",
      remedy(error) ?? "the database cannot be written: check its permissions",
    );
  }
}

function checkLastBackup(last: Instant | undefined, now: Instant): Check {
  const name = "last backup";
  if (last === undefined)
    return failed(name, 'none yet: "caseload backup FILE", and then every day');
  const age = epochMilliseconds(now) - epochMilliseconds(last);
  if (age < 0) return failed(name, `${last} is in the future: set the machine's clock`);
  return age <= MAX_BACKUP_AGE
    ? passed(name, last)
    : failed(name, `${last} is more than a day ago: "caseload backup FILE"`);
}

function checkKeys(keys: KeyRow[], now: Instant): Check[] {
  const active = keys.filter((key) => isActive(key, now));
  const isActiveKey = (id: string | null) => active.some((key) => key.id === id);
  const after = (milliseconds: number) => toInstant(epochMilliseconds(now) + milliseconds);
  const kinds: { name: string; advice: string; concerns: (key: KeyRow) => boolean }[] = [
    {
      name: "keys that expire within 30 days",
      advice: 'make successors with "caseload keys create"',
      concerns: ({ expires_at, successor_id }) =>
        expires_at !== null && expires_at <= after(EXPIRY_NOTICE) && !isActiveKey(successor_id),
    },
    {
      name: "keys unused for 90 days",
      advice: 'end them with "caseload keys revoke"',
      concerns: (key) => (key.last_used_at ?? key.created_at) < after(-MAX_DISUSE),
    },
    {
      name: "keys without patients",
      advice:
        'their role sees own patients only, and nobody has them: make keys with "caseload keys create --user"',
      concerns: (key) => key.user_id === null && isLimitedKey(key),
    },
  ];
  return kinds.map(({ name, advice, concerns }) => {
    const ids = active.filter(concerns).map((key) => key.id);
    return ids.length === 0 ? passed(name, "none") : failed(name, `${listed(ids)}: ${advice}`);
  });
}

function listed(ids: string[]): string {
  const others = ids.length - NAMED_IDS;
  const list = ids.slice(0, NAMED_IDS).join(", ");
  return others > 0 ? `${list} and ${others} more` : list;
}

/** A passkey works only at the host for which it was registered. */
function checkPasskeys(
  hosts: readonly { host: string; passkeys: number }[],
  origin: string | undefined,
): Check {
  const name = "passkeys";
  const host = origin === undefined ? LOCAL_HOST : new URL(origin).hostname;
  const others = hosts.filter((each) => each.host !== host);
  const own = hosts.find((each) => each.host === host)?.passkeys ?? 0;
  const where =
    origin === undefined
      ? `sign-in has no origin, so it is at http://${LOCAL_HOST} alone ("caseload serve --origin", or ORIGIN)`
      : `people sign in at ${origin}`;
  if (others.length === 0) return passed(name, `${own}; ${where}`);
  const counted = others.map((each) => `${each.passkeys} of ${each.host}`).join(", ");
  return failed(
    name,
    `${counted} cannot be used: ${where}; set the origin back, or invite their people again`,
  );
}

/** An endpoint that lags by a write may just be being called; if it lags for long, no server is calling it. */
function checkWebhooks(webhooks: WebhookWithSequence[], now: Instant): Check {
  const name = "webhooks";
  const problems = webhooks.flatMap((webhook) => {
    const state = webhookState(webhook);
    const behind = writesBehind(webhook);
    if (state === "off") return `${webhook.id} is off, since it answered 410: remove it`;
    if (isTooFarAhead(webhook, now))
      return `${webhook.id} was due at ${webhook.due_at}, by a clock that was wrong: it is due now, check the clock`;
    if (state === "failing") return `${webhook.id} fails: "caseload webhooks test ${webhook.id}"`;
    return behind > 0 ? `${webhook.id} is ${behind} writes behind: check that a server runs` : [];
  });
  if (problems.length > 0) return failed(name, problems.join("; "));
  return passed(name, webhooks.length === 0 ? "none" : "all endpoints are up to date");
}

async function checkAuditTrail(db: Db): Promise<Check> {
  const chains = await verifyChains(db);
  const faulty = chains.find((chain) => chain.fault !== undefined);
  if (faulty === undefined) return passed("audit trail", "valid");
  return failed(
    "audit trail",
    `of ${faulty.organizationId || "-"}: ${faulty.fault?.message}; find out who changed it ("caseload audit verify")`,
  );
}

/** Finds rows written while the machine's clock was wrong; no check if there are none in the future. */
async function checkTimes(db: Db, now: Instant): Promise<Check[]> {
  const latest = toInstant(epochMilliseconds(now) + CLOCK_TOLERANCE);
  const rows = (await listRowsOfLater(db, latest, LISTED_ROWS)).map(
    ({ organization_id, sequence, time }) => `${sequence} of ${organization_id || "-"} (${time})`,
  );
  const keys = (await listKeys(db))
    .filter(({ created_at, last_used_at }) => created_at > latest || (last_used_at ?? "") > latest)
    .map(({ id }) => id);
  const advice = "the machine's clock was wrong, or is; see that it is set by the network";
  return [
    ...(rows.length === 0
      ? []
      : [failed("audit rows dated in the future", `${listed(rows)}: ${advice}`)]),
    ...(keys.length === 0
      ? []
      : [failed("keys dated in the future", `${listed(keys)}: ${advice}`)]),
  ];
}

/** Of an earlier version, or of another database that was copied. */
async function checkLimits(db: Db): Promise<Check[]> {
  const beyond: string[] = [];
  for (const organizationId of await listOrganizationIds(db))
    beyond.push(...(await findBeyond(db, organizationId)));
  if (beyond.length === 0) return [];
  const advice =
    "they can be changed in what does not add to it, but a new database refuses their export; see the limits in docs/decisions.md";
  return [failed("records beyond a limit", `${beyond.length} (${listed(beyond)}): ${advice}`)];
}
