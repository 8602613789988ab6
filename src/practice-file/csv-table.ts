import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { CommandError } from "../lib/command-error.ts";
import { MAX_LINE_BYTES } from "./lines.ts";

/** Reads CSV files as spreadsheets write them. */

/** A trimmed cell; null if completely empty, without quotes. */
export type Cell = string | null;
export type Cells = ReadonlyMap<string, Cell>;

/** A row with its number in a spreadsheet: its cells by column, or why they could not be read. */
export type Row = { number: number } & ({ cells: Cells } | { problem: string });

/** What is wrong with a row, by csv-parse's code. */
const FAULTS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "a quotation mark is not closed",
  CSV_INVALID_CLOSING_QUOTE:
    'there is text after a closing quotation mark; write "" for a quotation mark within a cell',
  INVALID_OPENING_QUOTE:
    'a cell contains a quotation mark; put the cell in quotation marks, and write "" for each one in it',
};

/**
 * Yields the rows below the header of a file, without empty rows.
 *
 * @param columns the names that the header may have.
 * @throws CommandError if the file cannot be read, is not UTF-8 or not CSV, or has another column.
 */
export async function* readTable(path: string, columns: readonly string[]): AsyncGenerator<Row> {
  const { delimiter, isSaid } = await delimiterOf(path);
  const parser = parse({
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
    info: true,
    cast: (cell, { quoting }) => (cell.trim() === "" && !quoting ? null : cell.trim()),
  });
  // Errors destroy the parser, and are thrown below.
  pipeline(Readable.from(textOf(path)), parser, () => {});
  let header: string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Cell[];
      info: { records: number; empty_lines: number };
    }>) {
      const number = info.records + info.empty_lines;
      if ((isSaid && number === 1) || record.every((cell) => !cell)) continue;
      if (header === undefined) header = headerOf(record, columns, `${path}:${number}`);
      else yield rowOf(number, record, header);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = Number(error.records) + Number(error.empty_lines) + 1;
    throw new CommandError(
      `${path}:${row}: The row cannot be read as CSV: ${FAULTS[error.code] ?? error.code}.`,
    );
  }
  if (header === undefined) throw new CommandError(`${path} has no header.`);
}

function rowOf(number: number, record: Cell[], header: string[]): Row {
  if (record.slice(header.length).some((cell) => cell !== null))
    return { number, problem: "has more cells than the header" };
  return { number, cells: new Map(header.map((name, index) => [name, record[index] ?? null])) };
}

function headerOf(record: Cell[], columns: readonly string[], at: string): string[] {
  // Spreadsheets write empty columns at the end.
  const last = record.findLastIndex((cell) => cell !== null);
  const header = record.slice(0, last + 1).map((cell) => cell ?? "");
  for (const [index, name] of header.entries()) {
    // In a file without a header, the first row contains personal data, which must not be shown.
    const shown = /^[\w.]{1,64}$/.test(name) ? name : "?";
    const column = `${at}: column ${index + 1} (${shown})`;
    if (!columns.includes(name))
      throw new CommandError(`${column}: Is no field; the columns are ${columns.join(", ")}.`);
    if (header.indexOf(name) !== index)
      throw new CommandError(`${column}: Occurs twice in the header.`);
  }
  return header;
}

/**
 * The delimiter: declared in a first line such as `sep=;`, or else detected from the header, since column names do not
 * contain delimiters.
 */
async function delimiterOf(path: string): Promise<{ delimiter: string; isSaid: boolean }> {
  let text = "";
  for await (const piece of textOf(path)) {
    text += piece;
    if (/[\n\r]/.test(text.trimStart())) break;
  }
  const said = /^"?sep=([,;\t])"?[\r\n]/i.exec(text)?.[1];
  if (said !== undefined) return { delimiter: said, isSaid: true };
  const header = text.split(/[\n\r]/).find((line) => line.trim() !== "") ?? "";
  return { delimiter: /[,;\t]/.exec(header)?.[0] ?? ",", isSaid: false };
}

/** The text of a file, without a byte order mark. */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new CommandError(`${path} is not valid UTF-8; save it as "CSV UTF-8".`);
    }
  };
  for await (const chunk of bytesOf(path)) yield decoded(chunk);
  yield decoded();
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Uint8Array;
  } catch (error) {
    const { code } = error as { code?: string };
    throw new CommandError(
      `Cannot read ${path} (${code}); check that it is a file, and its permissions.`,
    );
  }
}
