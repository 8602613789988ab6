/**
 * What spreadsheets do to cells: errors of formulas, shortened numbers, zeros that are gone, letters that were misread.
 * Of each kind what the cell probably was, for the page's import, and what is noted of it, for all imports.
 */

/** What a cell is about, as far as it matters here. */
export interface CellMeaning {
  /** A name of a person, digits that are a text (a phone or record number), a ZIP code, a number, a day. */
  kind:
    | "text"
    | "name"
    | "digits"
    | "phone"
    | "zip"
    | "email"
    | "number"
    | "day"
    | "birth"
    | "time"
    | "word";
  /** Of a ZIP code, the state. */
  state?: string | undefined;
}

export interface Oddity {
  /** What is noted. */
  note: string;
  /** What the cell is, unless somebody chooses otherwise: empty where it stands for nothing. */
  value: string;
  /** What it is otherwise; undefined where there is no choice. */
  otherwise?: { name: string; value: string };
  /** Whether there is nothing to decide or to tell about single cells. */
  isError?: boolean;
}

/** Also as Excel shows them in German, French and Spanish, which is what its CSV has. */
const ERROR =
  /^(?:#(?:N\/A|NV|ERROR|[¡¿]?(?:REF|VALUE|NAME|DIV\/0|NUM|SPILL|CALC|ERROR|BEZUG|WERT|ZAHL|VALEUR|NOM|NUL[LO]?|VALOR|NOMBRE)[!?])|#{3,})$/i;
const NOTHING = /^(?:n\/a|na|none|null|nan|-+|[—–]+|\?+|tbd|unknown)$/i;
const NO_EMAIL =
  /^(?:x+|none|no|noemail|na|n\/a|unknown|test)@(?:x+|none|no|noemail|na|email|example|test)\.(?:x+|com|net|org|none)$/i;
const NO_DAY =
  /^(?:0001-01-01|0?1\/0?1\/(?:0001|1900)|0?1\/0{1,2}\/1900|12\/30\/1899|1900-01-01|1900-01-00|1899-12-3[01]|0000-00-00|00\/00\/0000)(?:[T ].*)?$/;
const FORMULA_TEXT = /^(?:="(.*)"|'(.+))$/s;
/** With a sign or a point, as programs write it: `4E12` may be somebody's number. */
const SHORTENED = /^-?\d(?:\.\d+E[+-]?|E[+-])\d+$/i;
const DECIMAL_ZERO = /^(\d+)\.0+$/;
const DAY_OF_NUMBER =
  /^(?:\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{1,2})$/i;
/** As a workbook has a day, whatever it is shown as. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DECIMAL_COMMA = /^-?\d+,(?!\d{3}$)\d+$/;
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060\ufeff\u00ad]/g;
const OTHER_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const OTHER_HYPHEN = /[\u2010-\u2015\u2212]/g;

/** States whose ZIP codes begin with one zero, and those with two. */
const ONE_ZERO = new Set(["CT", "MA", "ME", "NH", "NJ", "RI", "VT"]);
const TWO_ZEROS = new Set(["PR", "VI"]);
const STATE_NAMES: Record<string, string> = {
  connecticut: "CT",
  massachusetts: "MA",
  maine: "ME",
  newhampshire: "NH",
  newjersey: "NJ",
  rhodeisland: "RI",
  vermont: "VT",
  puertorico: "PR",
  virginislands: "VI",
  usvirginislands: "VI",
};

const DIGITS: ReadonlySet<CellMeaning["kind"]> = new Set(["digits", "phone", "zip"]);
const MAY_BE_A_DAY: ReadonlySet<CellMeaning["kind"]> = new Set([
  ...DIGITS,
  ...(["name", "text", "number", "word"] as const),
]);
const WITH_HYPHENS: ReadonlySet<CellMeaning["kind"]> = new Set([
  ...DIGITS,
  "email",
  "number",
  "time",
  "day",
  "birth",
]);

const KEPT = "Keep it as it is";
const EMPTIED = "Leave it empty";

/**
 * A cell without what nobody sees; white space is plain. In misread letters these characters are parts of others, such as
 * the soft hyphen in `MarÃ\u00ada`.
 */
export function visibleText(cell: string, { kind }: CellMeaning): string {
  if (repairedLetters(cell) !== undefined) return cell.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
  const seen = cell.replaceAll(INVISIBLE, "").replaceAll(OTHER_SPACE, " ").trim();
  return WITH_HYPHENS.has(kind) && !NOTHING.test(seen) ? seen.replaceAll(OTHER_HYPHEN, "-") : seen;
}

export function hasInvisible(cell: string): boolean {
  return cell.search(INVISIBLE) >= 0 && repairedLetters(cell) === undefined;
}

export function isFormulaError(cell: string): boolean {
  return ERROR.test(cell);
}

/** What is odd about a cell that was trimmed; undefined of most. */
export function oddityOf(cell: string, meaning: CellMeaning): Oddity | undefined {
  const { kind } = meaning;
  if (cell === "") return undefined;
  if (isFormulaError(cell)) return { note: "error of a formula", value: "", isError: true };
  const formula = FORMULA_TEXT.exec(cell);
  if (formula !== null && !(kind === "name" && formula[1] === undefined))
    return { note: "formula around a text", value: (formula[1] ?? formula[2] ?? "").trim() };
  if (standsForNothing(cell, kind)) return choiceOf("stands for nothing", "", cell);
  if (SHORTENED.test(cell) && kind !== "number") return choiceOf("shortened number", "", cell);
  const zip = kind === "zip" ? wholeZip(cell, meaning.state) : undefined;
  if (zip !== undefined) return choiceOf("ZIP code that lost its zero", zip, cell);
  const [, digits] = DIGITS.has(kind) ? (DECIMAL_ZERO.exec(cell) ?? []) : [];
  if (digits !== undefined) return choiceOf("number with .0", digits, cell);
  const isDayOfDigits = DAY.test(cell) && (DIGITS.has(kind) || kind === "name");
  if (isDayOfDigits || (DAY_OF_NUMBER.test(cell) && MAY_BE_A_DAY.has(kind)))
    return choiceOf("may have been turned into a day", cell, "");
  const repaired = repairedLetters(cell);
  if (repaired !== undefined) return choiceOf("wrong letters", repaired, cell);
  if (cell.includes("\ufffd") || (kind === "name" && /\?\p{L}|\p{L}\?\p{L}/u.test(cell)))
    return { note: "lost letters", value: cell };
  return undefined;
}

function choiceOf(note: string, value: string, other: string): Oddity {
  const name = other === "" ? EMPTIED : KEPT;
  return { note, value, otherwise: { name, value: other } };
}

function standsForNothing(cell: string, kind: CellMeaning["kind"]): boolean {
  if (kind === "name" && /^na$/i.test(cell)) return false;
  if (NOTHING.test(cell)) return true;
  if (kind === "email") return NO_EMAIL.test(cell);
  return (kind === "day" || kind === "birth") && NO_DAY.test(cell);
}

/** A ZIP code with the zeros that a number does not have; undefined where none are missing, or nobody knows. */
function wholeZip(cell: string, state = ""): string | undefined {
  const digits = DECIMAL_ZERO.exec(cell)?.[1] ?? cell;
  const letters = state
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
  const code = STATE_NAMES[letters] ?? letters.toUpperCase();
  const [zip = "", rest] = digits.split("-");
  if (!/^\d+$/.test(zip) || (rest !== undefined && !/^\d{4}$/.test(rest))) return undefined;
  const behind = rest === undefined ? "" : `-${rest}`;
  if (zip.length === 4 && ONE_ZERO.has(code)) return `0${zip}${behind}`;
  if (zip.length === 3 && TWO_ZEROS.has(code)) return `00${zip}${behind}`;
  if (rest !== undefined) return undefined;
  // Nine digits, of which the first were zeros.
  if (zip.length === 8 || (zip.length === 7 && TWO_ZEROS.has(code))) {
    const whole = zip.padStart(9, "0");
    return `${whole.slice(0, 5)}-${whole.slice(5)}`;
  }
  return undefined;
}

/** The bytes of Windows-1252 from 0x80 to 0x9f; what is undefined there stays as it is. */
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** What UTF-8 was before somebody read it as Windows-1252: `José` for `JosÃ©`; undefined for all else. */
export function repairedLetters(cell: string): string | undefined {
  if (!/[\u0080-\u{10ffff}]/u.test(cell)) return undefined;
  const bytes: number[] = [];
  for (const character of cell) {
    const code = character.codePointAt(0) ?? 0;
    const high = WINDOWS.indexOf(character);
    if (high >= 0) bytes.push(0x80 + high);
    else if (code < 0x100) bytes.push(code);
    else return undefined;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(bytes));
  } catch {
    return undefined;
  }
}

/** A number with a decimal comma as one with a point; undefined for others. */
export function withDecimalPoint(cell: string): string | undefined {
  return DECIMAL_COMMA.test(cell) ? cell.replace(",", ".") : undefined;
}
