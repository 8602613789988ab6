import type { Schema } from "../../db/schema.ts";
import type { ImportStatements, RecordTable } from "./repository.ts";

/**
 * What other records, or a later version of the record itself, need to know of a record: where its row is,
 * and which columns matter.
 */
const kinds = {
  location: table("locations"),
  payor: table("payors"),
  serviceLine: table("service_lines"),
  nonBillableCode: table("non_billable_codes"),
  specialization: table("specializations"),
  intakeStage: table("intake_stages"),
  intakeLabel: table("intake_labels"),
  user: table("users", "role", "created_at"),
  authorizationPool: table("authorization_pools", "patient_id"),
  authorization: table("authorizations", "patient_id", "service_line_id"),
  session: table("sessions", "authorization_id"),
  intakeLead: table("intake_leads", "created_at"),
  treatmentPlan: table("treatment_plans"),
  goal: table("goals", "order_among_siblings", "added_to_treatment_plan_at"),
};

function table<Table extends RecordTable, Column extends keyof Schema[Table] & string = never>(
  name: Table,
  ...columns: Column[]
): { name: Table; columns: Column[] } {
  return { name, columns };
}

export type Kind = keyof typeof kinds;

type TableOf<Some extends Kind> = Schema[(typeof kinds)[Some]["name"]];
type ColumnOf<Some extends Kind> = (typeof kinds)[Some]["columns"][number];

/** The columns of a kind's rows that matter. */
export type Facts<Some extends Kind> = Pick<
  TableOf<Some>,
  Extract<ColumnOf<Some>, keyof TableOf<Some>>
>;

/** Records of a kind that are remembered at once: some megabytes. */
const MEMORY = 50_000;

/** What is in the database, as far as the file has been read: a bounded memory before primary-key queries. */
export class KnownRecords {
  readonly #memory = new Map<Kind, Map<string, unknown>>();
  /** `kind id` of records whose line could not be written. */
  readonly #unwritten = new Set<string>();

  constructor(private readonly statements: ImportStatements) {}

  /** What is known of a record, or undefined if there is none. */
  async find<Some extends Kind>(kind: Some, id: string): Promise<Facts<Some> | undefined> {
    const remembered = this.#memory.get(kind)?.get(id);
    if (remembered !== undefined) return remembered as Facts<Some>;
    const { name, columns } = kinds[kind];
    const found = await this.statements.find(name, columns as never[], id);
    if (found !== undefined) this.remember(kind, id, found as Facts<Some>);
    return found as Facts<Some> | undefined;
  }

  /** Notes what has just been written. */
  remember<Some extends Kind>(kind: Some, id: string, row: Facts<Some>): void {
    const facts: Record<string, unknown> = {};
    for (const column of kinds[kind].columns) facts[column] = row[column as keyof Facts<Some>];
    let memory = this.#memory.get(kind);
    if (memory === undefined) this.#memory.set(kind, (memory = new Map()));
    if (memory.size === MEMORY) memory.clear();
    memory.set(id, facts);
  }

  /** Notes a record that the file holds but that could not be written. */
  addUnwritten(kind: string, id: string): void {
    // Nothing of such a file is kept; a bound only means that some mistakes are reported as several.
    if (this.#unwritten.size < MEMORY) this.#unwritten.add(`${kind} ${id}`);
  }

  /** Whether the record's own line is bad, so that what refers to it is not to blame. */
  isUnwritten(kind: string, id: string): boolean {
    return this.#unwritten.size > 0 && this.#unwritten.has(`${kind} ${id}`);
  }
}
