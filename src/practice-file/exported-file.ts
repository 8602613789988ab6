import { pipeline, Readable } from "node:stream";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { createGzip } from "node:zlib";
import type { Database } from "../../db/database.ts";
import { type BufferedBody, bufferBody } from "../buffered-body.ts";
import { exportPractice, sequenceOf } from "./export.ts";

interface ExportRequest {
  organizationId: string;
  /** The sequence of the copy to be updated. Default: export everything. */
  after: number | undefined;
  isCompressed: boolean;
  /** Called between pages. If it throws, the export stops. */
  pause(): void;
}

/**
 * Exports an organization from one snapshot. The file is complete, and the snapshot closed, before anything is sent: an
 * open snapshot prevents the database from cleaning up, and a slow client could keep it open for long.
 *
 * @returns the file, and the sequence up to which it goes.
 * @throws the errors of `sequenceOf`.
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
    // Lets other requests run between pages.
    await endOfTurn();
    pause();
  }
}

function gzipped(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip();
  // Errors destroy the stream, and are thrown to its reader.
  pipeline(Readable.from(bytes), gzip, () => {});
  return gzip;
}
