import type { Log } from "../http/exchange.ts";

/**
 * A log of one JSON line each, where the lines of one turn of the event loop are written together: to write each
 * by itself takes a call of the system, and some 7 µs, for every request. What is left at the end of the process is
 * written then.
 */
export function jsonLog(write: (text: string) => void): Log {
  let lines = "";
  const flush = (): void => {
    const text = lines;
    lines = "";
    if (text !== "") write(text);
  };
  process.on("exit", flush);
  return (line) => {
    if (lines === "") setImmediate(flush);
    lines += `${JSON.stringify(line)}\n`;
  };
}
