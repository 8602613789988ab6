import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { temporaryFolder } from "../harness.ts";
import { execute, newDatabaseUrl, onPostgresql } from "../postgresql/databases.ts";
import type { StoredPasskey } from "../sign-in/authenticator.ts";

/** Databases of earlier versions, with one of everything (`test/programs/upgrade/fixture.ts`), on the engine of the run. */

/** What was shown once when a fixture was made. */
export interface Shown {
  /** When it was made: what expires is valid shortly after. */
  time: string;
  origin: string;
  organization: string;
  /** The organization's, which who follows it knows. */
  sequence: number;
  keys: Record<"admin" | "readOnly" | "ofUser" | "expiring" | "agent", string>;
  revoked: string;
  people: (StoredPasskey & { userId: string; cookie: string })[];
  /** The path of a feed. */
  calendar: string;
  /** The secret of a webhook. */
  webhook: string;
  /** The address of an invitation. */
  invitation: string;
  /** A request that was answered under an idempotency key. */
  stored: { key: string; body: object; answer: object };
}

export interface Fixture {
  /** A folder with a database and the archive of its trail. */
  folder: string;
  url: string;
  shown: Shown;
  /** The lines of an export before the upgrade. */
  exported: string[];
}

type Fields = Record<string, unknown>;

/** A line of an export before the upgrade as it is after it: with the fields that came since. */
export function upgradedLine(line: string): string {
  const record = JSON.parse(line) as Fields;
  if (record.type === "organization") record.goalDaysInARow = null;
  if (record.type === "serviceLine")
    Object.assign(record, { recordsData: false, isGroup: false, kind: null });
  if (record.type === "encounter") record.billed = handOversOf(record.billed as Fields | null);
  return JSON.stringify(record.type === "goal" ? withPhases(record) : record);
}

function handOversOf(billed: Fields | null): Fields[] {
  if (billed === null) return [];
  const { line, ...rest } = billed;
  return [{ ...rest, takenBackAt: null, line }];
}

/** A goal, and those below it, whose first phase begins with the upgrade. */
function withPhases(goal: Fields): Fields {
  const phase = { status: goal.status, since: WHEN, isAutomatic: false };
  return Object.fromEntries(
    Object.entries(goal).flatMap(([name, value]) => {
      if (name === "status")
        return [
          [name, value],
          ["phases", [phase]],
        ];
      return [[name, name === "childGoals" ? (value as Fields[]).map(withPhases) : value]];
    }),
  );
}

const WHEN = "when it was upgraded";

/** An export without the times of upgrades. */
export function withoutTimes(text: string): string {
  return text.replaceAll(/"since":(null|"[^"]*")/g, `"since":"${WHEN}"`);
}

const FIXTURES = join(import.meta.dir, "../../fixtures");
let made = 0;

/**
 * A new copy of the database that a commit made.
 *
 * @param server the URL of a PostgreSQL server; that of the run unless given.
 */
export async function databaseOf(
  commit: string,
  engine: "sqlite" | "postgresql" = onPostgresql ? "postgresql" : "sqlite",
  server = process.env.TEST_DATABASE_URL ?? "",
): Promise<Fixture> {
  const source = join(FIXTURES, commit, engine);
  const content = (name: string) => gunzipSync(readFileSync(join(source, `${name}.gz`)));
  const folder = temporaryFolder();
  writeFileSync(join(folder, "archive.ndjson"), content("archive.ndjson"), { mode: 0o600 });
  const shown: Shown = JSON.parse(readFileSync(join(source, "shown.json"), "utf8"));
  const exported = content("export.ndjson").toString().trimEnd().split("\n");
  return { folder, url: await makeDatabase(), shown, exported };

  async function makeDatabase(): Promise<string> {
    if (engine === "sqlite") {
      const path = join(folder, "caseload.db");
      writeFileSync(path, content("caseload.db"), { mode: 0o600 });
      return path;
    }
    made += 1;
    const { TEST_DATABASE_TEMPLATE = "upgrade" } = process.env;
    const name = `${TEST_DATABASE_TEMPLATE}_${process.pid}_older_${made}`;
    const url = await newDatabaseUrl(server, name, "template0");
    // Lines for psql itself, which the driver does not know.
    await execute(
      url,
      content("caseload.sql")
        .toString()
        .replaceAll(/^\\.*$/gm, ""),
    );
    return url;
  }
}
