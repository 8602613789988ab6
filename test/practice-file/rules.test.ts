import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { Database } from "../../db/database.ts";
import { importCommand, openPracticeFile } from "../../src/commands/import.ts";
import { CommandError } from "../../src/lib/command-error.ts";
import { captureOutput } from "../support/commands/practice.ts";
import { issueKey, newApiKey, newOrganization } from "../support/factories.ts";
import { temporaryFolder, TestClock, TestService } from "../support/harness.ts";
import { databaseOfFullPractice, fullPractice } from "../support/practice-file/full-practice.ts";
import {
  changesAfter,
  exportText,
  type Fields,
  fileOf,
  mustImport,
} from "../support/practice-file/practice-file.ts";
import { agreementRules } from "../support/practice-file/rules/agreement.ts";
import { tablesOf } from "../support/practice-file/csv.ts";
import { fieldRules } from "../support/practice-file/rules/fields.ts";
import { lineRules } from "../support/practice-file/rules/lines.ts";
import { referenceRules } from "../support/practice-file/rules/references.ts";
import {
  type Line,
  type Mistake,
  NO_DATE,
  NO_FIELD,
  NO_TIME,
  REQUIRED,
  type Rule,
} from "../support/practice-file/rules/rule.ts";

/**
 * Every rule of the practice file, broken by the command with a file, over HTTP and by the command with a folder of CSV:
 * each mistake is reported with its line and field, and nothing is written.
 */

const own: Fields = { type: "organization", publicId: "org_maple" };
/** Messages about cells, which may also be local times and US dates. */
const CSV_MESSAGES = new Map([
  [NO_DATE, "must be a date that exists, such as 2026-10-01 or 10/1/2026"],
  [NO_TIME, "must be a time, such as 2026-10-01 15:30 or 10/1/2026 3:30 PM"],
]);

async function setUp() {
  const database = await databaseOfFullPractice();
  await newOrganization(database, { public_id: "org_oak" });
  await mustImport(database, [
    { ...own, publicId: "org_oak" },
    { type: "location", publicId: "loc_oak", name: "Oak" },
  ]);
  await issueKey(database, "org_maple", { holder: { userId: "usr_x2" } });
  await database.write((trx) => trx.updateTable("api_keys").set({ id: "key_of_user" }).execute(), {
    organizationId: "org_maple",
  });
  const key = await newApiKey(database, "org_maple");
  return { database, service: new TestService(database), key };
}

/** The messages of the command about a file or folder that it refuses, with `F` for its path. */
async function saidOf(database: Database, path: string): Promise<string[]> {
  const output = captureOutput();
  const terminal = new PassThrough();
  const context = { database, clock: new TestClock(), operator: "ana", output, terminal };
  const importing = async () => importCommand(context, openPracticeFile(path, nothing()), {});
  const refusal = await importing().then(
    () => "Imported",
    (error: unknown) => {
      if (error instanceof CommandError) return error.message;
      throw error;
    },
  );
  return [...output.said, refusal].map((text) => text.replaceAll(path, "F"));
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

const pathOf = (field: string) =>
  field === "" ? [] : field.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/** `payors[0].payorId` */
const nameOf = (path: readonly (string | number)[]) =>
  path.reduce<string>(
    (name, step) =>
      typeof step === "number" ? `${name}[${step}]` : name === "" ? step : `${name}.${step}`,
    "",
  );

const joined = (...parts: string[]) => parts.filter((part) => part !== "").join(": ");

/** The refused value as the command shows it. */
function shownOf(lines: readonly Line[], [line, , field, message, shown]: Mistake) {
  const value = shown ?? (hasNoValue(message) ? "" : valueAt(lines[line - 1], pathOf(field)));
  if (value === undefined || value === null || typeof value === "object" || value === "") return "";
  const characters = [...String(value)];
  return `"${characters.length > 40 ? `${characters.slice(0, 40).join("")}…` : String(value)}" `;
}

const hasNoValue = (message: string) => message === NO_FIELD || message === REQUIRED;

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((inner, step) => (inner as Fields | undefined)?.[step], value);
}

function reportOf(lines: readonly Line[], mistake: Mistake): string {
  const [line, record, field, message] = mistake;
  const told = `${shownOf(lines, mistake)}${message}`;
  return joined(`F:${line}`, record, nameOf(pathOf(field)), told);
}

function issueOf([line, record, field, message]: Mistake) {
  const path = pathOf(field);
  const isOfType = field === "type" && message === "must be text";
  const reason = REASONS.find(([messages]) => messages.test(message))?.[1] ?? "invalid_value";
  return {
    code: "custom",
    message: joined(record, nameOf(path), message),
    path: [line, ...path],
    reason: isOfType ? "unknown_type" : reason,
  };
}

/** The reasons of messages, for programs. */
const REASONS = [
  [/^is not valid (JSON|UTF-8)|^is not a record|^is longer than 32 MiB/, "not_json"],
  [/^is no type: /, "unknown_type"],
  [/^is no field of/, "unknown_field"],
  [/^is required/, "required"],
  [/^is in this (file|list) twice|^is (already|also) the (email|id) of/, "duplicate"],
  [/^is named by/, "in_use"],
  [/^is no \w+ of the file or the database$/, "unknown_record"],
  [
    /^has the role|where this user is|^has another patient|first line|^is a (pool of|patient with)/,
    "does_not_fit",
  ],
  [/^is no(t the)? (authorization|service line|session|payor)s? of/, "does_not_fit"],
  [/^is not the (service line|authorization|payor)|^is a (goal of its|child goal)/, "does_not_fit"],
  [/an import cannot delete an organization/, "does_not_fit"],
] as const;

/** The files of a folder, and the messages about them. */
function csvOf({ organization = own, lines, mistakes, csv }: Rule) {
  const records = [organization, ...lines] as Fields[];
  const given = csv !== undefined && "files" in csv ? csv.files : undefined;
  const tables = tablesOf(given === undefined ? records : [organization], fullPractice);
  const files = { ...tables.files, ...given };
  if (csv !== undefined && "refusal" in csv) return { files, said: [csv.refusal] };
  if (csv !== undefined && "reports" in csv) return { files, said: csv.reports };
  const atLine = (line: string) => `F/${tables.place(Number(line), []).at}`;
  const said = tables.inOrder.flatMap((line) =>
    mistakes
      .filter(([at]) => at === line)
      .map((mistake) => {
        const [, record, field, text] = mistake;
        const { at, path } = tables.place(line, pathOf(field));
        const message = (CSV_MESSAGES.get(text) ?? text).replace(
          / line (\d+)$/,
          (_, other: string) => ` ${atLine(other)}`,
        );
        return joined(`F/${at}`, record, nameOf(path), `${shownOf(records, mistake)}${message}`);
      }),
  );
  return { files, said };
}

/** Shortens the lists of columns and files at the end of a refusal. */
const shortened = (text: string) => text.replace(/(; the (columns|files) are ).*$/s, "$1…");

function bytesOf(line: Line): Buffer {
  if (Buffer.isBuffer(line)) return line;
  return Buffer.from(typeof line === "string" ? line : JSON.stringify(line));
}

const badLines = (count: number) =>
  `F has ${count === 1 ? "1 line with mistakes" : `${count} lines with mistakes`}. Nothing was written.`;

describe.each([
  ["lines", lineRules],
  ["fields", fieldRules],
  ["references", referenceRules],
  ["agreement", agreementRules],
])("rules of %s", async (_, rules) => {
  const { database, service, key } = await setUp();
  const before = fileOf(fullPractice);

  const saidOfFile = (file: Buffer) => {
    const path = join(temporaryFolder(), "practice.ndjson");
    writeFileSync(path, file);
    return saidOf(database, path);
  };
  const answerTo = async (file: Buffer<ArrayBuffer>) => {
    const headers = { "Content-Type": "application/x-ndjson" };
    const options = { key, headers, raw: file };
    const { status, body } = await service.call("POST /api/v1/practice-file", options);
    return [status, body];
  };

  test.each(rules.map((each) => [each.rule, each] as const))("%s", async (_, each) => {
    const { organization = own, lines, mistakes, csv } = each;
    const count = new Set(mistakes.map(([line]) => line)).size;
    const all = [organization, ...lines];
    const file = Buffer.concat(all.flatMap((line) => [bytesOf(line), Buffer.from("\n")]));

    const expected = mistakes.map((mistake) => reportOf(all, mistake));
    expect(await saidOfFile(file)).toEqual([...expected, badLines(count)]);
    expect(await answerTo(file)).toEqual([
      400,
      { message: "Validation Error", statusCode: 400, validationErrors: mistakes.map(issueOf) },
    ]);

    if (csv === undefined || !("cannot" in csv)) {
      const { files, said } = csvOf(each);
      const folder = temporaryFolder();
      for (const [name, content] of Object.entries(files))
        writeFileSync(join(folder, name), content);
      const found = (await saidOf(database, folder)).map(shortened);
      // After the mistakes come the cell formats and the number of lines with mistakes.
      expect(found.filter((text) => !/^In a cell,|^F has \d+ line/.test(text))).toEqual([...said]);
    }

    expect(await exportText(database, "org_maple")).toBe(before);
    expect((await changesAfter(database, 1)).sequence).toBe(1);
  });
});
