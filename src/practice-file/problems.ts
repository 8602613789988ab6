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
}

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

interface BadLine {
  /** The type and the id, as far as they are known. */
  record: string;
  problems: Problem[];
}

/** The bad lines of a file, as many as are reported. */
export class BadLines {
  readonly #lines = new Map<number, BadLine>();

  get count(): number {
    return this.#lines.size;
  }

  get isFull(): boolean {
    return this.#lines.size >= MAX_BAD_LINES;
  }

  add(line: number, { type, publicId }: LineSubject, problems: Problem[]): void {
    const known = this.#lines.get(line);
    const record = [type, publicId].filter(Boolean).join(" ");
    if (known !== undefined) known.problems.push(...problems);
    else if (!this.isFull) this.#lines.set(line, { record, problems: [...problems] });
  }

  /** The report: `FILE:LINE: type publicId: field: message`, by line. */
  report(file: string): string[] {
    return this.#mistakes().map(({ line, text }) => `${file}:${line}: ${text}`);
  }

  /** The same as the issues of a request, as many of them as are reported. */
  issues(): Issue[] {
    return this.#mistakes()
      .slice(0, MAX_BAD_LINES)
      .map(({ line, path, text }) => ({
        code: "custom",
        message: text,
        path: [line, ...path.map((step) => (typeof step === "number" ? step : printable(step)))],
      }));
  }

  #mistakes(): { line: number; path: Path; text: string }[] {
    const byNumber = [...this.#lines].sort(([first], [second]) => first - second);
    return byNumber.flatMap(([line, { record, problems }]) =>
      problems.slice(0, MAX_PROBLEMS).map(({ path, message }) => {
        const parts = [record, fieldName(path), message];
        return { line, path, text: parts.filter((part) => part !== "").join(": ") };
      }),
    );
  }
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
