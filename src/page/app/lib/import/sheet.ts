import { bareDay } from "../../../../lib/cells/times.ts";
import { FIELDS, fieldsNamed, guardianOf, type Meaning, type SheetType } from "./fields.ts";
import { gridOf, isFilled, type Grid, totalsIn } from "./grid.ts";
import { plain } from "./names.ts";
import { decodedText, type Encoding, type Row, tableOfText } from "./text-file.ts";
import { NotAWorkbook, readWorkbook } from "./workbook.ts";
import { valueOfWord } from "./words.ts";

/** Sheets of an office as their files have them, and what their columns are by a guess. */

/** What can be chosen for a sheet. */
export interface Choices {
  type: SheetType;
  /** The field of each column; undefined for those that are left out. */
  fields: (string | undefined)[];
  /** Values for all rows, by field, besides those that are proposed. */
  constants: Record<string, string>;
  /** The values of words, by field and word. */
  words: Record<string, Record<string, string>>;
  /** What was chosen at notes, by what they are about. */
  answers: Record<string, string>;
}

export interface Sheet extends Choices {
  /** The file, and its worksheet if it has several. */
  name: string;
  file: string;
  grid: Grid;
  /** How a text file was read; its bytes, if it can be read otherwise. */
  encoding?: Encoding;
  bytes?: Uint8Array;
  isSeparatedBySemicolons?: boolean;
  /** The row with a quotation mark that is never closed. */
  unclosed?: number;
  uncalculated?: readonly number[];
  /** Worksheets of its file that are none of these sheets. */
  leftOut?: readonly string[];
}

/** A file that cannot be read. */
export interface RefusedFile {
  file: string;
  refusal: string;
}

export const MAX_BYTES = 20 * 1024 * 1024;
export const MAX_ROWS = 20_000;

const NO_SHEET = "Is no sheet that can be read: save it as .xlsx or CSV.";
const TOO_LARGE = "Is larger than 20 MB or 20,000 rows: `caseload import` takes it.";

/** The beginnings of files that are no text, besides workbooks: PDF, pictures, and what only looks like a table. */
const OTHER_FORMATS =
  /^(?:%PDF|\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0{4}|RIFF|II\*|MM\0\*|\{\\rtf|\s*<(?:!doctype|html|\?xml|table))/is;
const OTHER_NAMES = /\.(?:numbers|ods|pdf|png|jpe?g|gif|heic|webp|docx?|pages)$/i;

/** The sheets of a file, or why there are none. */
export async function sheetsOfFile(
  file: string,
  bytes: Uint8Array,
): Promise<Sheet[] | RefusedFile> {
  const refused = (refusal: string): RefusedFile => ({ file, refusal });
  if (bytes.length > MAX_BYTES) return refused(TOO_LARGE);
  const beginning = String.fromCharCode(...bytes.subarray(0, 64));
  if (beginning.startsWith("\xd0\xcf\x11\xe0"))
    return refused(
      "Is an old or protected workbook. Open it and save it as .xlsx, without a password.",
    );
  if (OTHER_NAMES.test(file) || OTHER_FORMATS.test(beginning.replace(/^\xef\xbb\xbf/, "")))
    return refused(NO_SHEET);
  if (beginning.startsWith("PK")) return sheetsOfWorkbook(file, bytes);
  const { text, encoding } = decodedText(bytes);
  if (text.includes("\0")) return refused(NO_SHEET);
  const sheet = textSheet(file, text);
  if (sheet === undefined) return refused("Has no rows.");
  if (sheet.grid.rows.length > MAX_ROWS) return refused(TOO_LARGE);
  return [{ ...sheet, encoding, ...(encoding !== "UTF-8" && { bytes }) }];
}

/** The sheet of a text, of a file or pasted; undefined if it has no rows. */
export function textSheet(file: string, text: string): Sheet | undefined {
  const { rows, unclosed, delimiter } = tableOfText(text);
  const sheet = sheetOf({ name: file, file }, rows);
  return (
    sheet && {
      ...sheet,
      ...(delimiter === ";" && { isSeparatedBySemicolons: true }),
      ...(unclosed !== undefined && { unclosed }),
    }
  );
}

/** A sheet whose letters were read otherwise. */
export function readAs(sheet: Sheet, encoding: Encoding): Sheet {
  if (sheet.bytes === undefined) return sheet;
  const { rows } = tableOfText(decodedText(sheet.bytes, encoding).text);
  return { ...sheet, grid: gridOf(rows), encoding };
}

/** Worksheets with two rows and at least two headings that are known are sheets. */
async function sheetsOfWorkbook(file: string, bytes: Uint8Array): Promise<Sheet[] | RefusedFile> {
  try {
    const worksheets = await readWorkbook(bytes);
    const read = worksheets.map(({ name, rows, uncalculated }) => {
      const sheet = sheetOf({ name: `${file} · ${name}`, file }, rows);
      const known = sheet?.fields.filter((field) => field !== undefined).length ?? 0;
      return { name, known, sheet: sheet && { ...sheet, uncalculated } };
    });
    if (read.every(({ sheet }) => sheet === undefined)) return { file, refusal: "Has no rows." };
    const isTaken = ({ known, sheet }: (typeof read)[number]): boolean =>
      sheet !== undefined && (known >= 2 || read.length === 1);
    const taken = read.filter(isTaken);
    const sheets = taken.flatMap(({ sheet }) => sheet ?? []);
    if (sheets.length === 0)
      return { file, refusal: "Has no worksheet with at least two headings that are known." };
    if (sheets.some(({ grid }) => grid.rows.length > MAX_ROWS)) return { file, refusal: TOO_LARGE };
    const leftOut = read.filter((each) => !isTaken(each)).map(({ name }) => name);
    return sheets.map((sheet, index) => ({
      ...sheet,
      ...(sheets.length === 1 && { name: file }),
      ...(index === 0 && leftOut.length > 0 && { leftOut }),
    }));
  } catch (error) {
    if (!(error instanceof NotAWorkbook || error instanceof RangeError)) throw error;
    const isLarge = error.message === "is too large";
    return { file, refusal: isLarge ? TOO_LARGE : NO_SHEET };
  }
}

function sheetOf(named: { name: string; file: string }, rows: readonly Row[]): Sheet | undefined {
  const grid = gridOf(rows);
  if (grid.rows.length === 0) return undefined;
  return { ...named, grid, ...guessedChoices(named.name, grid) };
}

/** What a sheet is by its name, its headings and what is in its columns. */
export function guessedChoices(name: string, grid: Grid, wanted?: SheetType): Choices {
  const type = wanted ?? guessedType(name, grid);
  const fields = guessedFields(type, grid);
  return { type, fields, constants: {}, words: {}, answers: {} };
}

/** The columns with a field at one of them, which it then is at no other; phones may be several. */
export function withField({ type, fields }: Choices, at: number, field: string | undefined) {
  const isOne = field !== undefined && FIELDS[type][field]?.meaning !== "phone";
  return fields.map((each, index) => {
    if (index === at) return field;
    return isOne && each === field ? undefined : each;
  });
}

/** The rows that sum up the others, which belong to no record. */
export function totalsOf({ type, fields, grid }: Pick<Sheet, "type" | "fields" | "grid">): Row[] {
  const has = (field: string): boolean => fields.includes(field);
  const required = (REQUIRED[type] ?? [[["name"]]]).map(
    (ways) => ways.find((way) => way.every(has)) ?? [],
  );
  const columns = required.flat().map((field) => fields.indexOf(field));
  return totalsIn(grid.rows, columns);
}

/** What a row must have, each in one of some ways. */
const NAME = [[["name"], ["firstName", "lastName"]]];
const CLIENT = [["client"], ["clientNumber"], ["clientLast"]];
const REQUIRED: Partial<Record<SheetType, readonly (readonly string[])[][]>> = {
  patients: NAME,
  staff: NAME,
  caregivers: NAME,
  authorizations: [
    ...[CLIENT, [["authorizationNumber"]], [["serviceLineId"]]],
    ...[[["authorizationDate"]], [["authorizationExpirationDate"]]],
  ],
  appointments: [...[[["date"], ["start"]], [["start"], ["time"]], [["provider"]]], CLIENT],
};

/** How many rows show what is in a column. */
const SHOWING = 50;
/** Seven of ten cells. */
const MOSTLY = 0.7;

/** `10/13/2026`, `13-Oct-26`, `Oct 13, 2026`, also behind the name of a week day. */
const DAY =
  /^(?:[a-z]{3,9}\.?,?\s+){0,2}(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|\d{1,2}[-\s][a-z]{3,9}[-.,\s]|\d{1,2},?\s+\d{4})/i;
const LOOKS: Partial<Record<Meaning, RegExp>> = {
  day: DAY,
  birth: DAY,
  time: /\d:\d\d|\b\d{1,2}\s*[ap]\.?m?\.?$/i,
  email: /^\S+@\S+$/,
  phone: /^[\d\s()+.-]{7,}$/,
  number: /^-?[\d,.]+$/,
};

/** Whether most cells of a column look as those of a meaning do. Midnight behind a day is no time. */
function fits(meaning: Meaning | undefined, { rows }: Grid, column: number): boolean {
  const looks = LOOKS[meaning ?? "text"];
  const cells = rows.slice(0, SHOWING).map((row) => bareDay(row.cells[column]?.trim() ?? ""));
  const filled = cells.filter(Boolean);
  const fitting = filled.filter((cell) => looks?.test(cell));
  return fitting.length > 0 && fitting.length >= MOSTLY * filled.length;
}

/** Entries of which the other columns say nothing without one of these. The credential alone may say the role. */
const ENTRIES: [id: string, needed: string[]][] = [
  ["insurance.", ["payor", "memberId"]],
  ["insurance2.", ["payor", "memberId"]],
  ["certificate.", ["number", "type"]],
];

function guessedFields(type: SheetType, grid: Grid): (string | undefined)[] {
  const meaningOf = (field: string) => FIELDS[type][field]?.meaning;
  const guessed = grid.headings.map((heading, column) => {
    const [first, ...others] = fieldsNamed(type, heading);
    // A last day beside the times is nothing that an appointment has.
    if (first === "end" && !fits("time", grid, column) && fits("day", grid, column))
      return undefined;
    if (first === undefined || others.length === 0) return first;
    return [first, ...others].find((field) => fits(meaningOf(field), grid, column)) ?? first;
  });
  const isAlone = (field = ""): boolean => {
    const [entry, needed] = ENTRIES.find(([id]) => field.startsWith(id)) ?? [];
    return entry !== undefined && !needed?.some((name) => guessed.includes(entry + name));
  };
  const whole = guessed.map((field) => (isAlone(field) ? undefined : field));
  const own = type === "patients" ? ofOneGuardian(whole, grid) : whole;
  // Of two columns, that with such cells, else a member's own number, else that with any. Of several phones, the first
  // with something in the row counts.
  const isTaken = (field: string, column: number): boolean => {
    const columns = own.flatMap((each, at) => (each === field ? [at] : []));
    const fitting = columns.find((at) => fits(meaningOf(field), grid, at));
    const filled = columns.filter((at) => grid.rows.some(({ cells }) => isFilled(cells[at])));
    const ofMember = filled.find(
      (at) => field.endsWith(".memberId") && /member/i.test(grid.headings[at] ?? ""),
    );
    const best = fitting ?? ofMember ?? filled[0] ?? columns[0];
    return meaningOf(field) === "phone" || column === best;
  };
  const taken = own.map((field, column) => (field && isTaken(field, column) ? field : undefined));
  // Whose field another column has may be the other one that its heading names: `RBT`, `Clinician`.
  return taken.map((field, column) => {
    const others = own[column] ? fieldsNamed(type, grid.headings[column] ?? "") : [];
    return field ?? others.find((each) => meaningOf(each) === "name" && !taken.includes(each));
  });
}

/** The fields of columns without those of a second guardian: nobody gets the phone of somebody else. */
function ofOneGuardian(fields: readonly (string | undefined)[], { headings }: Grid) {
  const guardians = headings.map((heading) => guardianOf(heading));
  const named = guardians.filter((_, at) => /^guardian\..*name$/i.test(fields[at] ?? ""));
  const parents = named.filter((each) => each !== "emergency");
  const own = named.includes("parent") ? "parent" : (parents[0] ?? named[0]);
  return fields.map((field, at) => {
    const isOther = own !== undefined && ![undefined, "parent", own].includes(guardians[at]);
    return isOther ? undefined : field;
  });
}

const LISTS: [names: RegExp, type: SheetType][] = [
  [/payor|payer|insurer|insurancecompan|funder/, "payors"],
  [/location|office|clinic/, "locations"],
  [/service|cptcode/, "services"],
  [/nonbillable/, "codes"],
  [/caregiver|guardian|parent/, "caregivers"],
];

const PEOPLE = /client|patient|child|kid|learner|student|staff|employee|team|roster|provider/;
const OF_PEOPLE =
  /^(?:client|provider|firstName|lastName|birthDate|sex|role|email|guardian|userStatus|certificate)|memberId$|clinician/i;

function guessedType(name: string, grid: Grid): SheetType {
  const own = plain(name);
  const headings = grid.headings.filter(isFilled);
  const isWhollyOf = (type: SheetType): boolean =>
    headings.every((heading) => fieldsNamed(type, heading).length > 0);
  const [patients, staff] = [guessedFields("patients", grid), guessedFields("staff", grid)];
  const [calendar, authorizations] = [fieldsOfCalendar(grid), fieldsOfAuthorizations(grid)];
  // Only its name tells a list of places from one of people, if nothing says that it is of people.
  const says = [...patients, ...staff, ...calendar, ...authorizations];
  const isOfPeople = PEOPLE.test(own) || says.some((field = "") => OF_PEOPLE.test(field));
  const isOf = (type: SheetType): boolean => {
    const names = headings.filter((heading) => fieldsNamed(type, heading)[0] === "name");
    return isWhollyOf(type) || (!isOfPeople && names.length === 1);
  };
  const list = LISTS.find(([names, type]) => names.test(own) && isOf(type));
  if (list !== undefined && headings.length > 0) return list[1];
  const scores: [SheetType, (string | undefined)[]][] = [
    ["patients", patients],
    ["appointments", calendar],
    ["authorizations", authorizations],
    ["staff", staff],
  ];
  const scoreOf = (fields: (string | undefined)[]): number => new Set(fields.filter(Boolean)).size;
  const [[best] = ["patients" as const]] = scores.toSorted(
    ([, a], [, b]) => scoreOf(b) - scoreOf(a),
  );
  if (best === "appointments" || best === "authorizations") return best;
  const roles = staff.indexOf("role");
  const words = grid.rows.map(({ cells }) => cells[roles]).filter(isFilled);
  const known = words.filter((word) => valueOfWord("role", word) !== undefined);
  const isOfStaff = staff.some((field = "") => /^certificate\.|^npiNumber$/.test(field));
  if (isOfStaff || (words.length > 0 && known.length * 2 >= words.length)) return "staff";
  if (/client|patient|child|kid|learner|student/.test(own)) return "patients";
  if (/staff|employee|team|rbt|bcba|technician|therapist|provider|clinician/.test(own))
    return "staff";
  const isOfPatients = /^(?:birthDate|guardian\.name|guardian\.firstName)$/;
  if (patients.some((field = "") => isOfPatients.test(field)) || /roster/.test(own))
    return "patients";
  return best;
}

/** The fields of a calendar: a person's name, or a title, with a day and a time; none of another sheet. */
function fieldsOfCalendar(grid: Grid): (string | undefined)[] {
  const fields = guessedFields("appointments", grid);
  const has = (...names: string[]): boolean => names.some((name) => fields.includes(name));
  const [start, date] = [fields.indexOf("start"), fields.indexOf("date")];
  // A start beside a date, which is no day, is meant as a time, however it is written.
  const isTime = start >= 0 && date >= 0 && !fits("day", grid, start);
  const hasTime = isTime || has("time") || [start, date].some((at) => fits("time", grid, at));
  const hasDay = date >= 0 || fits("day", grid, start);
  const isOfSomebody = has(
    ...["client", "clientNumber", "clientLast", "provider", "providerLast", "second", "title"],
  );
  return isOfSomebody && hasTime && hasDay ? fields : [];
}

/** The fields of authorizations: a person's name with a service, and a number or units; none of another sheet. */
function fieldsOfAuthorizations(grid: Grid): (string | undefined)[] {
  const fields = guessedFields("authorizations", grid);
  const has = (...names: string[]): boolean => names.some((name) => fields.includes(name));
  const isOne =
    has("client", "clientNumber", "clientLast") &&
    has("serviceLineId") &&
    has("authorizationNumber", "quantity") &&
    has("authorizationDate", "authorizationExpirationDate");
  return isOne ? fields : [];
}
