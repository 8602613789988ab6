import type { Db } from "../../db/database.ts";
import { MAX_PATIENTS } from "../audit/chain.ts";
import type { RecordPage } from "./export.ts";
import { notePatientsOf } from "./named-records.ts";
import type { Fields } from "./read-record.ts";

/** The patients of exported records, for the audit trail: somewhat more than `MAX_PATIENTS`, if there are more. */
export class ExportedPatients {
  readonly patientIds = new Set<string>();

  constructor(
    readonly trx: Db,
    readonly organizationId: string,
  ) {}

  /** Adds the patients of a page. Deletions name none. */
  async add({ type, records }: RecordPage): Promise<void> {
    if (type === "organization" || this.patientIds.size > MAX_PATIENTS) return;
    await notePatientsOf({ ...this, facts: new Map() }, type, records as Fields[]);
  }
}
