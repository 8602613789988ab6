import type { Issue } from "../lib/errors.ts";
import type { RecordType } from "../schema/record-types.ts";
import type { Path, Problem } from "./kinds/problem.ts";

/** The parts of a line that are reliable, to identify its record. */
export interface Subject {
  type?: RecordType | undefined;
  publicId?: string | undefined;
}

interface Mistake extends Problem {
  /** Undefined for a record without a line in the file. */
  line: number | undefined;
  subject: Subject;
}

/** The location of a mistake in the operator's files, and the name of its field there. */
export interface Placed {
  at: string;
  path: Path;
}
export type Place = (line: number, path?: Path) => Placed;

/** The number of invalid lines after which reading stops, and of mistakes reported. */
export const MAX_TOLD = 100;

const MAX_OF_LINE = 50;

/** Limit of reported mistakes with the same message at the same field, on the command line. */
const MAX_REPEATED = 3;

/** The mistakes of a file, up to the reported number. */
export class Mistakes {
  readonly #mistakes: Mistake[] = [];
  readonly #groups = new Map<string, number>();
  /** The numbers of invalid lines, and the names of records that have none. */
  readonly #badLines = new Set<number | string>();
  readonly #toldLines = new Map<number | string, number>();

  /** @param areGrouped whether only the first three mistakes with the same message, field and type are reported. */
  constructor(readonly areGrouped: boolean) {}

  /** A copy to which more mistakes can be added. */
  copy(): Mistakes {
    const copy = new Mistakes(this.areGrouped);
    copy.#mistakes.push(...this.#mistakes);
    for (const [group, count] of this.#groups) copy.#groups.set(group, count);
    for (const line of this.#badLines) copy.#badLines.add(line);
    for (const [line, count] of this.#toldLines) copy.#toldLines.set(line, count);
    return copy;
  }

  /** The number of invalid lines, as far as they were read. */
  get count(): number {
    return this.#badLines.size;
  }

  /** Whether enough invalid lines were found to stop reading. */
  get isFull(): boolean {
    return this.#toldLines.size >= MAX_TOLD;
  }

  /** @param line undefined for a record without a line in the file. */
  add(line: number | undefined, subject: Subject, problem: Problem): void {
    const mistake: Mistake = { ...problem, line, subject };
    const place = line ?? recordName(subject);
    this.#badLines.add(place);
    const group = groupOf(mistake);
    const count = (this.#groups.get(group) ?? 0) + 1;
    this.#groups.set(group, count);
    const ofLine = this.#toldLines.get(place) ?? 0;
    if ((this.areGrouped && count > MAX_REPEATED) || ofLine >= MAX_OF_LINE) return;
    this.#toldLines.set(place, ofLine + 1);
    this.#mistakes.push(mistake);
  }

  /**
   * For the command line: one mistake per line, in the order of the file: `FILE:LINE: type publicId: field: message`.
   * Of repeated mistakes, the first ones and the number of the others.
   *
   * @param place locates lines that come from several files.
   */
  report(file: string, place?: Place): string[] {
    const list = inOrderOfLines(this.#mistakes).map((mistake) => {
      const { line, subject, value, valueDetail = "" } = mistake;
      const inFile = { at: line === undefined ? file : `${file}:${line}`, path: mistake.path };
      const { at, path } = placeOf(mistake, place) ?? inFile;
      const message = [shown(value), messageOf(mistake, place) + valueDetail]
        .filter(Boolean)
        .join(" ");
      return `${at}: ${joined(recordName(subject), fieldName(path), message)}`;
    });
    const repeated = [...this.#groups].flatMap(([group, count]) =>
      count > MAX_REPEATED ? [`${file}: ${count - MAX_REPEATED} more: ${group}`] : [],
    );
    return [...list.slice(0, Math.max(MAX_TOLD - repeated.length, 0)), ...repeated].slice(
      0,
      MAX_TOLD,
    );
  }

  /**
   * For the API: the first mistakes, without values.
   *
   * @param place the columns of mistakes in a spreadsheet.
   */
  issues(place?: Place): Issue[] {
    return inOrderOfLines(this.#mistakes)
      .slice(0, MAX_TOLD)
      .map((mistake) => {
        const { line, subject, reason = "invalid_value" } = mistake;
        const { path } = placeOf(mistake, place) ?? mistake;
        const message = joined(recordName(subject), fieldName(path), messageOf(mistake, place));
        const steps = place === undefined ? path.map(printableStep) : columnIn(path);
        const fullPath = line === undefined ? steps : [line, ...steps];
        return { code: "custom", message, path: fullPath, reason };
      });
  }
}

/** In the order of the file; what has no line in it comes last. */
export function inOrderOfLines<Item extends { line: number | undefined }>(
  items: readonly Item[],
): Item[] {
  const last = Number.POSITIVE_INFINITY;
  return items.toSorted((one, other) => (one.line ?? last) - (other.line ?? last));
}

/** The place of a mistake where lines come from several files, or from a spreadsheet; undefined for others. */
function placeOf({ line, path, column }: Mistake, place?: Place): Placed | undefined {
  if (line === undefined) return undefined;
  return place?.(line, column === undefined ? path : [column]);
}

function messageOf({ message, detail = "", otherLine }: Mistake, place?: Place): string {
  if (otherLine === undefined) return message + detail;
  return `${message}${detail} ${place?.(otherLine).at ?? `line ${otherLine}`}`;
}

/** The group of a mistake: independent of the record's id and of indexes in lists. */
function groupOf({ subject, path, message }: Mistake): string {
  return joined(subject.type ?? "", fieldName(path).replaceAll(/\[\d+\]/g, "[]"), message);
}

function recordName({ type, publicId }: Subject): string {
  return [type, publicId].filter(Boolean).join(" ");
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(": ");
}

/** Formats a path for a message: `["credentials", 0, "expiresAt"]` is `credentials[0].expiresAt`. */
function fieldName(path: Path): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === "number") return `${name}[${step}]`;
    return name === "" ? printable(step) : `${name}.${printable(step)}`;
  }, "");
}

/** Unknown field names come from the file and may contain anything, so only simple ones are shown. */
function printable(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : "?";
}

function printableStep(step: string | number): string | number {
  return typeof step === "number" ? step : printable(step);
}

/** The column of a field, such as `insuredAddress.city`; lists are a cell as a whole. */
function columnIn(path: Path): string[] {
  const names = path.slice(0, path.findIndex((step) => typeof step === "number") >>> 0);
  return names.length === 0 ? [] : [names.join(".")];
}

/** In characters. */
const MAX_SHOWN_LENGTH = 40;

/** The refused value in quotes, shortened; empty for lists, objects and missing values. */
export function shown(value: unknown): string {
  if (value === undefined || value === null || typeof value === "object") return "";
  const text = String(value);
  return text === "" ? "" : `"${shortened(text, MAX_SHOWN_LENGTH)}"`;
}

/** The first characters of a text, of which none is cut in half, and … if there are more. */
export function shortened(text: string, most: number): string {
  const characters = [...text.slice(0, 2 * most + 1)];
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : text;
}
