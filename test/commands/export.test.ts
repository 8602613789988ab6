import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { type Database, NO_ORGANIZATION } from "../../db/database.ts";
import { exportCommand } from "../../src/commands/export.ts";
import { CommandError } from "../../src/lib/command-error.ts";
import { beginAnotherHistory } from "../../src/organizations/repository.ts";
import { newApiKey } from "../support/factories.ts";
import { temporaryFolder, TestClock } from "../support/harness.ts";
import { captureOutput } from "../support/commands/practice.ts";
import { fullPractice, databaseOfFullPractice } from "../support/practice-file/full-practice.ts";
import { fileOf, mustImport } from "../support/practice-file/practice-file.ts";
import { statementsOf } from "../support/statements.ts";

async function exported(database: Database, organizationId: string): Promise<string> {
  const stdout = new PassThrough();
  const text = new Response(stdout as never).text();
  await exportCommand(
    { database, clock: new TestClock(), operator: "ana", output: captureOutput(), stdout },
    organizationId,
  );
  stdout.end();
  return text;
}

async function practice(): Promise<Database> {
  const database = await databaseOfFullPractice();
  return database;
}

/** Many sessions, clients and goals in addition to the full practice. */
async function grown(count: number): Promise<Database> {
  const database = await practice();
  const numbered = (prefix: string, index: number) => `${prefix}${String(index).padStart(5, "0")}`;
  const [organization] = fullPractice;
  const copies = ["usr_tech", "apt_1", "goal_rating", "lead_1"].flatMap((id) => {
    const { email, ...record } = fullPractice.find(({ publicId }) => publicId === id) ?? {};
    return Array.from({ length: count }, (_, index) => ({
      ...record,
      publicId: numbered(`${id}_`, index),
    }));
  });
  await mustImport(database, [organization ?? {}, ...copies]);
  return database;
}

describe("export --after", () => {
  /** The text that a command prints on both streams. */
  async function printed(database: Database, after: number | undefined, csv?: string) {
    const stdout = new PassThrough();
    const text = new Response(stdout as never).text();
    const words: string[] = [];
    const output = { result: () => {}, message: (line: string) => words.push(line) };
    const command = { database, clock: new TestClock(), operator: "ana", stdout, output };
    await exportCommand(command, "org_maple", {
      ...(after !== undefined && { after }),
      ...(csv !== undefined && { csv }),
    });
    stdout.end();
    return { text: await text, words };
  }
  const own = { type: "organization", publicId: "org_maple" };

  test("writes the changes since a sequence, and prints the new sequence", async () => {
    const database = await practice();
    const whole = await printed(database, undefined);
    expect(whole.words).toEqual(["Sequence 1"]);
    await mustImport(database, [own, { type: "location", publicId: "loc_new", name: "New" }]);
    const { text, words } = await printed(database, 1);
    expect(words).toEqual(["Sequence 2"]);
    expect(text.trimEnd().split("\n").slice(1)).toEqual([
      '{"type":"location","publicId":"loc_new","name":"New"}',
    ]);
  });

  test("with --csv writes changes that bring a copy to the same state, deletions included", async () => {
    const [database, copy] = [await practice(), await practice()];
    await mustImport(database, [
      own,
      { type: "session", publicId: "apt_1", title: "Changed" },
      { type: "user", publicId: "usr_kid", payors: [] },
      { type: "encounter", publicId: "enc_1", deleted: true },
    ]);
    const folder = join(temporaryFolder(), "csv");
    await printed(database, 1, folder);
    const { importCommand, openPracticeFile } = await import("../../src/commands/import.ts");
    await importCommand(
      {
        database: copy,
        clock: new TestClock(),
        operator: "ana",
        output: { result: () => {}, message: () => {} },
        terminal: new PassThrough(),
      },
      openPracticeFile(folder, (async function* () {})()),
      {},
    );
    expect(await exported(copy, "org_maple")).toBe(await exported(database, "org_maple"));
  });

  test("refuses a sequence above the last one, and one before the known history", async () => {
    const database = await practice();
    await expect(printed(database, 2)).rejects.toThrow(
      "greater than the sequence of the last write",
    );
    await database.write((trx) => beginAnotherHistory(trx, Date.now()), NO_ORGANIZATION);
    const refused = printed(database, 1);
    await expect(refused).rejects.toBeInstanceOf(CommandError);
    await expect(refused).rejects.toThrow("Changes since 1 are no longer known; export everything");
  });
});

describe("export", () => {
  test("writes an organization as a practice file, without its keys", async () => {
    const database = await practice();
    const key = await newApiKey(database, "org_maple");
    const text = await exported(database, "org_maple");
    expect(text).toBe(fileOf(fullPractice));
    expect(text).not.toContain(key);
  });

  test("reads page by page, with a number of statements that grows slower than the records", async () => {
    const database = await grown(1_100);
    const { result, statements } = await statementsOf(() => exported(database, "org_maple"));
    const ids = result.match(/^\{"type":"\w+","publicId":"[^"]+"/gm) ?? [];
    expect(new Set(ids).size).toBe(fullPractice.length + 4 * 1_100);
    expect(ids).toHaveLength(fullPractice.length + 4 * 1_100);
    // Most of them read 23 pages of goals, with 7 statements each.
    expect(statements.length).toBeLessThan(250);
  });

  test("is recorded in the audit trail before the first line is written", async () => {
    const database = await practice();
    const routes = () =>
      database.write(
        (trx) => trx.selectFrom("audit_entries").select("route").execute(),
        NO_ORGANIZATION,
      );
    const atFirstLine = Promise.withResolvers<unknown>();
    const stdout = new Writable({
      write(_chunk, _encoding, done) {
        atFirstLine.resolve(routes().finally(done));
      },
    });
    const output = captureOutput();
    const context = { database, clock: new TestClock(), operator: "ana", output, stdout };
    await exportCommand(context, "org_maple");
    expect(await atFirstLine.promise).toEqual([{ route: "import" }, { route: "export" }]);
  });

  test("refuses an unknown organization and writes nothing", async () => {
    const database = await practice();
    const failing = exported(database, "org_oak");
    await expect(failing).rejects.toThrow(
      new CommandError(
        'There is no organization org_oak; "caseload organizations list" shows them.',
      ),
    );
    const rows = await database.read((db) =>
      db.selectFrom("audit_entries").select("route").execute(),
    );
    expect(rows).toEqual([{ route: "import" }]);
  });

  test("exits with status 0 and no message when its reader closes the pipe", async () => {
    const database = await practice();
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(), { code: "EPIPE" })),
    });
    const output = captureOutput();
    const context = { database, clock: new TestClock(), operator: "ana", output, stdout };
    await exportCommand(context, "org_maple");
  });
});
