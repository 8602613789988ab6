import { NO_ORGANIZATION } from "../../db/database.ts";
import { Database as SqliteFile } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../db/migrate.ts";
import { migrateDatabase } from "../../src/commands/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { contentsOf, newPractice, onDatabase } from "../support/commands/practice.ts";
import { NOW } from "../support/harness.ts";
import { startServer } from "../support/commands/program.ts";
import { backUp } from "../../db/sqlite/backup.ts";
import { VERSION } from "../../src/version.ts";
import { laterStep, withSteps } from "../support/steps.ts";

/** An upgrade of a database with a practice. */

const BACKUP = `caseload.db.before-${VERSION}`;

/** Runs the migrations of a later version. */
const upgrade = ({ url, clock, output }: Awaited<ReturnType<typeof newPractice>>) =>
  withSteps([laterStep], () => migrateDatabase({ url, operator: "ana", clock, output }));

describe("migrate", () => {
  test("makes a verified backup of a database with data before its first step", async () => {
    const practice = await newPractice();
    const before = contentsOf(practice.url);
    await upgrade(practice);
    expect(practice.output.results).toEqual([laterStep.name]);
    expect(practice.output.said).toEqual([
      `The database as it was is kept in ${practice.url}.before-${VERSION}.`,
      "The database is now up to date.",
    ]);
    expect(contentsOf(join(practice.cwd, BACKUP))).toEqual(before);
    expect(statSync(join(practice.cwd, BACKUP)).mode & 0o777).toBe(0o600);
    expect(contentsOf(practice.url).organizations).toEqual(before.organizations ?? []);
  });

  test("makes no backup of a database without data, or one that is up to date", async () => {
    for (const isEmpty of [true, false]) {
      const practice = await newPractice();
      if (isEmpty)
        await onDatabase(practice.url, (database) =>
          database.write((trx) => trx.deleteFrom("organizations").execute(), NO_ORGANIZATION),
        );
      else
        await withSteps([laterStep], () =>
          onDatabase(practice.url, (one) => migrate(one, NOW as Instant)),
        );
      await upgrade(practice);
      expect(readdirSync(practice.cwd).sort()).toEqual(["caseload.db", "caseload.db-lock"]);
    }
  });

  test("keeps the backup that an interrupted upgrade has left", async () => {
    const practice = await newPractice();
    await backUp(practice.url, join(practice.cwd, BACKUP));
    const { ino } = statSync(join(practice.cwd, BACKUP));
    await upgrade(practice);
    expect(statSync(join(practice.cwd, BACKUP)).ino).toBe(ino);
    expect(practice.output.said[0]).toEndWith(`/${BACKUP}.`);
    expect(readdirSync(practice.cwd).sort()).toEqual(
      ["caseload.db", BACKUP, "caseload.db-lock"].sort(),
    );
  });

  test("keeps a file that has the name of the backup and is none, and a backup of before another change", async () => {
    const practice = await newPractice();
    writeFileSync(join(practice.cwd, BACKUP), "the earlier one");
    await upgrade(practice);
    expect(readFileSync(join(practice.cwd, BACKUP), "utf8")).toBe("the earlier one");
    expect(contentsOf(join(practice.cwd, `${BACKUP}-2`)).organizations).toHaveLength(1);
  });

  test("changes nothing if the database cannot be backed up", async () => {
    const practice = await newPractice();
    const file = new SqliteFile(practice.url);
    file.run(
      "insert into locations (organization_id, public_id, name) values ('org_none', 'loc_1', 'Main clinic')",
    );
    file.close(true);
    const before = contentsOf(practice.url);
    await expect(upgrade(practice)).rejects.toThrow(
      /caseload\.db is damaged \(a row refers to one that does not exist\)/,
    );
    expect(contentsOf(practice.url)).toEqual(before);
    expect(readdirSync(practice.cwd).sort()).toEqual(["caseload.db", "caseload.db-lock"]);
  });
});

test("serve makes a backup before it migrates, too", async () => {
  const { cwd } = await newPractice();
  const later = join(import.meta.dir, "../programs/later-version.ts");
  const { program, url } = await startServer([], {
    cwd,
    env: { BUN_OPTIONS: `--preload ${later}` },
  });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  program.kill();
  expect(await program.exited).toBe(0);
  expect(await program.stderr.text()).toStartWith(
    `The database as it was is kept in caseload.db.before-${VERSION}.\n`,
  );
  expect(contentsOf(join(cwd, BACKUP)).organizations).toHaveLength(1);
});
