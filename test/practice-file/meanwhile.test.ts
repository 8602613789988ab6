import { describe, expect, test } from "bun:test";
import type { Database } from "../../db/database.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { importPractice } from "../../src/practice-file/import-command.ts";
import { linesOf } from "../../src/practice-file/lines.ts";
import { newUser } from "../support/factories.ts";
import { NOW } from "../support/harness.ts";
import {
  authorization,
  clinician,
  databaseOfFullPractice,
  fullPractice,
  organization,
  patient,
  pool,
  pooledAuthorization,
} from "../support/practice-file/full-practice.ts";
import {
  exportText,
  type Fields,
  fileOf,
  importFile,
  mustImport,
} from "../support/practice-file/practice-file.ts";

/**
 * Others read and write while a file is read. It is checked against the state at the time when it
 * is written.
 */

/** Imports a file and does something else when a part of it has been read. */
async function importWhile(
  database: Database,
  records: Fields[],
  meanwhile: () => Promise<unknown>,
): Promise<{ report: string[] } | "imported"> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const lines = Array.from({ length: 1_200 }, (_, index) => ({
      type: "location",
      publicId: `loc_meanwhile_${index}`,
      name: "Clinic",
    }));
    yield new TextEncoder().encode(fileOf([organization, ...lines]));
    await meanwhile();
    yield new TextEncoder().encode(fileOf(records));
  }
  const options = { now: NOW as Instant, operator: "test" };
  const outcome = await importPractice(database, linesOf(chunks()), options);
  return "mistakes" in outcome ? { report: outcome.mistakes.report("f") } : "imported";
}

describe("while a file is read", () => {
  test("others read and write", async () => {
    const database = await databaseOfFullPractice();
    const changed = { ...patient, city: "Springfield" };
    const outcome = await importWhile(database, [changed], async () => {
      await newUser(database, "org_maple", { public_id: "usr_meanwhile" });
      expect(await exportText(database, "org_maple")).not.toContain("loc_meanwhile");
    });
    expect(outcome).toBe("imported");
    const exported = await exportText(database, "org_maple");
    for (const text of ["usr_meanwhile", "loc_meanwhile_1199", "Springfield"])
      expect(exported).toContain(text);
  });

  test("another import may change a record that this one changes afterwards", async () => {
    const database = await databaseOfFullPractice();
    const other = [organization, { type: "user", publicId: "usr_kid", city: "Salem" }];
    const line = { type: "user", publicId: "usr_kid", state: "MA" };
    expect(await importWhile(database, [line], () => mustImport(database, other))).toBe("imported");
    expect(await exportText(database, "org_maple")).toContain('"city":"Salem","state":"MA"');
  });

  test("another request may take an email address that the file gives to a user", async () => {
    const database = await databaseOfFullPractice();
    const taker = { ...clinician, email: "New@maple.example" };
    const outcome = await importWhile(database, [taker], () =>
      newUser(database, "org_maple", { public_id: "usr_meanwhile", email: "new@maple.example" }),
    );
    expect(outcome).toEqual({
      report: [
        'f:1202: user usr_bcba: email: "New@maple.example" is already the email of usr_meanwhile',
      ],
    });
  });
});

describe("an authorization pool that moves to another patient", () => {
  const moved = { ...pool, patientId: "usr_kid2" };

  test("is refused while a member belongs to the old patient", async () => {
    const database = await databaseOfFullPractice();
    expect(await importFile(database, [organization, moved])).toEqual({
      report: [
        "f:2: authorizationPool apool_1: has another patient or payor than a member: auth_2",
      ],
    });
    expect(await importFile(database, [organization, pooledAuthorization, moved])).toEqual({
      report: [
        'f:2: authorization auth_2: authorizationPoolId: "apool_1" is a pool of another patient',
      ],
    });
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });

  test("is accepted if the member leaves the pool", async () => {
    const database = await databaseOfFullPractice();
    const left = { ...authorization, publicId: "auth_2", serviceLineId: "svc_visit" };
    await mustImport(database, [organization, left, moved]);
    expect(await exportText(database, "org_maple")).toContain(JSON.stringify(moved));
  });
});
