import { Database as SqliteFile } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { connectFile } from "../../db/sqlite/connect.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import { temporaryFolder } from "../support/harness.ts";
import { runRounds } from "../programs/durability/killing.ts";
import { newPracticeFile } from "../programs/durability/practice.ts";
import { inconsistenciesIn } from "../programs/durability/stored.ts";

/** A short run of rounds.ts. */

test("no acknowledged write is lost or half stored when servers are killed", async () => {
  const practice = await newPracticeFile(join(temporaryFolder(), "caseload.db"));
  const { attempts, acknowledged, unanswered } = await runRounds(practice, 3, 300);
  expect(acknowledged).toBeGreaterThanOrEqual(300);
  expect(unanswered).toBeGreaterThan(0);
  expect(inconsistenciesIn(practice, attempts)).toEqual([]);

  const database = connectFile(practice.path, "existing");
  const chains = await database.read((db) => verifyChains(db));
  await database.close();
  expect(chains.map(({ organizationId, fault }) => [organizationId, fault])).toEqual([
    ["", undefined],
    [practice.organization, undefined],
  ]);

  // Deleting any of these rows must be detected.
  for (const [table, column, condition] of [
    ["users", "public_id", "role = 'CAREGIVER'"],
    ["intake_leads", "public_id", "true"],
    ["intake_lead_labels", "lead_id", "true"],
    ["user_locations", "user_id", "true"],
    ["provider_specializations", "user_id", "true"],
    ["idempotent_responses", "idempotency_key", "true"],
    ["audit_entries", "request_id", "method = 'POST' and request_id not like '%-again'"],
  ]) {
    const path = `${practice.path}.${table}`;
    copyFileSync(practice.path, path);
    const file = new SqliteFile(path);
    const row = `select ${column} from ${table} where ${condition} limit 1`;
    file.run(`delete from ${table} where ${column} = (${row})`);
    file.close();
    expect([table, inconsistenciesIn({ ...practice, path }, attempts).length > 0]).toEqual([
      table,
      true,
    ]);
  }
}, 60_000);
