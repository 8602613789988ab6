import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { join } from "node:path";
import { printable, printableLines, tableLines } from "../../src/commands/output.ts";
import { writePieces } from "../../src/commands/standard-output.ts";
import { temporaryFolder } from "../support/harness.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import { fileOf } from "../support/practice-file/practice-file.ts";
import { runInProcess } from "../support/commands/program.ts";

/** Names in a practice file may contain control sequences of terminals. No command prints them. */

/** Clears the screen in two ways, reverses the text direction, and begins a new line. */
const HOSTILE = "Evil\u001b[2J\u009b2J\u202e\u2066\u2028\rok\n\u0007\u007f";
const ESCAPED = "Evil\\u001b[2J\\u009b2J\\u202e\\u2066\\u2028\\u000dok\\u000a\\u0007\\u007f";
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

test("printable escapes control characters as JSON does, and leaves other characters unchanged", () => {
  expect(printable(HOSTILE)).toBe(ESCAPED);
  expect(JSON.parse(`"${printable(HOSTILE)}"`)).toBe(HOSTILE);
  const plain = "Łucja O’Brien-Ruiz 🧑‍🤝‍🧑 \u200cمی‌خواهم";
  expect(printable(plain)).toBe(plain);
  expect(printableLines("a\tb\nc\u001b")).toBe("a\tb\nc\\u001b");
});

test("a table cell stays one cell, whatever its text", () => {
  expect(tableLines(["NAME", "ID"], [[HOSTILE, "1"]])).toEqual([
    `NAME${" ".repeat(ESCAPED.length - 4)}  ID`,
    `${ESCAPED}  1`,
  ]);
});

test("no command prints control characters of an imported text", async () => {
  const cwd = temporaryFolder();
  const hostile = fullPractice.map((record) => {
    const names = Object.keys(record).filter((field) =>
      /^(name|title|firstName|lastName)$/.test(field),
    );
    return { ...record, ...Object.fromEntries(names.map((field) => [field, HOSTILE])) };
  });
  await Bun.write(join(cwd, "practice.ndjson"), fileOf(hostile));
  const commands = [
    ["import", "practice.ndjson"],
    ["organizations", "list"],
    ["organizations", "list", "--json"],
    ["keys", "create", "--organization", "org_maple", "--role", "ADMIN", "--name", HOSTILE],
    ["keys", "list"],
    ["keys", "list", "--json"],
    ["get", "users"],
    ["get", "users", "--csv"],
    ["get", "users", "--json"],
    ["audit", "list"],
    ["audit", "list", "--json"],
    ["doctor"],
    ["export", HOSTILE],
  ];
  let shown = "";
  for (const command of commands) {
    const { stdout, stderr } = await runInProcess(command, { cwd });
    expect([command, CONTROLS.exec((stdout + stderr).replaceAll(/[\n\t]/g, ""))]).toEqual([
      command,
      null,
    ]);
    shown += stdout;
  }
  expect(shown).toContain("Evil\\u001b[2J\\u009b2J");
}, 60_000);

test("an export has the same bytes in a file, and escapes control characters on a terminal", async () => {
  const written = async (isTTY: boolean) => {
    const stdout = Object.assign(new PassThrough(), { isTTY });
    await writePieces([`{"name":"${"\u009b"}"}\n`], stdout);
    stdout.end();
    return Buffer.concat(await Array.fromAsync(stdout)).toString();
  };
  expect(await written(false)).toBe('{"name":"\u009b"}\n');
  expect(await written(true)).toBe('{"name":"\\u009b"}\n');
});
