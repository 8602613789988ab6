import type { Role } from "../callers/roles.ts";
import { remembered } from "../lib/remembered.ts";
import type { OwnedType } from "../schema/record-types.ts";
import { kindOf } from "./model.ts";
import type { Problem } from "./kinds/problem.ts";
import type { Row } from "./kinds/record-kind.ts";
import type { Fields, RecordLine } from "./read-record.ts";
import { columnOf, factsOf, namedBy, type Reference, type Use } from "./kinds/references.ts";
import { findColumns } from "./repository.ts";
import { isBad, refuse, type ImportState } from "./import-state.ts";

/** Looks up and checks the records that records of a file refer to. */

/** Looks up the `factsOf` records that a record refers to. */
export type RowLookup = (type: OwnedType, id: string | null | undefined) => Row | undefined;

/** Where records are looked up, what of them is known, and the patients that they name. */
type Lookup = Pick<ImportState, "trx" | "organizationId" | "facts" | "patientIds">;

/** Reads what other records need to know about some records. */
export async function findFacts(
  { trx, organizationId }: Lookup,
  type: OwnedType,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  return findColumns(trx, organizationId, {
    table: kindOf(type).table,
    columns: factsOf(type),
    ids,
  });
}

/** Looks up the records that are referred to, with one statement per type. */
export async function lookUp(state: Lookup, uses: readonly Use[]): Promise<RowLookup> {
  const { facts } = state;
  for (const [type, ofType] of Map.groupBy(uses, ({ reference }) => reference.names)) {
    const rows = remembered(facts, type, () => new Map());
    const ids = new Set(ofType.map(({ id }) => id)).difference(rows);
    for (const [id, row] of await findFacts(state, type, [...ids])) rows.set(id, row);
  }
  return (type, id) => (id == null ? undefined : facts.get(type)?.get(id));
}

/**
 * Checks that the records to which a record refers exist, and have a suitable role. If the line of one of them has a
 * mistake, the record cannot be written, but has no mistake itself.
 */
export function checkReferences(
  state: ImportState,
  entry: RecordLine,
  uses: readonly Use[],
  rowOf: RowLookup,
): void {
  for (const { reference, id, path } of uses) {
    if (isBad(state, reference.names, id)) {
      state.refusedLines.add(entry);
      continue;
    }
    const mistake = mistakeOf(reference, id, rowOf);
    if (mistake !== undefined) refuse(state, entry, { path, ...mistake, value: id });
  }
}

function mistakeOf(
  { names, roles }: Reference,
  id: string,
  rowOf: RowLookup,
): Pick<Problem, "message" | "reason"> | undefined {
  const row = rowOf(names, id);
  if (row === undefined)
    return { message: `is no ${names} of the file or the database`, reason: "unknown_record" };
  const role = row.role as Role | undefined;
  if (roles === undefined || role === undefined || roles.includes(role)) return undefined;
  const message = `has the role ${role}, and must have ${roles.join(" or ")}`;
  return { message, reason: "does_not_fit" };
}

/** Checks that a record agrees with those that it refers to. */
export function checkAgreements(
  state: ImportState,
  { entry, record, uses }: { entry: RecordLine; record: Fields; uses: readonly Use[] },
  rowOf: RowLookup,
): void {
  for (const { reference, id } of uses) {
    const { names, agreement } = reference;
    if (agreement === undefined) continue;
    const row = rowOf(names, id);
    for (const { own, other, isOptional = false, at, message } of agreement.fields)
      if (
        record[own] !== row?.[columnOf(names, other) as string] &&
        !(isOptional && record[own] === undefined)
      )
        refuse(state, entry, { path: [at], message, value: record[at], reason: "does_not_fit" });
  }
}

/** Remembers the patients of stored records, for the audit trail. */
export async function notePatientsOf(
  state: Lookup,
  type: OwnedType,
  records: readonly Fields[],
): Promise<void> {
  const uses = records.map((record) => namedBy(type, record));
  const rowOf = await lookUp(state, uses.flat());
  for (const [index, record] of records.entries())
    notePatients(state, record, uses[index] ?? [], rowOf);
}

/** Remembers the patients of a record, for the audit trail. */
export function notePatients(
  { patientIds }: Lookup,
  record: Fields,
  uses: readonly Use[],
  rowOf: RowLookup,
): void {
  if (record.role === "PATIENT") patientIds.add(String(record.publicId));
  for (const { reference, id } of uses) {
    if (reference.roles?.includes("PATIENT")) patientIds.add(id);
    const patient = rowOf(reference.names, id)?.patient_id;
    if (typeof patient === "string") patientIds.add(patient);
  }
}
