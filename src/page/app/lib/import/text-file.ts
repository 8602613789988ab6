/** Sheets that are text files: their letters, and the cells between their delimiters. */

/** A row with its number in a spreadsheet. */
export interface Row {
  number: number;
  cells: string[];
}

interface TextTable {
  rows: Row[];
  /** The row with a quotation mark that is never closed; what is behind it cannot be told apart. */
  unclosed?: number;
  delimiter: string;
}

/** Encodings of files that tell theirs by no mark, and can be taken for one another. */
export const UNMARKED = ["Windows-1252", "Mac OS Roman"] as const;

export type Encoding = (typeof UNMARKED)[number] | "UTF-8" | "UTF-16";

interface DecodedText {
  text: string;
  encoding: Encoding;
}

/**
 * The text of a file. A byte order mark tells its encoding; else UTF-16 has zeros in every second byte, and what is valid
 * UTF-8 is nothing else. Of the others it is the one in which more of what stands beside letters are letters.
 *
 * @param wanted what somebody has chosen instead of the guess.
 */
export function decodedText(bytes: Uint8Array, wanted?: Encoding): DecodedText {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return utf16(bytes.subarray(2), "utf-16le");
  if (first === 0xfe && second === 0xff) return utf16(bytes.subarray(2), "utf-16be");
  const zeros = zerosAt(bytes);
  if (zeros !== undefined) return utf16(bytes, zeros === 1 ? "utf-16le" : "utf-16be");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, encoding: "UTF-8" };
  } catch {
    const texts = [decoded(bytes, "windows-1252"), decoded(bytes, "macintosh")] as const;
    const isMac =
      wanted === undefined ? lettersIn(texts[1]) > lettersIn(texts[0]) : wanted === UNMARKED[1];
    return isMac
      ? { text: texts[1], encoding: UNMARKED[1] }
      : { text: texts[0], encoding: UNMARKED[0] };
  }
}

function decoded(bytes: Uint8Array, label: string): string {
  // Browsers know all labels of the standard.
  return new TextDecoder(label as "utf-8").decode(bytes);
}

function utf16(bytes: Uint8Array, label: string): DecodedText {
  return { text: decoded(bytes, label), encoding: "UTF-16" };
}

const FIRST_KILOBYTE = 1024;

/** The side of each pair of bytes that is mostly 0 in the beginning, if the other never is: no other text has zeros. */
function zerosAt(bytes: Uint8Array): 0 | 1 | undefined {
  const beginning = bytes.subarray(0, FIRST_KILOBYTE);
  const countOf = (side: number): number =>
    beginning.filter((byte, index) => index % 2 === side && byte === 0).length;
  const sides = [countOf(0), countOf(1)] as const;
  const most = sides[1] > sides[0] ? 1 : 0;
  return sides[1 - most] === 0 && sides[most] * 4 > beginning.length ? most : undefined;
}

const LETTER = /\p{L}/u;

/** How many characters beyond ASCII that stand beside a letter are letters; one upper-case behind a lower-case is none. */
function lettersIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) < 0x80) continue;
    const [before = "", own = "", behind = ""] = [text[at - 1], text[at], text[at + 1]];
    if (!LETTER.test(own) || !(LETTER.test(before) || LETTER.test(behind))) continue;
    if (!(/\p{Ll}/u.test(before) && /\p{Lu}/u.test(own))) count += 1;
  }
  return count;
}

const DELIMITERS = [",", ";", "\t", "|"];

/** How many rows decide about the delimiter. */
const DECIDING = 1000;

/** The rows of a text, of a file or pasted. A first line such as `sep=;` says the delimiter. */
export function tableOfText(text: string): TextTable {
  const said = /^"?sep=([,;\t|])"?(?:\r\n|\r|\n)/i.exec(text);
  if (said !== null) {
    const [line, delimiter = ","] = said;
    const { rows, unclosed } = parsed(text.slice(line.length), delimiter);
    const moved = rows.map(({ number, cells }) => ({ number: number + 1, cells }));
    return { rows: moved, delimiter, ...(unclosed !== undefined && { unclosed: unclosed + 1 }) };
  }
  const scores = DELIMITERS.map((delimiter) => {
    const { rows, unclosed } = parsed(text, delimiter, DECIDING);
    const sizes = Map.groupBy(rows, ({ cells }) => cells.length);
    sizes.delete(1);
    const most = Math.max(0, ...[...sizes.values()].map(({ length }) => length));
    const cells = Math.max(0, ...sizes.keys());
    return { delimiter, most: unclosed === undefined ? most : Math.min(most, 1), cells };
  });
  // Of two with as many rows, that with more cells: a comma may be in every name.
  const [best] = scores.sort((a, b) => b.most - a.most || b.cells - a.cells);
  return parsed(text, best?.delimiter ?? ",");
}

/** @param most how many rows are read. */
function parsed(text: string, delimiter: string, most = Infinity): TextTable {
  const rows: Row[] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRow = (): void => {
    cells.push(cell);
    rows.push({ number: rows.length + 1, cells });
    cells = [];
    cell = "";
  };
  for (let at = 0; at < text.length && rows.length < most; at += 1) {
    const character = text[at] as string;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] !== '"') isQuoted = false;
      else {
        cell += '"';
        at += 1;
      }
    } else if (character === '"' && cell.trim() === "") {
      cell = "";
      isQuoted = true;
    } else if (character === delimiter) {
      cells.push(cell);
      cell = "";
    } else if (character === "\n" || character === "\r") {
      if (character === "\r" && text[at + 1] === "\n") at += 1;
      endRow();
    } else cell += character;
  }
  if (rows.length < most && (cell !== "" || cells.length > 0 || isQuoted)) endRow();
  return { rows, delimiter, ...(isQuoted && { unclosed: rows.length }) };
}
