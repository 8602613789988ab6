import type { Issue } from "../lib/errors.ts";
import type { RecordType } from "../schema/record-types.ts";

export type Path = readonly (string | number)[];

/** What is wrong with a line. The message never shows a value of the file; only ids may be named in `detail`. */
export interface Problem {
  /** Such as `["credentials", 0, "expiresAt"]`; empty for the line as a whole. */
  path: Path;
  /** It continues the field's name, or the refused value: `is no status: CONFIRMED, …`. */
  message: string;
  /** The end of the message, which differs from line to line: mistakes are grouped without it. */
  detail?: string;
  /** Another line, with which the message ends. */
  otherLine?: number;
  /** What is refused, which the command line shows. */
  value?: unknown;
}

/** As much as a line says of itself that can be relied on. */
export interface Subject {
  type?: RecordType;
  publicId?: string;
}

export interface Mistake extends Problem, Subject {
  /** Undefined for a record that no line of the file is about. */
  line: number | undefined;
}

/** Where in the operator's files a mistake is, and what its field is called there. */
export interface Placed {
  at: string;
  path: Path;
}
export type Place = (line: number, path?: Path) => Placed;

/** How many bad lines end the reading, and how many mistakes are told. */
export const MAX_TOLD = 100;

/** How many mistakes of one line are told. */
const MAX_OF_LINE = 50;

/** How many mistakes with the same message at the same field are told on the command line. */
const MAX_REPEATED = 3;

/** The mistakes of a file, as many as are told. */
export class Mistakes {
  readonly #told: Mistake[] = [];
  readonly #groups = new Map<string, number>();
  readonly #badLines = new Set<number | undefined>();
  readonly #toldLines = new Map<number | undefined, number>();

  /** @param areGrouped whether of each message at the same field of the same type only the first three are told. */
  constructor(readonly areGrouped: boolean) {}

  /** The same mistakes, to which others can be added. */
  copy(): Mistakes {
    const copy = new Mistakes(this.areGrouped);
    copy.#told.push(...this.#told);
    for (const [group, count] of this.#groups) copy.#groups.set(group, count);
    for (const line of this.#badLines) copy.#badLines.add(line);
    for (const [line, count] of this.#toldLines) copy.#toldLines.set(line, count);
    return copy;
  }

  /** How many lines are bad, as far as they were read. */
  get count(): number {
    return this.#badLines.size;
  }

  /** Whether so many lines are told of that the rest is not looked at. */
  get isFull(): boolean {
    return this.#toldLines.size >= MAX_TOLD;
  }

  add(mistake: Mistake): void {
    const { line } = mistake;
    this.#badLines.add(line);
    const group = groupOf(mistake);
    const count = (this.#groups.get(group) ?? 0) + 1;
    this.#groups.set(group, count);
    const ofLine = this.#toldLines.get(line) ?? 0;
    if ((this.areGrouped && count > MAX_REPEATED) || ofLine >= MAX_OF_LINE) return;
    this.#toldLines.set(line, ofLine + 1);
    this.#told.push(mistake);
  }

  /**
   * For the command line, a line each, in the order of the file: `FILE:LINE: type publicId: field: message`. Of
   * mistakes that are repeated the first are told, and then how many more there are.
   *
   * @param place where lines are that were not read from one file.
   */
  report(file: string, place?: Place): string[] {
    const told = this.#inOrder().map((mistake) => {
      const { line, path, value } = mistake;
      const { at, path: fields } =
        line === undefined
          ? { at: file, path }
          : (place?.(line, path) ?? { at: `${file}:${line}`, path });
      const message = [shown(value), messageOf(mistake, place)].filter(Boolean).join(" ");
      return `${at}: ${joined(recordName(mistake), fieldName(fields), message)}`;
    });
    const repeated = [...this.#groups].flatMap(([group, count]) =>
      count > MAX_REPEATED ? [`${file}: ${count - MAX_REPEATED} more: ${group}`] : [],
    );
    return [...told.slice(0, Math.max(MAX_TOLD - repeated.length, 0)), ...repeated].slice(
      0,
      MAX_TOLD,
    );
  }

  /** For a request: the first mistakes one by one, without the values. */
  issues(): Issue[] {
    return this.#inOrder()
      .slice(0, MAX_TOLD)
      .map((mistake) => {
        const { line, path } = mistake;
        const steps = path.map((step) => (typeof step === "number" ? step : printable(step)));
        return {
          code: "custom",
          message: joined(recordName(mistake), fieldName(path), messageOf(mistake)),
          path: line === undefined ? steps : [line, ...steps],
        };
      });
  }

  #inOrder(): Mistake[] {
    const last = Number.POSITIVE_INFINITY;
    return this.#told.toSorted((one, other) => (one.line ?? last) - (other.line ?? last));
  }
}

function messageOf({ message, detail = "", otherLine }: Mistake, place?: Place): string {
  if (otherLine === undefined) return message + detail;
  return `${message}${detail} ${place?.(otherLine).at ?? `line ${otherLine}`}`;
}

/** How mistakes are grouped: whatever the record is called, and wherever in a list the mistake is. */
function groupOf({ type, path, message }: Mistake): string {
  return joined(type ?? "", fieldName(path).replaceAll(/\[\d+\]/g, "[]"), message);
}

function recordName({ type, publicId }: Subject): string {
  return [type, publicId].filter(Boolean).join(" ");
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(": ");
}

/** How a path reads in a message: `["credentials", 0, "expiresAt"]` is `credentials[0].expiresAt`. */
function fieldName(path: Path): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === "number") return `${name}[${step}]`;
    return name === "" ? printable(step) : `${name}.${printable(step)}`;
  }, "");
}

/** A name of a field that the file made up may hold anything. */
function printable(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : "?";
}

/** In characters. */
const LONGEST_SHOWN = 40;

/** A refused value in quotes, and not much of it; nothing for a list, an object, or where there is nothing. */
function shown(value: unknown): string {
  if (value === undefined || value === null || typeof value === "object") return "";
  const text = String(value);
  if (text === "") return "";
  const characters = [...text.slice(0, 2 * LONGEST_SHOWN + 1)];
  const isLong = characters.length > LONGEST_SHOWN;
  return `"${isLong ? `${characters.slice(0, LONGEST_SHOWN).join("")}…` : text}"`;
}
