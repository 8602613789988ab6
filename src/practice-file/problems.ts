import type { Issue } from "../lib/errors.ts";
import type { RecordType } from "./model.ts";

/**
 * What is wrong with a line. The message continues the name of the field, or of the record where the field
 * is empty, and never shows a value of the file: only ids may be named.
 */
export interface Problem {
  /** Such as `["credentials", 0, "expiresAt"]`; empty for the record as a whole. */
  path: Path;
  message: string;
  /** The message without what differs from line to line, where anything does. */
  kind?: string;
  /** Another line, with which the message ends. */
  otherLine?: number;
}

/** Where in the operator's files a mistake is, and what its field is called there. */
export interface Placed {
  at: string;
  path: Path;
}
export type Place = (line: number, path?: Path) => Placed;

export type Path = readonly (string | number)[];

/** As much as a line says of itself that can be relied on. */
export interface LineSubject {
  type?: RecordType;
  publicId?: string;
}

/** How many bad lines are reported (practice file). */
export const MAX_BAD_LINES = 100;

/** How many problems of one line are reported. */
const MAX_PROBLEMS = 50;

/** How many mistakes of one kind are reported one by one. */
const MAX_REPEATED = 3;

interface BadLine {
  subject: LineSubject;
  problems: Problem[];
}

/** A mistake that a record can have on many lines. */
interface Kind {
  /** How the report calls it. */
  text: string;
  mistakes: number;
}

/** The bad lines of a file, as many as are reported. */
export class BadLines {
  /** The first of them, and those with a mistake that is not known well yet. */
  readonly #lines = new Map<number, BadLine>();
  readonly #numbers = new Set<number>();
  readonly #kinds = new Map<string, Kind>();
  #telling = 0;

  get count(): number {
    return this.#numbers.size;
  }

  /** Whether there are so many that tell something new that the rest is not looked at. */
  get isFull(): boolean {
    return this.#telling >= MAX_BAD_LINES;
  }

  add(line: number, subject: LineSubject, problems: Problem[]): void {
    const counts = problems.map((problem) => this.#count(subject, problem));
    const isTelling = counts.some((count) => count <= MAX_REPEATED);
    const known = this.#lines.get(line);
    if (known !== undefined) known.problems.push(...problems);
    else if (isTelling || this.count < MAX_BAD_LINES)
      this.#lines.set(line, { subject, problems: [...problems] });
    if (isTelling && !this.#numbers.has(line)) this.#telling += 1;
    this.#numbers.add(line);
  }

  /** Counts a mistake, and says how many of its kind there have been. */
  #count(subject: LineSubject, problem: Problem): number {
    const kind = kindOf(subject, problem);
    const known = this.#kinds.get(kind) ?? { text: kind, mistakes: 0 };
    this.#kinds.set(kind, known);
    return ++known.mistakes;
  }

  /**
   * The report: `FILE:LINE: type publicId: field: message`, by line. Of mistakes that repeat themselves the first are
   * told, and then how many more there are.
   *
   * @param place where lines stand that were not read from one file.
   */
  report(file: string, place?: Place): string[] {
    const told = new Map<string, number>();
    const lines = this.#mistakes(place).flatMap(({ line, at = `${file}:${line}`, kind, text }) => {
      const count = (told.get(kind) ?? 0) + 1;
      told.set(kind, count);
      return count > MAX_REPEATED ? [] : [`${at}: ${text}`];
    });
    const repeated = [...this.#kinds.values()].flatMap(({ text, mistakes }) =>
      mistakes > MAX_REPEATED ? [`${file}: ${mistakes - MAX_REPEATED} more: ${text}`] : [],
    );
    return [...lines, ...repeated];
  }

  /** The same as the issues of a request: the first of all mistakes, one by one. */
  issues(): Issue[] {
    return this.#mistakes()
      .slice(0, MAX_BAD_LINES)
      .map(({ line, path, text }) => ({
        code: "custom",
        message: text,
        path: [line, ...path.map((step) => (typeof step === "number" ? step : printable(step)))],
      }));
  }

  #mistakes(
    place?: Place,
  ): { line: number; at?: string | undefined; path: Path; kind: string; text: string }[] {
    const byNumber = [...this.#lines].sort(([first], [second]) => first - second);
    return byNumber.flatMap(([line, { subject, problems }]) =>
      problems.slice(0, MAX_PROBLEMS).map((problem) => {
        const { at, path } = place?.(line, problem.path) ?? { path: problem.path };
        const record = [subject.type, subject.publicId].filter(Boolean).join(" ");
        const text = joined(record, fieldName(path), messageOf(problem, place));
        return { line, at, path, kind: kindOf(subject, problem), text };
      }),
    );
  }
}

function messageOf({ message, otherLine }: Problem, place?: Place): string {
  if (otherLine === undefined) return message;
  return `${message} ${place === undefined ? `line ${otherLine}` : place(otherLine).at}`;
}

/** The mistake whatever the record is called, and wherever in a list it is. */
function kindOf({ type }: LineSubject, { path, message, kind = message }: Problem): string {
  return joined(type ?? "", fieldName(path).replaceAll(/\[\d+\]/g, "[]"), kind);
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
