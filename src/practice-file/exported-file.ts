import { pipeline, Readable } from "node:stream";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { createGzip } from "node:zlib";
import type { Database } from "../../db/database.ts";
import { type BufferedBody, bufferBody } from "./buffered-body.ts";
import { exportPractice, sequenceOf } from "./export.ts";

export { sequenceOf } from "./export.ts";

interface ExportRequest {
  organizationId: string;
  /** The sequence of the copy that is brought up to date; everything unless given. */
  after: number | undefined;
  isCompressed: boolean;
  /** Is called between pages; what it throws ends the export. */
  pause(): void;
}

/**
 * Makes an organization's practice file of one snapshot. The snapshot is closed when the file is whole, and before
 * anything is sent: an open one keeps the database from cleaning up, for as long as a slow client reads.
 *
 * @returns the file, and the sequence up to which it goes.
 * @throws as `sequenceOf`.
 */
export async function exportedFile(
  database: Database,
  { organizationId, after, isCompressed, pause }: ExportRequest,
): Promise<{ sequence: number; body: BufferedBody }> {
  const snapshot = await database.openSnapshot();
  try {
    const sequence = await sequenceOf(snapshot.db, organizationId, after);
    const bytes = bytesOf(exportPractice(snapshot.db, organizationId, after), pause);
    return { sequence, body: await bufferBody(isCompressed ? gzipped(bytes) : bytes) };
  } finally {
    await snapshot.close();
  }
}

async function* bytesOf(pieces: AsyncIterable<string>, pause: () => void) {
  for await (const piece of pieces) {
    yield Buffer.from(piece);
    // Other requests have their turn between pages.
    await endOfTurn();
    pause();
  }
}

function gzipped(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip();
  // What goes wrong with the bytes destroys the stream, and is thrown to whoever reads it.
  pipeline(Readable.from(bytes), gzip, () => {});
  return gzip;
}
