import type { Log, LogLine } from "../http/context.ts";

/** Maximum amount of log text buffered for a slow reader, in characters. */
const MAX_UNREAD = 2 ** 20;

/** The message of the log entry with the heads of the audit chains. */
export const AUDIT_HEADS = "audit heads";

/** Writes text to the log, and calls back when it is written. */
export type LogWriter = (text: string, written: () => void) => void;

/** A log for programs: one JSON object per line. */
export function jsonLog(write: LogWriter): Log {
  return batchedLog(write, (line) => `${JSON.stringify(line)}\n`);
}

/** A log for a terminal: one line of text per request. */
export function textLog(write: LogWriter): Log {
  return batchedLog(write, textOf);
}

/**
 * A log entry as text; empty for entries that are not useful on a terminal.
 *
 * @example
 * // 14:03:22 GET /v1/users: 200 OK, 3.2 ms
 */
function textOf({ time, level, message, ...details }: LogLine): string {
  // Heads are only useful in a stored log; on a terminal they would hide the key that was printed before.
  if (message === AUDIT_HEADS) return "";
  const beginning = `${time.slice(11, 19)} ${level === "error" ? "error: " : ""}`;
  if (message === "request") {
    const { method, route, status, milliseconds, issues } = details;
    // Not imported: loading the module takes several milliseconds of every start.
    const { STATUS_CODES } = process.getBuiltinModule("node:http");
    const meaning = STATUS_CODES[Number(status)] ?? "";
    return `${beginning}${method} ${route}: ${status} ${meaning}, ${milliseconds} ms${Array.isArray(issues) ? ` (${issues.join(", ")})` : ""}\n`;
  }
  const more = Object.entries(details).filter(([, value]) => value !== undefined);
  const lines = more.map(([name, value]) => `\n  ${name}: ${[value].flat().join("\n    ")}`);
  return `${beginning}${message}${lines.join("")}\n`;
}

/**
 * A log that writes all entries of a turn of the event loop in one system call. Remaining entries are written when the
 * process exits.
 *
 * If the reader is too slow, entries are dropped and counted, so that memory use is bounded.
 */
function batchedLog(write: LogWriter, textOf: (line: LogLine) => string): Log {
  let lines = "";
  let unread = 0;
  let lost = 0;
  const flush = (): void => {
    const text = lines;
    lines = "";
    if (text === "") return;
    unread += text.length;
    write(text, () => {
      unread -= text.length;
    });
  };
  const add = (line: LogLine): void => {
    if (lines === "") setImmediate(flush);
    lines += textOf(line);
  };
  process.on("exit", flush);
  return (line) => {
    if (unread + lines.length > MAX_UNREAD) {
      lost += 1;
      return;
    }
    if (lost > 0) {
      add({ time: line.time, level: "error", message: "log lines were dropped", lines: lost });
      lost = 0;
    }
    add(line);
  };
}
