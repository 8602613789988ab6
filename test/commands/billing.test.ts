import { expect, test } from "bun:test";
import { billingCommand, type BillingFlags } from "../../src/commands/billing.ts";
import { ConfigurationError } from "../../src/config.ts";
import { newReports } from "../support/commands/practice.ts";
import { runInProcess } from "../support/commands/program.ts";
import { newApiKey } from "../support/factories.ts";
import { databaseOfFullPractice, organization } from "../support/practice-file/full-practice.ts";
import {
  exportText,
  type Fields,
  mustImport,
  recordOf,
} from "../support/practice-file/practice-file.ts";
import { newDatabase, temporaryFolder, TestService } from "../support/harness.ts";

/** `caseload billing`: what it prints, and what it hands over. */

const WINDOW = { start: "2026-01-01", end: "2026-01-31" } as BillingFlags;

/** Of all days. */
const ANY = { start: undefined, end: undefined } as unknown as BillingFlags;

async function newPractice() {
  const database = await databaseOfFullPractice();
  const service = new TestService(database);
  service.clock.set("2026-02-01T12:00:00.000Z");
  // enc_1 is ready once its units are those of its session; enc_2 is billed.
  await mustImport(database, [
    organization,
    { type: "serviceLine", publicId: "svc_97153", recordsData: false },
    { type: "encounter", publicId: "enc_1", units: 8 },
    { type: "user", publicId: "usr_bcba", npiNumber: "1234567893" },
    {
      ...{ type: "encounter", publicId: "enc_3", authorizationId: "auth_1", units: 1 },
      startTime: "2026-01-08T15:00:00.000Z",
    },
  ]);
  const { printed, lastEntry } = newReports(service);
  const run = (flags: BillingFlags = {}) =>
    printed((context) => billingCommand(context, { ...WINDOW, ...flags }));
  const key = await newApiKey(database, "org_maple");
  const read = async (query = "") => {
    const path = `GET /api/v1/billing-lines?startDate=2026-01-01&endDate=2026-01-31${query}`;
    return (await service.call(path, { key })).body as Fields & { data: Fields[] };
  };
  const states = async () =>
    Object.fromEntries((await read()).data.map(({ encounterId, state }) => [encounterId, state]));
  return { run, read, states, lastEntry, database };
}

test("prints a line for each encounter, with its problems in words", async () => {
  const { run } = await newPractice();
  expect(await run()).toEqual([
    "DATE        PATIENT   SERVICE      UNITS  PAYOR        STATE    PROBLEMS",
    "2026-01-08  Leo Park  97153 HO 95  8      Acme Health  READY",
    "2026-01-08  Leo Park  97153 HO 95  1      Acme Health  PROBLEM  no session",
    "2026-01-09  Leo Park  Visit        0.5    Acme Health  CHANGED  no session, outside the authorization, service without code",
  ]);
  expect(await run({ state: ["BILLED"] })).toEqual(["No lines from 2026-01-01 to 2026-01-31."]);
});

test("--json prints the endpoint's response without pages, and the row names the patients", async () => {
  const { run, read, lastEntry } = await newPractice();
  const { pagination: _, ...answer } = await read("&problem=NO_SESSION");
  const [text = ""] = await run({ json: true, problem: ["NO_SESSION"] });
  expect(JSON.parse(text)).toEqual(answer);
  expect(await lastEntry("org_maple")).toEqual(["billing", '["usr_kid"]', null]);
});

test("--csv has all columns up to problems and state, lists with semicolons, and harmless cells", async () => {
  const { run } = await newPractice();
  const [head = "", first = ""] = await run({ csv: true });
  expect(head).toBe(
    "encounterId,date,timezone,startTime,endTime,minutes,patientId,patientFirstName,patientLastName,patientBirthDate,internalRecordId,payorId,payorName,memberId,groupId,planHolder,relationshipToPatient,priority,authorizationId,authorizationNumber,poolId,serviceLineId,serviceLineName,code,modifiers,placeOfService,placeOfServiceCode,units,billingUnitMinutes,renderedById,renderedByFirstName,renderedByLastName,renderedByNpi,renderedByCredential,supervisedById,supervisedByFirstName,supervisedByLastName,supervisedByNpi,localStart,localEnd,patientSex,patientAddressLine1,patientAddressLine2,patientCity,patientState,patientPostalCode,insuredBirthDate,insuredAddressLine1,insuredAddressLine2,insuredCity,insuredState,insuredPostalCode,claimFrequencyCode,replacesBatch,replacesUnits,problems,state",
  );
  expect(first).toStartWith("enc_1,2026-01-08,America/New_York,2026-01-08T14:00:00.000Z,");
  expect(first).toContain(',97153,"HO;95",OFFICE,11,8,15,usr_tech,');
  expect(first).toContain(",2026-01-08T09:00,2026-01-08T11:00,");
  expect(first).toEndWith(",1,,,,READY");
});

test("--bill prints the ready lines as they were, and hands them over", async () => {
  const { run, read, states, lastEntry } = await newPractice();
  const before = await read("&state=READY");
  const [text = ""] = await run({ bill: "2026-W02", json: true });
  expect(await lastEntry("org_maple")).toEqual(["import", '"*"', null]);
  expect((JSON.parse(text) as Fields).data).toEqual(before.data);
  expect(await states()).toEqual({ enc_1: "BILLED", enc_2: "CHANGED", enc_3: "PROBLEM" });
  const [line = {}] = (await read("&batch=2026-W02")).data;
  const { encounterId: _, problems: __, state: ___, changedFields: ____, billed, ...as } = line;
  expect(billed).toEqual([
    {
      batch: "2026-W02",
      at: "2026-02-01T12:00:00.000Z",
      takenBackAt: null,
      line: { ...as, claimFrequencyCode: "1" },
    },
  ]);
  expect(await run({ bill: "2026-W02" })).toEqual(["No lines from 2026-01-01 to 2026-01-31."]);
});

test("--as-billed prints what --bill printed, whatever has changed since, and after a copy", async () => {
  const { run, lastEntry, database } = await newPractice();
  const bill: BillingFlags = { bill: "W", withProblems: true, csv: true };
  const printed = await run(bill);
  expect(printed.map((row) => row.split(",")[0])).toEqual(["encounterId", "enc_1", "enc_3"]);
  const asBilled: BillingFlags = { ...ANY, asBilled: true, batch: "W" };
  expect(await run(asBilled)).toEqual(printed);
  expect(await lastEntry("org_maple")).toEqual(["billing", '["usr_kid"]', null]);
  const { billed } = (await recordOf(database, "enc_3")) as { billed: Fields[] };
  const takenBackAt = "2026-02-02T12:00:00.000Z";
  await mustImport(database, [
    organization,
    { type: "user", publicId: "usr_kid", lastName: "Aarons" },
    { type: "encounter", publicId: "enc_1", units: 0, startTime: "2026-01-20T14:00:00.000Z" },
    { type: "encounter", publicId: "enc_3", billed: [{ ...billed[0], takenBackAt }] },
  ]);
  const added = [{ batch: "W" }, { batch: "X" }];
  await mustImport(database, [
    organization,
    { type: "encounter", publicId: "enc_3", billed: added },
  ]);
  expect(await run({ ...asBilled, csv: true })).toEqual(printed);
  expect(await run({ ...asBilled, batch: "X" })).toEqual([
    printed[0] ?? "",
    `enc_3${",".repeat(54)}`,
  ]);
  const copy = await newDatabase();
  await mustImport(copy, await exportText(database, "org_maple"));
  const again = newReports(new TestService(copy)).printed;
  expect(await again((context) => billingCommand(context, asBilled))).toEqual(printed);
  expect(run({ ...asBilled, batch: "w" })).rejects.toThrow("There is no batch w.");
});

test("--with-problems also hands over those with problems, and nothing else", async () => {
  const { run, states } = await newPractice();
  expect((await run({ bill: "W", withProblems: true })).length).toBe(3);
  expect(await states()).toEqual({ enc_1: "BILLED", enc_2: "CHANGED", enc_3: "BILLED" });
});

test.each<[string, BillingFlags]>([
  ["--with-problems without --bill", { withProblems: true }],
  ["--bill with another --state", { bill: "W", state: ["PROBLEM"] }],
  ["--bill with more states", { bill: "W", state: ["READY", "BILLED"] }],
  ["--as-billed without --batch", { ...ANY, asBilled: true }],
  ["--as-billed with --json", { ...ANY, asBilled: true, batch: "W", json: true }],
  ["--as-billed with days", { asBilled: true, batch: "W" }],
  ["--as-billed with a payor", { ...ANY, asBilled: true, batch: "W", payor: "pay_acme" }],
  ["--as-billed with --bill", { ...ANY, asBilled: true, batch: "W", bill: "W2" }],
])("%s is wrong usage, and hands over nothing", async (_, flags) => {
  const { run, states } = await newPractice();
  expect(run(flags)).rejects.toThrow(ConfigurationError);
  expect(await states()).toEqual({ enc_1: "READY", enc_2: "CHANGED", enc_3: "PROBLEM" });
});

test.each([
  [["--state", "DONE"]],
  [["--problem", "NO_SESSION,NOTHING"]],
  [["--bill", " "]],
  [["--bill", "x".repeat(101)]],
  [["--json", "--csv"]],
])("%j exits with the status of wrong usage", async (flags) => {
  const { status } = await runInProcess(["billing", ...flags], { cwd: temporaryFolder() });
  expect(status).toBe(2);
});
