import { NO_ORGANIZATION } from "../../db/database.ts";
import { Database as SqliteFile } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../db/sqlite/migrations/index.ts";
import { migrateDatabase } from "../../src/commands/migrate.ts";
import { contentsOf, newPractice, onDatabase } from "../support/commands/practice.ts";
import { startServer } from "../support/commands/program.ts";

/** What an upgrade does to a database that holds a practice. */

const older = migrations.filter(({ name }) => name < "0009");
const missing = migrations.map(({ name }) => name).filter((name) => name >= "0009");
const BACKUP = `caseload.db.before-${missing[0]}.backup`;

const upgrade = ({ url, clock, output }: Awaited<ReturnType<typeof newPractice>>) =>
  migrateDatabase({ url, operator: "ana", clock, output });

describe("migrate", () => {
  test("keeps a checked backup of a database with data before its first step", async () => {
    const practice = await newPractice("org_maple", older);
    const before = contentsOf(practice.url);
    await upgrade(practice);
    expect(practice.output.results).toEqual(missing);
    expect(practice.output.said).toEqual([
      `The database as it was is kept in ${practice.url}.before-${missing[0]}.backup.`,
      "The database is now up to date.",
    ]);
    expect(contentsOf(join(practice.cwd, BACKUP))).toEqual(before);
    expect(statSync(join(practice.cwd, BACKUP)).mode & 0o777).toBe(0o600);
    expect(contentsOf(practice.url).organizations).toEqual(before.organizations ?? []);
  });

  test("keeps none of a database without data, or one that is up to date", async () => {
    for (const steps of [older, migrations]) {
      const practice = await newPractice("org_maple", steps);
      if (steps === older)
        await onDatabase(practice.url, (database) =>
          database.write((trx) => trx.deleteFrom("organizations").execute(), NO_ORGANIZATION),
        );
      await upgrade(practice);
      expect(readdirSync(practice.cwd).sort()).toEqual(["caseload.db", "caseload.db-lock"]);
    }
  });

  test("keeps what was kept at an earlier upgrade", async () => {
    const practice = await newPractice("org_maple", older);
    writeFileSync(join(practice.cwd, BACKUP), "the earlier one");
    await upgrade(practice);
    expect(readFileSync(join(practice.cwd, BACKUP), "utf8")).toBe("the earlier one");
    expect(contentsOf(join(practice.cwd, `${BACKUP}-2`)).organizations).toHaveLength(1);
  });

  test("changes nothing of a database that cannot be backed up", async () => {
    const practice = await newPractice("org_maple", older);
    const file = new SqliteFile(practice.url);
    file.run("insert into locations values ('org_none', 'loc_1', 'Main clinic')");
    file.close(true);
    const before = contentsOf(practice.url);
    await expect(upgrade(practice)).rejects.toThrow(
      /caseload\.db is damaged \(a row refers to one that does not exist\)/,
    );
    expect(contentsOf(practice.url)).toEqual(before);
    expect(readdirSync(practice.cwd).sort()).toEqual(["caseload.db", "caseload.db-lock"]);
  });
});

test("serve keeps a backup too, and serves", async () => {
  const { cwd } = await newPractice("org_maple", older);
  const { program, url } = await startServer([], { cwd });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  program.kill();
  expect(await program.exited).toBe(0);
  expect(await program.stderr.text()).toStartWith(
    `The database as it was is kept in caseload.db.before-${missing[0]}.backup.\n`,
  );
  expect(contentsOf(join(cwd, BACKUP)).organizations).toHaveLength(1);
});
