import type { Database, Db } from "../../db/database.ts";
import { getOrganization } from "../organizations/repository.ts";
import type { OwnedType, RecordType } from "../schema/record-types.ts";
import { kindOf, ownedTypes } from "./kinds.ts";
import { organization } from "./reference-data.ts";
import { findRecordsAfter } from "./repository.ts";

/** Records of a type, in the order of their ids. */
export interface RecordPage {
  type: RecordType;
  records: object[];
}

/** Records that are in memory at once; that of a goal holds all that was recorded on it. */
const RECORDS_PER_PAGE = 1_000;
const GOALS_PER_PAGE = 50;

/** All records of an organization, as an export writes them: types in their order, each by id. `db` is one snapshot. */
export async function* exportedRecords(db: Db, organizationId: string): AsyncGenerator<RecordPage> {
  const own = await getOrganization(db, organizationId);
  yield { type: "organization", records: [organization.present(own)] };
  for (const type of ownedTypes) yield* recordsOf(db, organizationId, type);
}

async function* recordsOf(
  db: Db,
  organizationId: string,
  type: OwnedType,
): AsyncGenerator<RecordPage> {
  const kind = kindOf(type);
  const limit = type === "goal" ? GOALS_PER_PAGE : RECORDS_PER_PAGE;
  for (let after = ""; ;) {
    const found = await findRecordsAfter(db, organizationId, kind, { after, limit });
    if (found.length > 0) yield { type, records: found.map((rows) => kind.present(rows)) };
    if (found.length < limit) return;
    after = String(found.at(-1)?.row.public_id);
  }
}

/**
 * Writes an organization as a practice file, in pieces of whole lines. Every field is there that a record of its kind
 * has, in the order of the schema, so that equal data give equal bytes.
 */
export async function* exportPractice(db: Db, organizationId: string): AsyncGenerator<string> {
  for await (const { records } of exportedRecords(db, organizationId))
    yield records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** How long a reader may take nothing, in milliseconds: its snapshot stays open meanwhile. */
const READER_PATIENCE = 60_000;

/**
 * An organization's practice file as a stream of bytes, of one snapshot, which is closed when the file ends, is no
 * longer wanted, or is not taken for so long that the reader is cut off. What goes wrong before the first piece is
 * thrown; what goes wrong later breaks the stream off.
 */
export async function exportStream(
  database: Database,
  organizationId: string,
  patience = READER_PATIENCE,
): Promise<ReadableStream<Uint8Array>> {
  const snapshot = await database.openSnapshot();
  const pieces = exportPractice(snapshot.db, organizationId);
  const encoder = new TextEncoder();
  let next = await pieces.next().catch(async (error: unknown) => {
    await snapshot.close();
    throw error;
  });
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function waitForReader(controller: ReadableStreamDefaultController): void {
    waiting = setTimeout(() => {
      controller.error(new Error("The practice file was not taken"));
      void snapshot.close();
    }, patience);
  }

  return new ReadableStream<Uint8Array>(
    {
      start: waitForReader,
      async pull(controller) {
        clearTimeout(waiting);
        try {
          if (next.done === true) {
            await snapshot.close();
            return controller.close();
          }
          controller.enqueue(encoder.encode(next.value));
          next = await pieces.next();
        } catch (error) {
          await snapshot.close();
          return controller.error(error);
        }
        waitForReader(controller);
      },
      async cancel() {
        clearTimeout(waiting);
        await snapshot.close();
      },
    },
    { highWaterMark: 0 },
  );
}
