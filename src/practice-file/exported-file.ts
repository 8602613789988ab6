import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { Db } from "../../db/database.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import {
  exportedRecords,
  type ExportOptions,
  linesOfPage,
  sequenceBeforeDay,
  sequenceOf,
} from "./export.ts";
import { ExportedPatients } from "./exported-patients.ts";

export { sequenceOf } from "./export.ts";

interface ExportRequest extends ExportOptions {
  organizationId: string;
  /** Instead of `after`: only what changed since this day began. */
  since?: CalendarDate | undefined;
  now: Instant;
  isCompressed: boolean;
}

/**
 * Exports an organization from a snapshot, which must be open until the bytes have been collected.
 *
 * @returns the bytes, and, of an export of some types, the patients of its records.
 * @throws the errors of `sequenceOf` and `sequenceBeforeDay`.
 */
export async function exportedFile(
  db: Db,
  { organizationId, since, now, types, isCompressed, ...options }: ExportRequest,
): Promise<{ bytes: AsyncIterable<Uint8Array>; patientIds: ReadonlySet<string> }> {
  const after =
    since === undefined
      ? options.after
      : await sequenceBeforeDay(db, organizationId, { day: since, now });
  await sequenceOf(db, organizationId, after);
  const patients = new ExportedPatients(db, organizationId);
  const pages = exportedRecords(db, organizationId, { ...options, after, types });
  async function* bytes() {
    for await (const page of pages) {
      yield Buffer.from(linesOfPage(page));
      if (types !== undefined) await patients.add(page);
    }
  }
  return { bytes: isCompressed ? gzipped(bytes()) : bytes(), patientIds: patients.patientIds };
}

function gzipped(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip();
  // Errors destroy the stream, and are thrown to its reader.
  pipeline(Readable.from(bytes), gzip, () => {});
  return gzip;
}
