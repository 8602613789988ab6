import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { importCommand, type ImportFlags, openPracticeFile } from "../../src/commands/import.ts";
import type { Output } from "../../src/commands/output.ts";
import { CommandError } from "../../src/lib/command-error.ts";
import { newDatabase, temporaryFolder, TestClock } from "../support/harness.ts";
import { fullPractice, organization } from "../support/practice-file/full-practice.ts";
import { exportText, type Fields, fileOf } from "../support/practice-file/practice-file.ts";
import { runInProcess, startProgram } from "../support/commands/program.ts";

/** A terminal, or another stream, that records what was written to it. */
class Screen extends PassThrough {
  columns = 80;
  #text = "";

  constructor(readonly isTTY: boolean) {
    super();
    this.on("data", (chunk: Buffer) => (this.#text += chunk.toString()));
  }

  get text(): string {
    return this.#text;
  }
}

async function setUp(isTTY = false) {
  const results: string[] = [];
  const words: string[] = [];
  const output: Output = {
    result: (line) => results.push(line),
    message: (line) => words.push(line),
  };
  const database = await newDatabase();
  const terminal = new Screen(isTTY);
  const context = { database, clock: new TestClock(), operator: "ana", output, terminal };
  return { database, terminal, context, results, words };
}

function written(content: string): string {
  const path = join(temporaryFolder(), "practice.ndjson");
  writeFileSync(path, content);
  return path;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

const bad: Fields = { type: "location", publicId: "loc_1", name: "" };

const HEAD = "type          created  changed  unchanged  deleted  missing";
const ONLY_ORGANIZATION = "organization  1        0        0          0        0";

/** The lines of the printed table if all records are new. */
function created(records: readonly Fields[]): string[] {
  const ofTypes = Map.groupBy(records, ({ type }) => String(type));
  return [...ofTypes].map(
    ([type, { length }]) =>
      `${type.padEnd(19)}${String(length).padEnd(9)}0        0          0        0`,
  );
}

describe("import", () => {
  test("reads a file and prints the counts on standard error", async () => {
    const { database, context, results, words } = await setUp();
    const file = openPracticeFile(written(fileOf(fullPractice)), nothing());
    await importCommand(context, file, {});
    expect(results).toEqual([]);
    expect(words).toEqual([
      "Imported into org_maple:",
      "type               created  changed  unchanged  deleted  missing",
      ...created(fullPractice),
      "Note: Sessions from Thu, Jan 8, 2026, 9:00 AM to Thu, Jan 8, 2026, 9:00 AM (America/New_York).",
      "Note: 1 session is outside the dates of its authorization: apt_2.",
      "Note: 1 encounter is outside the dates of its authorization: enc_2.",
      "Note: 1 session takes no time: apt_3.",
      "Note: 7 users have no email: usr_kid2, usr_tech2, usr_x0, ….",
    ]);
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });

  test("reads standard input for -", async () => {
    const { context, words } = await setUp();
    const stdin = new Blob([fileOf([organization])]).stream();
    await importCommand(context, openPracticeFile("-", stdin), {});
    expect(words).toEqual(["Imported into org_maple:", HEAD, ONLY_ORGANIZATION]);
  });

  test("prints every invalid line with the file's name, and writes nothing", async () => {
    const { database, context, words } = await setUp();
    const path = written(
      `${fileOf([organization, bad])}{"type":"user","publicId":"usr_1","firstName":"A","lastName":"B"}\n`,
    );
    const importing = importCommand(context, openPracticeFile(path, nothing()), {});
    await expect(importing).rejects.toThrow(
      new CommandError(`${path} has 2 lines with mistakes. Nothing was written.`),
    );
    expect(words).toEqual([
      `${path}:2: location loc_1: name: must not be empty`,
      `${path}:3: user usr_1: role: is required`,
    ]);
    expect(
      await database.read((db) => db.selectFrom("organizations").selectAll().execute()),
    ).toEqual([]);
  });

  test("counts invalid lines, and stops after a hundred different messages", async () => {
    const { context, words } = await setUp();
    const many = (more: (index: number) => Fields) =>
      Array.from({ length: 150 }, (_, index) => ({
        ...bad,
        publicId: `loc_${index}`,
        ...more(index),
      }));
    const read = (records: Fields[]) =>
      importCommand(context, openPracticeFile("-", new Blob([fileOf(records)]).stream()), {});
    await expect(read([organization, bad])).rejects.toThrow(
      "- has 1 line with mistakes. Nothing was written.",
    );
    expect(words.splice(0)).toHaveLength(1);
    await expect(read([organization, ...many(() => ({}))])).rejects.toThrow(
      "- has 150 lines with mistakes. Nothing was written.",
    );
    expect(words.splice(0)).toEqual([
      ...["loc_0", "loc_1", "loc_2"].map(
        (id, index) => `-:${index + 2}: location ${id}: name: must not be empty`,
      ),
      "-: 147 more: location: name: must not be empty",
    ]);
    const others = many((index) => ({ [`field${index}`]: 1 }));
    await expect(read([organization, ...others])).rejects.toThrow(
      "- has at least 100 lines with mistakes; these are the first that were found. Nothing was written.",
    );
  });

  test("quotes the refused value, shortened", async () => {
    const { context, words } = await setUp();
    const file = [organization, { ...bad, publicId: "x".repeat(200) }, { ...bad, type: "place" }];
    const stream = new Blob([fileOf(file)]).stream();
    await importCommand(context, openPracticeFile("-", stream), {}).catch(() => {});
    expect(words).toEqual([
      `-:2: location: publicId: "${"x".repeat(40)}…" must be an id of 1 to 128 letters, digits, underscores or hyphens`,
      "-:2: location: name: must not be empty",
      expect.stringMatching(/^-:3: type: "place" is no type: organization, location, /),
    ]);
  });

  test("deletes records with deleted or --delete-missing, refuses to delete too much, and writes audit entries", async () => {
    const { database, context, words } = await setUp();
    const encounters = fullPractice.filter(({ type }) => type === "encounter");
    const read = (records: readonly Fields[], flags: ImportFlags) =>
      importCommand(context, openPracticeFile("-", new Blob([fileOf(records)]).stream()), flags);
    await read(fullPractice, {});
    const fewer = [organization, ...encounters.slice(1)];
    await read(fewer, { deleteMissing: ["encounter"], dryRun: true });
    expect(words).toContain("encounter     0        0        1          1        0");
    const [lead] = fullPractice.filter(({ type }) => type === "intakeLead") as [Fields];
    const both = [organization, { ...lead, publicId: "lead_9" }];
    await expect(read(both, { deleteMissing: ["intakeLead"] })).rejects.toThrow(
      "--delete-missing intakeLead would delete 2 of 2, more than half; give --delete-many if that is intended. Nothing was written.",
    );
    await read(both, { deleteMissing: ["intakeLead"], deleteMany: true });
    const rows = await database.read((db) =>
      db.selectFrom("audit_entries").select(["route", "status"]).orderBy("sequence").execute(),
    );
    expect(rows).toEqual([
      { route: "import", status: 0 },
      { route: "import --dry-run", status: 0 },
      { route: "import", status: 1 },
      { route: "import", status: 0 },
    ]);
  });

  test("prints that a long file is being written, and the duration", async () => {
    const { context, words } = await setUp();
    const locations = Array.from({ length: 20_000 }, (_, index) => ({
      type: "location",
      publicId: `loc_${index}`,
      name: "Clinic",
    }));
    const stream = new Blob([fileOf([organization, ...locations])]).stream();
    await importCommand(context, openPracticeFile("-", stream), {});
    expect(words.slice(0, 2)).toEqual([
      "Writing 20,001 lines; other writes wait until it is done.",
      expect.stringMatching(/^That took \d+\.\d seconds\.$/),
    ]);
  }, 60_000);

  test("refuses tables and other formats, and describes the expected format", async () => {
    const { context } = await setUp();
    const table = join(temporaryFolder(), "users.CSV");
    writeFileSync(table, "publicId\n");
    expect(() => openPracticeFile(table, nothing())).toThrow(
      `${table} is a single table. Give the folder that contains it, or a practice file (newline-delimited JSON).`,
    );
    const list = new Blob([`\ufeff\n [${JSON.stringify(organization)}]`]).stream();
    await expect(importCommand(context, openPracticeFile("-", list), {})).rejects.toThrow(
      "- is a JSON array. A practice file has one record per line, without brackets and commas.",
    );
    const indented = new Blob([JSON.stringify(organization, null, 2)]).stream();
    await expect(importCommand(context, openPracticeFile("-", indented), {})).rejects.toThrow(
      "- has records that span several lines. A practice file has one record per line.",
    );
    const workbook = new Blob(["PK\u0003\u0004\u0014\u0000\u0006"]).stream();
    await expect(importCommand(context, openPracticeFile("-", workbook), {})).rejects.toThrow(
      "- is not UTF-8 text. Save the sheets of a workbook as CSV, one for each type of record, and name their folder.",
    );
  });

  test("--dry-run writes nothing, and creates no database", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "practice.ndjson"), fileOf(fullPractice));
    const { status, stderr } = await runInProcess(["import", "practice.ndjson", "--dry-run"], {
      cwd,
    });
    expect([status, stderr]).toEqual([0, expect.stringContaining("this was a dry run")]);
    expect(readdirSync(cwd)).toEqual(["practice.ndjson"]);
  });

  test("--changes lists what is done with each record, and --json prints the result of the API", async () => {
    const { context, results, words } = await setUp();
    const tables = temporaryFolder();
    const files = {
      "organization.csv": "publicId,name\norg_maple,Maple\n",
      "location.csv": "publicId,name\n\nloc_1,Main\n",
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(tables, name), content);
    const importIt = (flags: ImportFlags) =>
      importCommand(context, openPracticeFile(tables, nothing()), flags);
    await importIt({ dryRun: true, changes: true });
    expect(words.slice(4)).toEqual([
      "line  type          publicId   change   fields",
      "2     organization  org_maple  created",
      "3     location      loc_1      created",
    ]);
    words.length = 0;
    await importIt({ json: true, changes: true });
    const none = { created: 0, changed: 0, unchanged: 0, deleted: 0, missing: 0 };
    const change = "CREATED";
    expect([words, JSON.parse(results.join("\n"))]).toEqual([
      [],
      {
        ...{ organizationId: "org_maple", dryRun: false, sequence: 1 },
        counts: { organization: 1, location: 1 },
        changes: { organization: { ...none, created: 1 }, location: { ...none, created: 1 } },
        notes: [],
        records: [
          { line: 2, type: "organization", publicId: "org_maple", change, fields: [] },
          { line: 3, type: "location", publicId: "loc_1", change, fields: [] },
        ],
        recordsTotal: 2,
      },
    ]);
  });

  test("--delete-many without --delete-missing is wrong usage", async () => {
    const cwd = temporaryFolder();
    expect(await runInProcess(["import", "practice.ndjson", "--delete-many"], { cwd })).toEqual({
      status: 2,
      stdout: "",
      stderr: "error: --delete-many needs --delete-missing\n",
    });
  });

  test("a killed --dry-run leaves nothing in the temporary folder", async () => {
    const cwd = temporaryFolder();
    const many = Array.from({ length: 20_000 }, (_, index) => ({
      ...{ type: "location", publicId: `loc_${index}`, name: "Clinic" },
    }));
    const program = startProgram(["import", "-", "--dry-run"], {
      cwd,
      env: { TMPDIR: cwd },
      stdin: fileOf([organization, ...many]),
    });
    const decoder = new TextDecoder();
    let said = "";
    for await (const bytes of program.stderr)
      if ((said += decoder.decode(bytes)).includes("Writing")) break;
    expect([said, readdirSync(cwd)]).toEqual([expect.stringContaining("Writing 20,001 lines"), []]);
    program.kill("SIGKILL");
    await program.exited;
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("--dry-run prints what would be imported", async () => {
    const { database, context, words } = await setUp();
    const path = written(fileOf([organization]));
    await importCommand(context, openPracticeFile(path, nothing()), { dryRun: true });
    expect(words).toEqual([
      `${path} can be imported into org_maple; this was a dry run, and nothing was written:`,
      HEAD,
      ONLY_ORGANIZATION,
    ]);
    expect(
      await database.read((db) => db.selectFrom("organizations").selectAll().execute()),
    ).toEqual([]);
  });

  test("shows progress on a terminal only", async () => {
    const path = written(fileOf(fullPractice));
    const piped = new Blob([fileOf(fullPractice)]).stream();
    const shown: string[] = [];
    for (const [isTTY, name] of [
      [true, path],
      [true, "-"],
      [false, path],
    ] as const) {
      const { context, terminal } = await setUp(isTTY);
      await importCommand(context, openPracticeFile(name, piped), {});
      shown.push(terminal.text);
    }
    const [ofFile, ofPipe, elsewhere] = shown;
    expect(ofFile).toMatch(/Reading \[.*\] 0% of 0\.0 MB/);
    expect(ofFile).toContain("100%");
    expect(ofPipe).toContain("Reading 0.0 MB");
    expect(ofPipe).not.toContain("% of 0.0 MB");
    expect(ofFile).toMatch(/Writing \[.*\] \d+% of \d+ lines/);
    expect(elsewhere).toBe("");
  });

  test("refuses an unreadable file", () => {
    const folder = temporaryFolder();
    expect(() => openPracticeFile(join(folder, "none"), nothing())).toThrow(
      new CommandError(`There is no file ${join(folder, "none")}.`),
    );
    mkdirSync(join(folder, "sub"));
    expect(() => openPracticeFile(join(folder, "sub"), nothing())).toThrow(
      new CommandError(`${join(folder, "sub")} has no organization.csv; every practice has one.`),
    );
  });
});
