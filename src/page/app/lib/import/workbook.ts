import { remembered } from "../../../../lib/remembered.ts";

/** The worksheets of a workbook (.xlsx) as texts: days and times by themselves, numbers with the zeros of their formats. */

interface Worksheet {
  name: string;
  /** With their numbers; cells that are not there are empty. */
  rows: { number: number; cells: string[] }[];
  /** The rows of formulas of which the file has no value, since no spreadsheet has calculated it yet. */
  uncalculated: number[];
}

/** In bytes, of all parts together. */
const MOST_INFLATED = 200 * 1024 * 1024;

/** A file is no workbook, or one that cannot be read; said to whoever chose it. */
export class NotAWorkbook extends Error {}

/**
 * The visible worksheets of a workbook.
 *
 * @throws NotAWorkbook for other files.
 */
export async function readWorkbook(bytes: Uint8Array): Promise<Worksheet[]> {
  const archive = new Archive(bytes);
  const parts = await relationsOf(archive, "");
  const document = parts.find(({ type }) => type.endsWith("/officeDocument"));
  const path = document?.path ?? "xl/workbook.xml";
  const book = await archive.text(path);
  const sheets = elements(book, "sheet");
  if (sheets.length === 0) throw new NotAWorkbook("has no worksheet");
  const targets = await relationsOf(archive, path);
  const pathOf = (kind: string): string =>
    targets.find(({ type }) => type.endsWith(`/${kind}`))?.path ?? "";
  const texts = elements(await archive.text(pathOf("sharedStrings")), "si");
  const shared = texts.map(({ body }) => textIn(body));
  const formats = formatsIn(await archive.text(pathOf("styles")));
  const daysSince1904 = /date1904="(?:1|true)"/.test(book) ? 1462 : 0;
  const read: Worksheet[] = [];
  for (const { at } of sheets) {
    if (/hidden/i.test(at("state"))) continue;
    const own = at("id");
    const part = await archive.text(targets.find(({ id }) => id === own)?.path ?? "");
    read.push({ name: at("name"), ...rowsIn(part, { shared, formats, daysSince1904 }) });
  }
  return read;
}

interface Styles {
  shared: readonly string[];
  /** The code of each style of cells. */
  formats: readonly string[];
  daysSince1904: number;
}

function rowsIn(part: string, styles: Styles): Pick<Worksheet, "rows" | "uncalculated"> {
  const rows: Worksheet["rows"] = [];
  const uncalculated: number[] = [];
  for (const row of elements(part, "row")) {
    const number = Number(row.at("r")) || (rows.at(-1)?.number ?? 0) + 1;
    const cells: string[] = [];
    let at = -1;
    for (const cell of elements(row.body, "c")) {
      at = columnOf(cell.at("r")) ?? at + 1;
      const text = cellText(cell, styles);
      if (text === undefined) uncalculated.push(number);
      // Rows may have empty cells as far as a spreadsheet goes, only for their colors.
      if (text) cells[at] = text;
    }
    rows.push({ number, cells: Array.from(cells, (text) => text ?? "") });
  }
  return { rows, uncalculated };
}

/** The text of a cell; undefined for a formula without a value. */
function cellText(cell: Element, { shared, formats, daysSince1904 }: Styles): string | undefined {
  const type = cell.at("t");
  if (type === "inlineStr") return textIn(cell.body);
  const value = unescaped(elements(cell.body, "v")[0]?.body ?? "");
  if (value === "") return elements(cell.body, "f").length > 0 && type !== "str" ? undefined : "";
  if (type === "s") return shared[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "Yes" : "No";
  if (type === "d") return isoText(value);
  const number = Number(value);
  if (type === "str" || type === "e" || value.trim() === "" || Number.isNaN(number)) return value;
  return numberText(number, formats[Number(cell.at("s") || 0)] ?? "General", daysSince1904);
}

const MINUTE = /:00(?:\.\d+)?Z?$/;

function isoText(value: string): string {
  const [day = "", time = ""] = value.split("T");
  const clock = time.replace(MINUTE, "");
  return clock === "" || clock === "00:00" ? day : `${day} ${clock}`;
}

const SECONDS_OF_DAY = 86_400;
/** Days are counted as if 1900 had a February 29. */
const MARCH_1900 = 60;

/** A number as its format says: a day, a time, both, or digits with zeros in front. */
function numberText(value: number, format: string, daysSince1904: number): string {
  const [first = ""] = format.split(";");
  const isElapsed = /\[[hms]+\]/i.test(first);
  const plain = first.replaceAll(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, "");
  const isDay = /[dy]|mmm/i.test(plain);
  if (!isDay && !isElapsed && !/[hs]/i.test(plain)) return digitsOf(value, plain);
  const seconds = Math.round(value * SECONDS_OF_DAY);
  if (isElapsed) return clockText(seconds);
  // A time beyond midnight is one of the next day, which no cell says.
  if (isDay ? value > 0 && value < 1 : value < 2) return clockText(seconds % SECONDS_OF_DAY);
  const days = Math.floor(seconds / SECONDS_OF_DAY) + daysSince1904;
  if (days === 0) return "1/0/1900";
  const epoch = Date.UTC(1899, 11, days < MARCH_1900 ? 31 : 30);
  const moment = new Date(epoch + (days * SECONDS_OF_DAY + (seconds % SECONDS_OF_DAY)) * 1000);
  if (Number.isNaN(moment.getTime())) return String(value);
  const day = moment.toISOString().slice(0, 10);
  const clock = clockText(seconds % SECONDS_OF_DAY);
  return seconds % SECONDS_OF_DAY === 0 ? day : `${day} ${clock}`;
}

function clockText(seconds: number): string {
  const two = (part: number): string => String(Math.floor(part)).padStart(2, "0");
  const rest = seconds % 60 === 0 ? "" : `:${two(seconds % 60)}`;
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}${rest}`;
}

function digitsOf(value: number, format: string): string {
  const text = String(value);
  const zeros = /^0[0\s()./-]+$/.test(format) ? format.replaceAll(/[^0]/g, "").length : 0;
  return /^\d+$/.test(text) ? text.padStart(zeros, "0") : text;
}

/** The formats that files do not spell out. */
function builtInFormat(id: number): string {
  if (id === 22) return "m/d/yyyy h:mm";
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return id === 46 ? "[h]:mm:ss" : "h:mm";
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return "m/d/yyyy";
  return "General";
}

function formatsIn(styles: string): string[] {
  // Not those of conditions, which may have other formats under the same numbers.
  const [formats] = elements(styles, "numFmts");
  const own = elements(formats?.body ?? "", "numFmt").map(
    ({ at }) => [at("numFmtId"), at("formatCode")] as const,
  );
  const codes = new Map(own);
  const [cells] = elements(styles, "cellXfs");
  return elements(cells?.body ?? "", "xf").map(({ at }) => {
    const id = at("numFmtId");
    return codes.get(id) ?? builtInFormat(Number(id));
  });
}

interface Element {
  at: (name: string) => string;
  body: string;
}

/**
 * The elements with a name, which must not nest. Programs write the parts of a workbook, so no parser is needed; and the
 * browser's may not be used, since Trusted Types forbid it.
 */
function elements(xml: string, name: string): Element[] {
  const expression = new RegExp(
    `<(?:[\\w-]+:)?${name}((?:\\s[^>]*?)?)(?:/>|>([\\s\\S]*?)</(?:[\\w-]+:)?${name}\\s*>)`,
    "g",
  );
  return Array.from(xml.matchAll(expression), ([, attributes = "", body = ""]) => ({
    body,
    at: (wanted: string) => {
      const found = attributeNamed(wanted).exec(attributes);
      return unescaped(found?.[1] ?? found?.[2] ?? "");
    },
  }));
}

const attributes = new Map<string, RegExp>();

/** An attribute, whatever prefix it has. */
function attributeNamed(name: string): RegExp {
  return remembered(
    attributes,
    name,
    () => new RegExp(`\\s(?:[\\w-]+:)?${name}=(?:"([^"]*)"|'([^']*)')`),
  );
}

/** The text of a shared or inline string, which may be in runs; how it is read aloud is none of it. */
function textIn(xml: string): string {
  const written = xml.replaceAll(/<(?:[\w-]+:)?rPh[\s>][\s\S]*?<\/(?:[\w-]+:)?rPh>/g, "");
  return elements(written, "t")
    .map(({ body }) => unescaped(body))
    .join("");
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescaped(text: string): string {
  if (!/[&_]/.test(text)) return text;
  return text
    .replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
      const code = hex ? parseInt(hex, 16) : Number(decimal);
      if (name !== undefined) return ENTITIES[name] ?? whole;
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replaceAll(/_x([\dA-F]{4})_/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

/** The index of a column from `AB12`; undefined where a cell does not say it. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** To another part, whose path is relative to the part's own or begins with a slash. */
interface Relation {
  id: string;
  type: string;
  path: string;
}

async function relationsOf(archive: Archive, path: string): Promise<Relation[]> {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const part = await archive.text(`${folder}_rels/${path.slice(folder.length)}.rels`);
  return elements(part, "Relationship").map(({ at }) => {
    const target = at("Target");
    const whole = target.startsWith("/") ? target.slice(1) : folder + target;
    const own = whole.replaceAll(/[^/]+\/\.\.\/|\.\//g, "");
    return { id: at("Id"), type: at("Type"), path: own };
  });
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
/** The extra field of 64 bits, and what stands for a number that is there. */
const LARGE = 1;
const IS_LARGE = 0xffff_ffff;

/** The files of a ZIP archive. */
class Archive {
  readonly #view: DataView;
  /** Where the directory tells of each file, by path in lower case: some programs write `xl/SharedStrings.xml`. */
  readonly #entries = new Map<string, number>();
  #inflated = 0;

  /** @throws NotAWorkbook if it is none. */
  constructor(private readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let end = bytes.length - 22;
    while (end >= 0 && this.#view.getUint32(end, true) !== END) end -= 1;
    if (end < 0) throw new NotAWorkbook("is no archive");
    let at = this.#view.getUint32(end + 16, true);
    for (let count = this.#view.getUint16(end + 10, true); count > 0; count -= 1) {
      if (at + 46 > bytes.length || this.#view.getUint32(at, true) !== ENTRY)
        throw new NotAWorkbook("is cut off");
      const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((offset) =>
        this.#view.getUint16(at + offset, true),
      );
      const path = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name));
      this.#entries.set(path.replaceAll("\\", "/").toLowerCase(), at);
      at += 46 + name + extra + comment;
    }
  }

  /** The text of a file; empty if it is not there. */
  async text(path: string): Promise<string> {
    const entry = this.#entries.get(path.toLowerCase());
    if (entry === undefined) return "";
    const method = this.#view.getUint16(entry + 10, true);
    const [packed, start] = this.#placeOf(entry);
    if (start + 30 > this.bytes.length) throw new NotAWorkbook("is cut off");
    const names = this.#view.getUint16(start + 26, true) + this.#view.getUint16(start + 28, true);
    const data = this.bytes.subarray(start + 30 + names, start + 30 + names + packed);
    return method === 0 ? new TextDecoder().decode(data) : this.#inflate(data);
  }

  /** The packed size and the place of a file. Programs that write as they go have them as 64 bits, even if they are small. */
  #placeOf(entry: number): [packed: number, start: number] {
    const number = (at: number): number => this.#view.getUint32(at, true);
    let at = entry + 46 + this.#view.getUint16(entry + 28, true);
    const end = at + this.#view.getUint16(entry + 30, true);
    while (at < end && this.#view.getUint16(at, true) !== LARGE)
      at += 4 + this.#view.getUint16(at + 2, true);
    at += 4;
    // There are only those that the entry does not have, in this order; those of a workbook have few bits.
    const [, packed = 0, start = 0] = [24, 20, 42].map((place) => {
      if (number(entry + place) !== IS_LARGE || at + 8 > end) return number(entry + place);
      at += 8;
      return number(at - 8);
    });
    return [packed, start];
  }

  /** @throws NotAWorkbook if it is broken, or more than a workbook of an office has. */
  async #inflate(data: Uint8Array): Promise<string> {
    const inflating = new DecompressionStream("deflate-raw");
    const parts = new Blob([data as Uint8Array<ArrayBuffer>])
      .stream()
      .pipeThrough(inflating)
      .getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { value, done } = await parts.read().catch(() => {
        throw new NotAWorkbook("is broken");
      });
      if (done) return text + decoder.decode();
      this.#inflated += value.byteLength;
      if (this.#inflated > MOST_INFLATED) {
        await parts.cancel().catch(() => {});
        throw new NotAWorkbook("is too large");
      }
      text += decoder.decode(value, { stream: true });
    }
  }
}
