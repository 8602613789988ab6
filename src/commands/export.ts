import { resolve } from "node:path";
import type { Writable } from "node:stream";
import type { Database } from "../../db/database.ts";
import { organizationExists } from "../access/repository.ts";
import { ALL_PATIENTS } from "../audit/chain.ts";
import { recordCommand } from "../audit/recording.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { noSuchOrganization } from "../lib/refused.ts";
import { exportCsv, fillFolder } from "../practice-file/csv-write.ts";
import { exportPractice } from "../practice-file/export.ts";
import type { Output } from "./output.ts";
import { writePieces } from "./standard-output.ts";

/**
 * Writes an organization as a practice file, or as CSV into a new folder: one state of the data, whatever is written
 * meanwhile. The row of the audit trail is there before the first line leaves.
 *
 * @throws Refused when there is no such organization, something in the folder, or no way to write it.
 */
export async function exportCommand(
  {
    database,
    clock,
    operator,
    stdout,
    output,
  }: { database: Database; clock: Clock; operator: string; stdout: Writable; output?: Output },
  organizationId: string,
  { csv: folder }: { csv?: string } = {},
): Promise<void> {
  const time = toInstant(clock.now());
  const record = () =>
    database.write(
      async (trx) => {
        if (!(await organizationExists(trx, organizationId)))
          throw noSuchOrganization(organizationId);
        await recordCommand(trx, {
          organizationId,
          command: "export",
          operator,
          time,
          patientIds: ALL_PATIENTS,
          ...(folder !== undefined && { target: resolve(folder) }),
        });
      },
      { organizationId, isTrailOnly: true },
    );
  if (folder === undefined) {
    await record();
    return database.read((db) => writePieces(exportPractice(db, organizationId), stdout));
  }
  const { emptied, files } = await fillFolder(folder, async (writer) => {
    await record();
    await database.read((db) => exportCsv(db, organizationId, writer));
  });
  output?.words(`Wrote ${organizationId} into ${folder}, ${files} files.`);
  if (emptied > 0)
    output?.words(
      `Note: ${emptied} empty texts or objects, in fields that may be null, became empty cells, which an import takes for null.`,
    );
}
