import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { Database } from "../../db/database.ts";
import { type Reader, readableBy } from "../access/own-patients.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import { type BufferedBody, bufferBody } from "../buffered-body.ts";
import type { Instant } from "../lib/instant.ts";
import { nextPiece } from "../lib/turns.ts";
import {
  exportedRecords,
  type ExportOptions,
  linesOfPage,
  sequenceBeforeDay,
  sequenceOf,
} from "./export.ts";
import { ExportedPatients } from "./exported-patients.ts";

interface ExportRequest extends ExportOptions {
  reader: Reader;
  /** Instead of `after`: only what changed since this day began. */
  since?: CalendarDate | undefined;
  now: Instant;
  isCompressed: boolean;
  /** Called between pages. If it throws, the export stops. */
  pause(): void;
}

/**
 * Exports an organization from one snapshot. The file is complete, and the snapshot closed, before anything is sent: an
 * open snapshot prevents the database from cleaning up, and a slow client could keep it open for long.
 *
 * @returns the file, the sequence up to which it goes, and, of an export of some types, the patients of its records.
 * @throws the errors of `sequenceOf` and `sequenceBeforeDay`.
 */
export async function exportedFile(
  database: Database,
  { reader, since, now, types, isCompressed, pause, ...options }: ExportRequest,
): Promise<{ sequence: number; body: BufferedBody; patientIds: ReadonlySet<string> }> {
  const { organizationId } = reader;
  const snapshot = await database.openSnapshot();
  try {
    const db = await readableBy(reader, snapshot.db, now);
    const after =
      since === undefined
        ? options.after
        : await sequenceBeforeDay(db, organizationId, { day: since, now });
    const sequence = await sequenceOf(db, organizationId, after);
    const patients = new ExportedPatients(db, organizationId);
    const pages = exportedRecords(db, organizationId, { ...options, after, types });
    async function* bytes() {
      for await (const page of pages) {
        yield Buffer.from(linesOfPage(page));
        await nextPiece();
        if (types !== undefined) await patients.add(page);
        pause();
      }
    }
    const body = await bufferBody(isCompressed ? gzipped(bytes()) : bytes());
    return { sequence, body, patientIds: patients.patientIds };
  } finally {
    await snapshot.close();
  }
}

function gzipped(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip();
  // Errors destroy the stream, and are thrown to its reader.
  pipeline(Readable.from(bytes), gzip, () => {});
  return gzip;
}
