import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { MAX_LINE_BYTES } from "../lines.ts";

/** Reads CSV files as spreadsheets write them. */

/** A trimmed cell; null if completely empty, without quotes. */
export type Cell = string | null;
export type Cells = ReadonlyMap<string, Cell>;

/** A row with its number in a spreadsheet: its cells by column, or why they could not be read. */
export type Row = { number: number } & ({ cells: Cells } | { problem: string });

/** What is wrong with a row, by csv-parse's code. */
const FAULTS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "a quotation mark is not closed",
  CSV_MAX_RECORD_SIZE: `it is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB; a quotation mark may not be closed`,
  CSV_INVALID_CLOSING_QUOTE:
    'there is text after a closing quotation mark; write "" for a quotation mark within a cell',
  INVALID_OPENING_QUOTE:
    'a cell contains a quotation mark; put the cell in quotation marks, and write "" for each one in it',
};

/** A file cannot be read as a table. */
export class NotATable extends Error {
  /** @param row where that was noticed, if it is known. */
  constructor(
    message: string,
    readonly row?: number,
  ) {
    super(message);
  }
}

/** A file of any size, which can be read several times. */
export type OpenFile = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The first row of a file that is not empty. */
export interface Header {
  number: number;
  /** Without the empty cells that spreadsheets write at the end. */
  headings: string[];
}

/** @throws NotATable if the file is not UTF-8 or not CSV, or has no row. */
export async function readHeader(open: OpenFile): Promise<Header> {
  for await (const { number, cells } of readCells(open)) return headerOf(number, cells);
  throw new NotATable("has no header");
}

/**
 * Yields the rows below the header of a file, without empty rows.
 *
 * @throws NotATable if the file is not UTF-8 or not CSV.
 */
export async function* readTable(open: OpenFile): AsyncGenerator<Row> {
  let headings: string[] | undefined;
  for await (const { number, cells } of readCells(open))
    if (headings === undefined) headings = headerOf(number, cells).headings;
    else yield rowOf(number, cells, headings);
}

/** As many as a spreadsheet can have. */
const MAX_COLUMNS = 16_384;

/** Yields the rows that are not empty, without a first line that declares the delimiter. */
async function* readCells(open: OpenFile): AsyncGenerator<{ number: number; cells: Cell[] }> {
  const { delimiter, isSaid } = await delimiterOf(open);
  const parser = parse({
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
    info: true,
    cast(cell, { quoting, index }) {
      if (index >= MAX_COLUMNS) throw new NotATable("has too many columns");
      return cell.trim() === "" && !quoting ? null : cell.trim();
    },
  });
  // Errors destroy the parser, and are thrown below.
  pipeline(Readable.from(textOf(open)), parser, () => {});
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Cell[];
      info: { records: number; empty_lines: number };
    }>) {
      const number = info.records + info.empty_lines;
      if ((isSaid && number === 1) || record.every((cell) => !cell)) continue;
      yield { number, cells: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = Number(error.records) + Number(error.empty_lines) + 1;
    throw new NotATable(`cannot be read as CSV: ${FAULTS[error.code] ?? error.code}`, row);
  }
}

function headerOf(number: number, cells: Cell[]): Header {
  const last = cells.findLastIndex((cell) => cell !== null);
  return { number, headings: cells.slice(0, last + 1).map((cell) => cell ?? "") };
}

function rowOf(number: number, record: Cell[], headings: string[]): Row {
  if (record.slice(headings.length).some((cell) => cell !== null))
    return { number, problem: "has more cells than the header" };
  return { number, cells: new Map(headings.map((name, index) => [name, record[index] ?? null])) };
}

/**
 * The delimiter: declared in a first line such as `sep=;`, or else detected from the header, since column names do not
 * contain delimiters.
 */
async function delimiterOf(open: OpenFile): Promise<{ delimiter: string; isSaid: boolean }> {
  const parts: string[] = [];
  let first: string | undefined;
  for await (const piece of textOf(open)) {
    first ??= piece;
    const rest = parts.length === 0 ? piece.trimStart() : piece;
    if (rest !== "") parts.push(rest);
    if (/[\n\r]/.test(rest)) break;
  }
  const said = /^"?sep=([,;\t])"?[\r\n]/i.exec(first ?? "")?.[1];
  if (said !== undefined) return { delimiter: said, isSaid: true };
  const [header = ""] = parts.join("").split(/[\n\r]/, 1);
  return { delimiter: /[,;\t]/.exec(header)?.[0] ?? ",", isSaid: false };
}

/** The text of a file, without a byte order mark. @throws NotATable with the row of what is not UTF-8. */
async function* textOf(open: OpenFile): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      return undefined;
    }
  };
  for await (const piece of open()) {
    const text = decoded(piece);
    if (text === undefined) throw await notUtf8(open);
    yield text;
  }
  const rest = decoded();
  if (rest === undefined) throw await notUtf8(open);
  yield rest;
}

/** The refusal, with the row of the first character that is none. The file is read again, which is seldom. */
async function notUtf8(open: OpenFile): Promise<NotATable> {
  const decoder = new TextDecoder();
  let row = 1;
  let isQuoted = false;
  let last = "";
  for await (const piece of open()) {
    const text = last + decoder.decode(piece, { stream: true });
    for (const [mark] of text.matchAll(/"|\r\n|\r(?!$)|\n|\ufffd/g)) {
      if (mark === "\ufffd") return new NotATable(NOT_UTF8, row);
      if (mark === '"') isQuoted = !isQuoted;
      else if (!isQuoted) row += 1;
    }
    // Its line feed may begin the next piece.
    last = text.endsWith("\r") ? "\r" : "";
  }
  return new NotATable(NOT_UTF8, row);
}

const NOT_UTF8 = 'is not valid UTF-8; save it as "CSV UTF-8"';
