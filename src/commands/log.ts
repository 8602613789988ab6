import type { Log } from "../http/exchange.ts";

/** How much of the log may wait for a reader that does not read, in characters. */
const MOST_UNREAD = 2 ** 20;

/** Writes a text to the log, and says when it is there. */
export type LogWriter = (text: string, written: () => void) => void;

/**
 * A log of one JSON line each, where the lines of one turn of the event loop are written together: to write each
 * by itself takes a call of the system for every request. What is left at the end of the process is
 * written then.
 *
 * Where nobody reads it, lines are lost, and counted, rather than kept in memory without end.
 */
export function jsonLog(write: LogWriter): Log {
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
  const add = (line: object): void => {
    if (lines === "") setImmediate(flush);
    lines += `${JSON.stringify(line)}\n`;
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
