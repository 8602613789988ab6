import { describe, expect, test } from "bun:test";
import type { Database } from "../../db/database.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { importPractice } from "../../src/practice-file/import.ts";
import { DomainError } from "../../src/lib/errors.ts";
import { newApiKey, newUser } from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";
import {
  authorization,
  clinician,
  fullPractice,
  organization,
  patient,
  pooledAuthorization,
  pool,
} from "../support/practice-file/full-practice.ts";
import {
  exportText,
  type Fields,
  fileOf,
  importFile,
  mustImport,
} from "../support/practice-file/practice-file.ts";
import { databaseOfFullPractice } from "../support/practice-file/refusals.ts";

/** Lines are checked and gathered while others read and write; only to move what was gathered takes the lock. */

/** Imports a file, of which a part has been read when something else happens. */
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
  const outcome = await importPractice(database, chunks(), options);
  return "badLines" in outcome ? { report: outcome.badLines.report("f") } : "imported";
}

describe("while lines are read", () => {
  test("others read and write", async () => {
    const database = await databaseOfFullPractice();
    const changed = { ...patient, city: "Springfield" };
    const outcome = await importWhile(database, [changed], async () => {
      await newUser(database, "org_maple", { public_id: "usr_meanwhile" });
      expect(await exportText(database, "org_maple")).not.toContain("loc_meanwhile");
    });
    expect(outcome).toBe("imported");
    const exported = await exportText(database, "org_maple");
    expect(exported).toContain("usr_meanwhile");
    expect(exported).toContain("loc_meanwhile_1199");
    expect(exported).toContain("Springfield");
  });

  test("another import may be faster: then this one is refused, for what it was checked against may have changed", async () => {
    const database = await databaseOfFullPractice();
    const other = [organization, { ...clinician, firstName: "Other" }];
    const late = importWhile(database, [patient], () => mustImport(database, other));
    await expect(late).rejects.toThrow(DomainError);
    const exported = await exportText(database, "org_maple");
    expect(exported).toContain("Other");
    expect(exported).not.toContain("loc_meanwhile");
    expect(await importWhile(database, [patient], () => Promise.resolve())).toBe("imported");
  });

  test("another import may make the organization first", async () => {
    const database = await databaseOfFullPractice();
    const birch = { ...organization, publicId: "org_birch" };
    async function* chunks(): AsyncGenerator<Uint8Array> {
      const lines = Array.from({ length: 600 }, (_, index) => ({
        type: "location",
        publicId: `loc_${index}`,
        name: "Clinic",
      }));
      yield new TextEncoder().encode(fileOf([birch, ...lines]));
      await mustImport(database, [birch]);
    }
    const options = { now: NOW as Instant, operator: "test" };
    await expect(importPractice(database, chunks(), options)).rejects.toThrow(DomainError);
    expect(await exportText(database, "org_birch")).toBe(fileOf([birch]));
  });

  test("an import that fails, or is a dry run, is no faster one", async () => {
    const database = await databaseOfFullPractice();
    const meanwhile = async () => {
      await importFile(database, [organization, { type: "location", publicId: "x", name: "" }]);
      await importFile(database, [organization], { dryRun: true });
    };
    expect(await importWhile(database, [patient], meanwhile)).toBe("imported");
  });

  test.each([
    ["a dry run over HTTP is no faster one, either", "?dryRun=true", "imported"],
    ["an import over HTTP may be faster, too", "", "conflict"],
  ] as const)("%s", async (_, query, expected) => {
    const service = await newService();
    const { database } = service;
    await mustImport(database, fullPractice);
    const key = await newApiKey(database, "org_maple");
    const outcome = importWhile(database, [patient], async () => {
      const { status } = await service.call(`POST /api/v1/practice-file${query}`, {
        key,
        headers: { "Content-Type": "application/x-ndjson" },
        raw: fileOf([organization]),
      });
      expect(status).toBe(200);
    });
    expect(await outcome.catch(({ kind }: DomainError) => kind)).toBe(expected);
  });

  test("somebody may be given an email address that the file gives to another", async () => {
    const database = await databaseOfFullPractice();
    const taker = { ...clinician, email: "New@maple.example" };
    const outcome = await importWhile(database, [taker], () =>
      newUser(database, "org_maple", { public_id: "usr_meanwhile", email: "new@maple.example" }),
    );
    expect(outcome).toEqual({
      report: [
        "f:1202: user usr_bcba: email: Is the email of usr_meanwhile, whom this file does not change",
      ],
    });
  });
});

describe("members that stand above their pool's new version", () => {
  const moved = { ...pool, patientId: "usr_kid2" };

  test("are left in a pool of another patient", async () => {
    const database = await databaseOfFullPractice();
    const outcome = await importFile(database, [organization, pooledAuthorization, moved]);
    expect(outcome).toEqual({
      report: [
        "f:3: authorizationPool apool_1: patientId: Its member auth_2 is of another patient",
      ],
    });
    const added = { ...pooledAuthorization, publicId: "auth_9" };
    expect(await importFile(database, [organization, added, moved])).toEqual({
      report: [
        "f:3: authorizationPool apool_1: patientId: Its member auth_2 is of another patient",
        "f:3: authorizationPool apool_1: patientId: Its member auth_9 is of another patient",
      ],
    });
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });

  test("may have left it", async () => {
    const database = await databaseOfFullPractice();
    const left = { ...authorization, publicId: "auth_2", serviceLineId: "svc_visit" };
    await mustImport(database, [organization, left, moved]);
    expect(await exportText(database, "org_maple")).toContain(JSON.stringify(moved));
  });
});
