import type { Db } from "../../db/database.ts";
import type { Instant } from "../lib/instant.ts";
import { type Facts, type Kind, KnownRecords } from "./known-records.ts";
import { Rechecks } from "./rechecks.ts";
import { ImportStatements, makeOrganization } from "./repository.ts";

/** What the import of each record works with. */
export interface ImportContext {
  organizationId: string;
  /** Where the organization's own record stands. */
  organizationLine: number;
  now: Instant;
  /** The database had nothing of this organization, so no record has an earlier version. */
  isNewOrganization: boolean;
  statements: ImportStatements;
  known: KnownRecords;
  rechecks: Rechecks;
}

/** Begins an import into an organization, which is made if need be, so that others can refer to it. */
export async function openImport(
  trx: Db,
  organizationId: string,
  organizationLine: number,
  now: Instant,
): Promise<ImportContext> {
  const statements = new ImportStatements(trx, organizationId);
  return {
    organizationId,
    organizationLine,
    now,
    isNewOrganization: await makeOrganization(trx, organizationId, now),
    statements,
    known: new KnownRecords(statements),
    rechecks: new Rechecks(),
  };
}

/** What the database knew of a record before this file. */
export async function earlierVersion<Some extends Kind>(
  { isNewOrganization, known }: ImportContext,
  kind: Some,
  id: string,
): Promise<Facts<Some> | undefined> {
  return isNewOrganization ? undefined : known.find(kind, id);
}
