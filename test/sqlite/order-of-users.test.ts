import { expect, test } from "bun:test";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { copyDatabase } from "../../src/copy/copy.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newDatabase, NOW } from "../support/harness.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";

/**
 * SQLite scans all users for each user that is referred to before it exists. Users who are referred
 * to are therefore written first.
 */

const ORGANIZATION = { type: "organization", publicId: "org_maple", name: "Maple" };
const people = [
  { publicId: "usr_1_patient", role: "PATIENT", caregiverId: "usr_4_mother" },
  { publicId: "usr_2_patient", role: "PATIENT", primaryClinicianId: "usr_3_bcba" },
  { publicId: "usr_3_bcba", role: "CLINICIAN" },
  { publicId: "usr_4_mother", role: "CAREGIVER" },
].map((user) => ({ type: "user", firstName: "Ana", lastName: "Ruiz", ...user }));

async function idsInOrderOfWriting(database: Database): Promise<string[]> {
  const { rows } = await database.read((db) =>
    sql<{ public_id: string }>`select public_id from users order by rowid`.execute(db),
  );
  return rows.map(({ public_id }) => public_id);
}

test("an import and a copy write users before the users who refer to them", async () => {
  const database = await newDatabase();
  await mustImport(database, [ORGANIZATION, ...people]);
  const patients = ["usr_1_patient", "usr_2_patient"];
  expect((await idsInOrderOfWriting(database)).slice(2)).toEqual(patients);
  const target = await newDatabase();
  await database.read((from) => copyDatabase(from, target, NOW as Instant));
  expect((await idsInOrderOfWriting(target)).slice(2)).toEqual(patients);
});
