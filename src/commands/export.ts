import { resolve } from "node:path";
import { Command } from "@commander-js/extra-typings";
import type { Db } from "../../db/database.ts";
import { ALL_PATIENTS, namedPatients, type PatientIds } from "../audit/chain.ts";
import { CommandError } from "../lib/command-error.ts";
import { InvalidInput } from "../lib/errors.ts";
import { requireOrganization } from "../organizations/repository.ts";
import { exportCsv, fillFolder } from "../practice-file/csv/write.ts";
import {
  exportedRecords,
  type ExportOptions,
  exportPractice,
  sequenceOf,
} from "../practice-file/export.ts";
import { ExportedPatients } from "../practice-file/exported-patients.ts";
import { recordTypesArgument, sequenceArgument } from "./arguments.ts";
import type { CommandContext, DatabaseContext } from "./context.ts";
import { onDatabase } from "./database.ts";
import { rethrowAsCommandError } from "./errors.ts";
import { countOf } from "./output.ts";
import { record } from "./recording.ts";
import { writePieces } from "./standard-output.ts";

export function command(context: CommandContext) {
  return new Command("export")
    .argument("<organization>")
    .description("write an organization as a practice file to standard output")
    .option(
      "--after <number>",
      "only what changed after this sequence of an earlier export",
      sequenceArgument,
    )
    .option(
      "--types <types>",
      "only records of these types (separated by commas), besides the organization",
      recordTypesArgument,
    )
    .option("--csv <folder>", "as CSV files in a new or empty folder")
    .action(onDatabase(context, exportCommand));
}

/**
 * Exports an organization as a practice file, or as CSV into a new folder: everything, or the changes after a sequence.
 * The export is from one snapshot, whose sequence is printed at the end. The audit row is written before the first
 * line.
 *
 * @throws CommandError for an unknown organization, a folder that is not empty, or one that cannot be written.
 * @throws the errors of `sequenceOf`.
 */
export async function exportCommand(
  context: DatabaseContext & Pick<CommandContext, "stdout">,
  organizationId: string,
  { csv: folder, ...options }: ExportOptions & { csv?: string } = {},
): Promise<void> {
  const { database, stdout, output } = context;
  await database.read((db) => requireOrganization(db, organizationId));
  /** Exports from one snapshot, after the audit row. Returns the snapshot's sequence. */
  const exported = async (work: (db: Db) => Promise<unknown>): Promise<number> => {
    // The reader of standard output may be slow.
    const snapshot = await database.openSnapshot();
    try {
      await record(context, {
        organizationId,
        command: "export",
        patientIds:
          options.types === undefined
            ? ALL_PATIENTS
            : await patientsOf(snapshot.db, organizationId, options),
        target: folder === undefined ? undefined : resolve(folder),
      });
      const sequence = await sequenceOf(snapshot.db, organizationId, options.after).catch(
        rethrowExportError,
      );
      await work(snapshot.db);
      return sequence;
    } finally {
      await snapshot.close();
    }
  };
  if (folder === undefined) {
    let isRead = false;
    const sequence = await exported(async (db) => {
      isRead = await writePieces(exportPractice(db, organizationId, options), stdout);
    });
    // Who has not read all of it must not continue from there.
    if (isRead) output.message(`Sequence ${sequence}`);
    return;
  }
  let sequence = 0;
  const { emptied, trimmed, files } = await fillFolder(folder, async (writer) => {
    sequence = await exported((db) => exportCsv(db, organizationId, { writer, ...options }));
  });
  output.message(`Wrote ${organizationId} into ${folder}, ${countOf(files, "file")}.`);
  const ofEmptied =
    emptied === 1
      ? "1 empty text or object in a nullable field became an empty cell"
      : `${emptied} empty texts or objects in nullable fields became empty cells`;
  if (emptied > 0) output.message(`Note: ${ofEmptied}, which an import reads as null.`);
  const ofTrimmed = trimmed === 1 ? "1 text begins or ends" : `${trimmed} texts begin or end`;
  if (trimmed > 0)
    output.message(`Note: ${ofTrimmed} with white space, which an import removes from cells.`);
  output.message(`Sequence ${sequence}`);
}

/** The patients whose records an export of some types has, for its audit row. */
async function patientsOf(
  db: Db,
  organizationId: string,
  options: ExportOptions,
): Promise<PatientIds> {
  const patients = new ExportedPatients(db, organizationId);
  for await (const page of exportedRecords(db, organizationId, options)) await patients.add(page);
  return namedPatients(patients.patientIds);
}

/** Messages for errors of `sequenceOf` on the command line. */
function rethrowExportError(error: unknown): never {
  if (error instanceof InvalidInput)
    throw new CommandError(
      "--after is greater than the sequence of the last write; give the sequence that an export of this database printed.",
    );
  return rethrowAsCommandError(error);
}
