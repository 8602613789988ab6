import { STATUS_CODES } from "node:http";
import type { Log, LogLine } from "../http/context.ts";

/** How much of the log may wait for a reader that does not read, in characters. */
const MOST_UNREAD = 2 ** 20;

/** The message of the line that says where the chains of the audit trail end. */
export const AUDIT_HEADS = "audit heads";

/** Writes a text to the log, and says when it is there. */
export type LogWriter = (text: string, written: () => void) => void;

/** A log for programs: one line of JSON each. */
export function jsonLog(write: LogWriter): Log {
  return batchedLog(write, (line) => `${JSON.stringify(line)}\n`);
}

/** A log for a person at a terminal: one line a request, in words. */
export function textLog(write: LogWriter): Log {
  return batchedLog(write, textOf);
}

/**
 * A line of the log as text; empty for what a person at a terminal has no use for.
 *
 * @example
 * // 14:03:22 GET /v1/users: 200 OK, 3.2 ms
 */
function textOf({ time, level, message, ...details }: LogLine): string {
  // They are for a log that is kept; here they would come between a person and the key.
  if (message === AUDIT_HEADS) return "";
  const beginning = `${time.slice(11, 19)} ${level === "error" ? "error: " : ""}`;
  if (message === "request") {
    const { method, route, status, milliseconds } = details;
    const meaning = STATUS_CODES[Number(status)] ?? "";
    return `${beginning}${method} ${route}: ${status} ${meaning}, ${milliseconds} ms\n`;
  }
  const more = Object.entries(details).filter(([, value]) => value !== undefined);
  const lines = more.map(([name, value]) => `\n  ${name}: ${[value].flat().join("\n    ")}`);
  return `${beginning}${message}${lines.join("")}\n`;
}

/**
 * The lines of one turn of the event loop are written together: to write each by itself takes a call of the system for
 * every request. What is left at the end of the process is written then.
 *
 * Where nobody reads it, lines are lost, and counted, rather than kept in memory without end.
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
    if (unread + lines.length > MOST_UNREAD) {
      lost += 1;
      return;
    }
    if (lost > 0) {
      add({ time: line.time, level: "error", message: "lines of the log were lost", lines: lost });
      lost = 0;
    }
    add(line);
  };
}
