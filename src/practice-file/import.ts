import type { Db } from "../../db/database.ts";
import { findingsBefore } from "../checks/difference.ts";
import type { FindingChanges } from "../checks/model.ts";
import { invalid } from "../lib/errors.ts";
import { parseTimeZone, UTC } from "../lib/time-zone.ts";
import type { RecordType } from "../schema/record-types.ts";
import { deleteRecords } from "./deletions.ts";
import { inOrderOfLines } from "./mistakes.ts";
import { kindOf, ownedTypes } from "./model.ts";
import { notesOn } from "./notes/notes.ts";
import type { PracticeFile } from "./read-file.ts";
import type { Fields } from "./read-record.ts";
import { lookedAt } from "./looked-at.ts";
import { lostNotes } from "./recorded-data.ts";
import { noteRules } from "../organizations/zone-rules-repository.ts";
import { organization } from "./kinds/reference-data.ts";
import { readableBy } from "../callers/own-patients.ts";
import { countRecords, writeOrganization } from "./repository.ts";
import { forbidden, maySendAll, requireReach } from "./rights.ts";
import { requireUnchanged } from "./unchanged-since.ts";
import { checkWhole } from "./whole-checks.ts";
import { writeGoals } from "./write-goals.ts";
import { writeRecords } from "./write-records.ts";
import { writeUsers } from "./write-users.ts";
import {
  beginImport,
  noteWritten,
  InvalidFile,
  isRefused,
  noteChange,
  ownSequence,
  type RecordChange,
  resultingRecord,
  type Tally,
  tallyOf,
  type WriteFileOptions,
  type ImportState,
} from "./import-state.ts";

export interface Written {
  organizationId: string;
  counts: ReadonlyMap<RecordType, number>;
  tallies: ReadonlyMap<RecordType, Tally>;
  /** What was done with each record, in the order of the file, if that was to be listed. */
  changes: RecordChange[] | undefined;
  notes: string[];
  /** What the file changes in the findings, if that was to be compared. */
  findings: FindingChanges | undefined;
  /** The organization's sequence before and afterwards. */
  sequenceBefore: number;
  sequence: number;
  patientIds: ReadonlySet<string>;
}

/** The maximum number of records in a list of changes. */
const MAX_CHANGES = 500;

/**
 * What an import did, for programs: the response of the API, and of the command with --json.
 *
 * @param rowOf the row of a line in a spreadsheet.
 */
export function responseOf(
  { organizationId, counts, tallies, changes, notes, sequence, findings }: Written,
  { dryRun, rowOf = (line) => line }: { dryRun: boolean; rowOf?: (line: number) => number },
) {
  return {
    organizationId,
    dryRun,
    sequence: dryRun ? null : sequence,
    counts: Object.fromEntries([...tallies.keys()].map((type) => [type, counts.get(type) ?? 0])),
    changes: Object.fromEntries(tallies),
    notes,
    ...(changes && {
      records: changes.slice(0, MAX_CHANGES).map(({ line, ...change }) => ({
        line: line === undefined ? null : rowOf(line),
        ...change,
      })),
      recordsTotal: changes.length,
    }),
    ...(findings && { findings }),
  };
}

/** Rolls back a dry run. */
export class DryRun extends Error {
  constructor(readonly written: Written) {
    super("The import was a dry run");
  }
}

/**
 * Writes a practice file in a long transaction. Other writers of the organization wait for it.
 *
 * Types are written in the order of their references, so that records come after those they refer to. Deletions come
 * last, in reverse order, and then what can only be checked on the whole.
 *
 * @throws InvalidFile with all mistakes, including those found when the file was read.
 * @throws DomainError if the sender may not send a line.
 * @throws the errors of `requireUnchanged`.
 * @throws DryRun at the end of a dry run.
 */
export async function writePracticeFile(
  trx: Db,
  file: PracticeFile,
  options: WriteFileOptions,
): Promise<Written> {
  const state = await beginImport(trx, file, options);
  await writeOwnLine(state);
  await requireRights(state);
  const { unchangedSince } = options;
  const { mistakes } = state;
  // Mistakes in the form of lines are told first.
  if (unchangedSince !== undefined && mistakes.count === 0)
    await requireUnchanged(state, unchangedSince);
  noteWritten(state, 1);
  const findingsAfter = options.comparesFindings ? await lookAtFindings(state) : undefined;
  for (const type of ownedTypes) {
    state.facts.clear();
    const entries = [...(file.records.get(type)?.values() ?? [])];
    if (type === "user") await writeUsers(state, entries);
    else if (type === "goal") await writeGoals(state, entries);
    else await writeRecords(state, type, entries);
  }
  await deleteRecords(state);
  await checkWhole(state);
  if (mistakes.count > 0) throw new InvalidFile(mistakes);
  await countMissing(state);
  const { now, source } = options;
  const { tallies, deactivated } = state;
  const compared = await findingsAfter?.();
  const patientIds = new Set([...state.patientIds, ...(compared?.patientIds ?? [])]);
  const sequenceBefore = state.organization?.sequence ?? 0;
  const written: Written = {
    organizationId: file.organizationId,
    counts: file.counts,
    tallies,
    changes: options.listsChanges === true ? inOrderOfLines(state.changes) : undefined,
    notes: [
      ...(source?.notes ?? []),
      ...(await notesOn(trx, file, { now, deactivated })),
      ...lostNotes(state),
    ],
    findings: compared?.findings,
    sequenceBefore,
    sequence: state.sequence ?? sequenceBefore,
    patientIds,
  };
  if (options.dryRun === true) throw new DryRun(written);
  await state.rows.analyze();
  return written;
}

/** The maximum number of records that a file may change whose findings are compared. */
const MAX_COMPARED = 500;

/**
 * Looks at the findings before the lines are written, as the sender may see them.
 *
 * @returns looks again behind them. Throws InvalidInput if they have changed too many records.
 */
async function lookAtFindings({ trx, file, organizationId, tallies, options }: ImportState) {
  const { sender, now } = options;
  const db = () => (sender === undefined ? trx : readableBy(sender, trx, now));
  const { people, days } = await lookedAt(trx, file, now);
  const after =
    days && (await findingsBefore(await db(), { organizationId, now, people, window: days }));
  return async () => {
    const changed = [...tallies.values()].map(
      (tally) => tally.created + tally.changed + tally.deleted,
    );
    if (changed.reduce((sum, count) => sum + count, 0) > MAX_COMPARED)
      throw invalid(["findings"], `Compares at most ${MAX_COMPARED} changed records`);
    return after === undefined ? NO_CHANGES : after(await db());
  };
}

const NO_CHANGES: Awaited<ReturnType<Awaited<ReturnType<typeof findingsBefore>>>> = {
  findings: { brought: [], mended: [], totals: { brought: 0, mended: 0 } },
  patientIds: [],
};

async function writeOwnLine(state: ImportState): Promise<void> {
  const { file, organization: stored, options } = state;
  const before = stored && (organization.present(stored) as Fields);
  const result = resultingRecord(state, file.organization, before);
  const record = isRefused(state, file.organization) ? undefined : result;
  const after = record && organization.present(organization.columns(record));
  const tally = tallyOf(state, "organization");
  if (after && Bun.deepEquals(after, before)) {
    tally.unchanged += 1;
    return;
  }
  if (options.sender !== undefined && !maySendAll(options.sender))
    throw forbidden(file.organization);
  if (record === undefined || after === undefined) {
    // A new organization needs a row, so that its records can be checked for further mistakes.
    if (stored === undefined) await writeOwnRow(state, { name: "?" });
    return;
  }
  tally[stored === undefined ? "created" : "changed"] += 1;
  noteChange(state, file.organization, before, () => after);
  await writeOwnRow(state, record);
  await ownSequence(state);
}

/** Checks the lines whose records the sender may send only in part. */
async function requireRights({
  trx,
  file,
  organization: stored,
  options,
}: ImportState): Promise<void> {
  const { sender, now } = options;
  if (sender === undefined) return;
  const zone = parseTimeZone(stored?.time_zone ?? "") ?? UTC;
  await requireReach(trx, file, sender, { now, zone });
}

async function writeOwnRow(
  { trx, organizationId, organization: stored, options }: ImportState,
  record: Fields,
) {
  const row = organization.columns({ ...record, publicId: organizationId });
  await writeOrganization(trx, row, options.now);
  if (row.time_zone !== (stored?.time_zone ?? null))
    await noteRules(trx, organizationId, row.time_zone);
}

async function countMissing(state: ImportState): Promise<void> {
  const { trx, file, organizationId, tallies, options } = state;
  const { sender, now } = options;
  // How many others there are is nothing that a caller who sees own patients only is told.
  const db = sender === undefined ? trx : await readableBy(sender, trx, now);
  for (const [type, tally] of tallies) {
    if (type === "organization") continue;
    const stored = await countRecords(db, organizationId, kindOf(type).table);
    tally.missing = stored - (file.records.get(type)?.size ?? 0);
  }
}
