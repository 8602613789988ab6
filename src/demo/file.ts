import type { DemoOptions } from "./clinic.ts";
import { demoPractice } from "./practice.ts";

/** In characters. A piece a record would take half as long again to write a large practice. */
const PIECE = 64 * 1024;

/** The demo practice as the text of a practice file, one record a line, in pieces of many lines. */
export function* demoFile(options: DemoOptions): Generator<string> {
  let piece = "";
  for (const record of demoPractice(options)) {
    piece += `${JSON.stringify(record)}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}
