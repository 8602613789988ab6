import { createHash } from "node:crypto";
import type { Db, OpenDatabase } from "../../db/database.ts";
import { createTables, migrate, schemaState } from "../../db/migrate.ts";
import { moveHead } from "../audit/repository.ts";
import { verifyChains } from "../audit/verification.ts";
import { CommandError } from "../lib/command-error.ts";
import type { Instant } from "../lib/instant.ts";
import { listOrganizationIds } from "../organizations/repository.ts";
import { exportPractice } from "../practice-file/export.ts";
import { copyRows, rowCounts } from "./repository.ts";

/** The numbers of copied records. */
export interface Copied {
  organizations: number;
  rows: number;
  chains: number;
}

/**
 * Copies a database into an empty one, in one transaction, and verifies the copy before the commit. A target without
 * tables gets them in this transaction, too.
 *
 * @param from the source, which nobody else may change meanwhile.
 * @throws CommandError if the target is not empty, or the copy differs; the target is then as it was before.
 */
export async function copyDatabase(from: Db, target: OpenDatabase, now: Instant): Promise<Copied> {
  const isBare = (await schemaState(target)) === "none";
  if (!isBare) await migrate(target, now);
  return target.changeSchema(async (to) => {
    if (isBare) await createTables(to, now);
    if ((await listOrganizationIds(to)).length > 0)
      throw new CommandError("The target has organizations already; copy into an empty database.");
    const organizations = await listOrganizationIds(from);
    await copyRows(from, to, organizations);
    const rows = await requireSameCounts(from, to);
    const chains = await requireSameChains(from, to);
    for (const organization of organizations) await requireSameExport(from, to, organization);
    return { organizations: organizations.length, rows, chains };
  });
}

async function requireSameCounts(from: Db, to: Db): Promise<number> {
  const [expected, actual] = [await rowCounts(from), await rowCounts(to)];
  for (const [table, count] of expected)
    if (actual.get(table) !== count)
      throw new CommandError(
        `The copy has ${actual.get(table) ?? 0} rows of ${table} instead of ${count}; the copy was removed.`,
      );
  return [...expected.values()].reduce((sum, count) => sum + count, 0);
}

async function requireSameChains(from: Db, to: Db): Promise<number> {
  const expected = await verifyChains(from);
  const faulty = expected.find(({ fault }) => fault !== undefined);
  if (faulty !== undefined)
    throw new CommandError(
      `The audit trail of ${faulty.organizationId || "-"} is not whole (${faulty.fault?.message}); see "caseload audit verify".`,
    );
  // SQLite stores the head with every row, PostgreSQL only once a minute.
  for (const { organizationId, head } of expected) await moveHead(to, organizationId, head);
  const actual = await verifyChains(to);
  if (!Bun.deepEquals(actual, expected))
    throw new CommandError("The audit trail of the copy is different; the copy was removed.");
  return actual.length;
}

async function requireSameExport(from: Db, to: Db, organization: string): Promise<void> {
  if ((await hashOfExport(from, organization)) !== (await hashOfExport(to, organization)))
    throw new CommandError(
      `The copy of ${organization} has a different export; the copy was removed.`,
    );
}

async function hashOfExport(db: Db, organization: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of exportPractice(db, organization)) hash.update(piece);
  return hash.digest("hex");
}
