import type { Database, Db } from "../../db/database.ts";
import { kinds } from "./kinds.ts";

/**
 * Writes an organization as a practice file, in pieces of whole lines: the types of record in the order of `kinds`, each
 * type by id, fields in the order of their schemas, and nothing for an optional field without a value. So equal data
 * gives equal bytes. `db` is one snapshot.
 */
export async function* exportPractice(db: Db, organizationId: string): AsyncGenerator<string> {
  for (const kind of Object.values(kinds))
    for await (const records of kind.export(db, organizationId))
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
