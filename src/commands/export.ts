import type { Writable } from "node:stream";
import type { Database } from "../../db/database.ts";
import { organizationExists } from "../access/repository.ts";
import { ALL_PATIENTS } from "../audit/chain.ts";
import { recordCommand } from "../audit/recording.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { Refused } from "../lib/refused.ts";
import { exportPractice } from "../practice-file/export.ts";
import { writePieces } from "./standard-output.ts";

/**
 * Writes an organization as a practice file: one state of the data, whatever is written meanwhile. The row of
 * the audit trail is there before the first line leaves.
 *
 * @throws Refused when there is no such organization.
 */
export async function exportCommand(
  {
    database,
    clock,
    operator,
    stdout,
  }: { database: Database; clock: Clock; operator: string; stdout: Writable },
  organizationId: string,
): Promise<void> {
  const time = toInstant(clock.now());
  await database.write(
    async (trx) => {
      if (!(await organizationExists(trx, organizationId)))
        throw new Refused(
          `There is no organization ${organizationId}; "caseload organizations list" shows them.`,
        );
      await recordCommand(trx, {
        organizationId,
        command: "export",
        operator,
        time,
        patientIds: ALL_PATIENTS,
      });
    },
    { organizationId },
  );
  await database.read((db) => writePieces(exportPractice(db, organizationId), stdout));
}
