import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Database, NO_ORGANIZATION } from "../db/database.ts";
import { connectFile } from "../db/sqlite/connect.ts";
import { COMPANIONS, LOCK_SUFFIX, SPOOL_SUFFIX } from "../db/sqlite/files.ts";
import { migrate } from "../db/migrate.ts";
import { baseline } from "../db/sqlite/tables.ts";
import { createKey } from "../src/callers/api-keys.ts";
import { DEMO_ORGANIZATION } from "../src/demo/practice.ts";
import type { Instant } from "../src/lib/instant.ts";
import { importPractice } from "../src/practice-file/import-command.ts";
import { linesOf as practiceLines } from "../src/practice-file/lines.ts";
import type { PracticeRecord } from "../src/practice-file/model.ts";
import { countUsers } from "../src/users/repository.ts";
import { CHECKS_PRACTICE, checksPractice } from "./checks-practice.ts";
import {
  joiningPeople,
  OTHER_PRACTICES,
  OVERVIEW_PRACTICE,
  overviewPractice,
  poolSubject,
  practiceOf,
} from "./practice.ts";

/** A database for measurements, created once and copied for each run. */
export interface DataSet {
  /** The requested size of the measured practice. */
  sessions: number;
  users: number;
  path: string;
  organizationId: string;
  /** An ADMIN key of it. */
  key: string;
  /** An ADMIN key of the practice for the overview. */
  overviewKey: string;
  /** An ADMIN key of the practice for the checks. */
  checksKey: string;
}

const USERS_PER_SESSION = 1 / 5;
/** The largest practice to which the bounds apply. */
const MAX_USERS = 20_000;
const SESSIONS_PER_LIVE_AUTHORIZATION = 100;
/** Other practices have a hundredth of the measured one's size. */
const SESSIONS_PER_OTHER_SESSION = 100;

/** The time of the imports, which is the creation time of users without `createdAt`. */
const IMPORTED_AT = "2026-01-15T12:00:00.000Z" as Instant;

/**
 * The data set with a number of sessions, a fifth as many users in the same organization (at most some 20,000), and
 * nine other organizations. Created by imports and kept in the folder.
 */
export async function dataSet(folder: string, sessions: number): Promise<DataSet> {
  const users = Math.min(Math.ceil(sessions * USERS_PER_SESSION), MAX_USERS);
  const path = join(folder, `data-${fingerprint()}-${sessions}.db`);
  const keyPath = `${path}.key`;
  if (!existsSync(keyPath)) {
    mkdirSync(folder, { recursive: true });
    const keys = await make(`${path}.part`, sessions, users);
    rmSync(`${path}.part-lock`, { force: true });
    removeOthers(folder, sessions);
    renameSync(`${path}.part`, path);
    // Written last, as a sign that the database is complete.
    writeFileSync(keyPath, JSON.stringify(keys), { mode: 0o600 });
  }
  const keys = JSON.parse(readFileSync(keyPath, "utf8")) as Keys;
  return { sessions, users, path, organizationId: DEMO_ORGANIZATION, ...keys };
}

/** Sessions per day of the practice for the checks: 702 of a million, which are 40,000 in 57 days. */
export function sessionsADay(sessions: number): number {
  return Math.ceil((sessions * 702) / 1_000_000);
}

/** Removes outdated data sets of the same size. */
function removeOthers(folder: string, sessions: number): void {
  for (const name of readdirSync(folder))
    if (new RegExp(`^data-[0-9a-f]+-${sessions}\\.db(\\.key)?$`).test(name))
      rmSync(join(folder, name));
}

/** Removes a database file, and the files next to it. */
export function removeDatabase(path: string): void {
  for (const suffix of ["", ...COMPANIONS, LOCK_SUFFIX, SPOOL_SUFFIX])
    rmSync(path + suffix, { force: true });
}

/** A copy that a measurement may change; replaces an earlier copy with the same name. */
export async function workingCopy({ path }: DataSet, target: string): Promise<string> {
  removeDatabase(target);
  mkdirSync(join(target, ".."), { recursive: true });
  await Bun.$`cp --reflink=auto ${path} ${target}`.quiet();
  // Otherwise writing the copy to the disk would delay the first commits for seconds.
  await Bun.$`sync ${target}`.quiet();
  return target;
}

/** The size of a data set's file, in bytes. */
export function sizeOf({ path }: DataSet): number {
  return statSync(path).size;
}

type Keys = Pick<DataSet, "key" | "overviewKey" | "checksKey">;

async function make(path: string, sessions: number, users: number): Promise<Keys> {
  removeDatabase(path);
  const database = connectFile(path, "create");
  try {
    await migrate(database, IMPORTED_AT);
    await importRecords(database, practiceOf(DEMO_ORGANIZATION, sessions));
    await importRecords(database, poolSubject());
    const present = await database.read((db) => countUsers(db, DEMO_ORGANIZATION));
    await importRecords(database, joiningPeople(users - present));
    for (const organizationId of OTHER_PRACTICES)
      await importRecords(
        database,
        practiceOf(organizationId, sessions / SESSIONS_PER_OTHER_SESSION),
      );
    await importRecords(database, overviewPractice(sessions / SESSIONS_PER_LIVE_AUTHORIZATION));
    await importRecords(database, checksPractice(sessionsADay(sessions)));
    return {
      key: await newKey(database, DEMO_ORGANIZATION),
      overviewKey: await newKey(database, OVERVIEW_PRACTICE),
      checksKey: await newKey(database, CHECKS_PRACTICE),
    };
  } finally {
    await database.close();
  }
}

export async function newKey(database: Database, organizationId: string): Promise<string> {
  const { key } = await database.write(
    (trx) =>
      createKey(
        trx,
        { organizationId, holder: { role: "ADMIN" }, name: "bench", expiresAt: null },
        IMPORTED_AT,
      ),
    NO_ORGANIZATION,
  );
  return key;
}

export async function importRecords(
  database: Database,
  records: Iterable<PracticeRecord>,
): Promise<void> {
  const outcome = await importPractice(database, practiceLines(linesOf(records)), {
    now: IMPORTED_AT,
    operator: "bench",
  });
  if ("mistakes" in outcome)
    throw new Error(`No practice file:\n${outcome.mistakes.report("bench").join("\n")}`);
}

const LINES_PER_PIECE = 200;

export async function* linesOf(records: Iterable<PracticeRecord>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let lines: string[] = [];
  for (const record of records) {
    lines.push(`${JSON.stringify(record)}\n`);
    if (lines.length < LINES_PER_PIECE) continue;
    yield encoder.encode(lines.join(""));
    lines = [];
  }
  yield encoder.encode(lines.join(""));
}

const SAMPLE_SESSIONS = 2_000;
const SAMPLE_USERS = 500;

/**
 * Identifies data sets by schema and demo practice, so that outdated ones are not used. It is based on a
 * sample of the practice files, and does not include changes of the import.
 */
function fingerprint(): string {
  const hasher = new Bun.CryptoHasher("sha256");
  hasher.update(JSON.stringify(baseline));
  hasher.update(JSON.stringify([...practiceOf(DEMO_ORGANIZATION, SAMPLE_SESSIONS)]));
  hasher.update(JSON.stringify([...joiningPeople(SAMPLE_USERS)]));
  hasher.update(JSON.stringify([...poolSubject()]));
  hasher.update(JSON.stringify([...overviewPractice(1)]));
  hasher.update(JSON.stringify([...checksPractice(1)]));
  return hasher.digest("hex").slice(0, 12);
}
