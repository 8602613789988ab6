import { describe, expect, test } from "bun:test";
import { Writable } from "node:stream";
import { type GetFlags, getCommand } from "../../src/commands/get.ts";
import { ConfigurationError } from "../../src/config.ts";
import { CommandError } from "../../src/lib/command-error.ts";
import { newReports } from "../support/commands/practice.ts";
import { runInProcess } from "../support/commands/program.ts";
import {
  authorization,
  base,
  encounter,
  loadPractices,
  weekly,
} from "../support/commands/utilization-practice.ts";
import { newApiKey, newOrganization, newUser } from "../support/factories.ts";
import { newService, temporaryFolder, TestService } from "../support/harness.ts";
import { filled, reads } from "../support/operations.ts";
import {
  databaseOfFullPractice,
  idsOfFullPractice,
} from "../support/practice-file/full-practice.ts";
import { loadPractice } from "../support/utilization/load-practice.ts";

/** `caseload get` on a real database, compared with the API. */

/** Prints what a service's database has. */
function getIn(service: TestService) {
  const { printed, lastEntry } = newReports(service);
  const get = async (path: string, parameters: string[] = [], flags: GetFlags = {}) => {
    const chunks: Uint8Array[] = [];
    const stdout = new Writable({
      write: (chunk, _, done) => done(void chunks.push(chunk)),
    });
    let refusal: unknown;
    await printed((context) =>
      getCommand({ ...context, stdout }, path, parameters, flags).catch(
        (error) => (refusal = error),
      ),
    );
    const text = Buffer.concat(chunks).toString();
    return { text, lines: text.split("\n").slice(0, -1), refusal };
  };
  return { get, lastEntry };
}

const service = await newService();
const { database, clock } = service;
await loadPractices(database);
await newOrganization(database, { name: "Empty", public_id: "org_empty" });
// A Tuesday.
clock.set("2026-02-10T20:00:00.000Z");
const maple = { organization: "org_maple" };
const { get, lastEntry } = getIn(service);

describe("--json is the response of the API with all its pages", async () => {
  const full = new TestService(await databaseOfFullPractice());
  const key = await newApiKey(full.database, "org_maple");
  const inFull = getIn(full);

  // These are about the caller, who is another one.
  const own = ["getMe", "listPasskeys", "exportPracticeFile"];
  const requests = reads
    .filter(({ operationId }) => !own.includes(operationId))
    .map((request) => filled(request, (kind) => idsOfFullPractice(kind)).line);
  test.each(requests)("%s", async (line) => {
    const { status, body } = await full.call(line, { key });
    expect(status).toBe(200);
    const { pagination, ...answer } = body as {
      pagination?: { page: number; totalPages: number };
      data: object[];
    };
    const [path = "", query = ""] = line.slice("GET /api/v1/".length).split("?");
    for (let page = 2; page <= (pagination?.totalPages ?? 0); page += 1) {
      const next = await full.call(`${line}${query ? "&" : "?"}page=${page}`, { key });
      answer.data.push(...(next.body as { data: object[] }).data);
    }
    const parameters = [...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`);
    const { text, refusal } = await inFull.get(path, parameters, { ...maple, json: true });
    expect(refusal).toBeUndefined();
    expect(text).toBe(`${JSON.stringify(answer, null, 2)}\n`);
  });
});

describe("many pages", async () => {
  const organization = await newOrganization(database, { name: "Many" });
  for (let number = 0; number < 250; number += 1)
    await newUser(database, organization, { role: "PATIENT", last_name: `${1_000 + number}` });
  const many = { organization };

  test("are printed in the order of the list, each row once", async () => {
    const { lines } = await get("users", [], { ...many, csv: true, columns: ["lastName"] });
    const numbers = Array.from({ length: 250 }, (_, index) => `${1_000 + index}`);
    expect(lines).toEqual(["lastName", ...numbers]);
    const { text } = await get("users", ["pageSize=7"], { ...many, json: true });
    const { data } = JSON.parse(text) as { data: { lastName: string }[] };
    expect(data.map(({ lastName }) => lastName)).toEqual(numbers);
  });

  test("one page is one page if it is asked for", async () => {
    const { lines } = await get("users", ["pageSize=7", "page=3"], { ...many, csv: true });
    expect(lines).toHaveLength(8);
  });

  test("leave one row of the trail with the patients of all pages", async () => {
    await get("users", ["pageSize=100"], many);
    const [route, patients, target] = await lastEntry(organization);
    expect([route, target]).toEqual(["get", "users?pageSize=100"]);
    expect(JSON.parse(String(patients))).toHaveLength(250);
  });
});

describe("CSV", () => {
  test("has the columns of the list, those of objects by their path", async () => {
    const delivery = await get("delivery", ["month=2026-02"], { ...maple, csv: true });
    expect(delivery.lines).toEqual([
      "authorizationId,authorizationNumber,poolId,payorId,payorName,patientId,patientFirstName,patientLastName,internalRecordId,serviceLinePublicId,authorizationStartDate,authorizationEndDate,timezone,encounters,unitsDelivered,hoursDelivered,unitsOutside,sessions.CONFIRMED,sessions.UNCONFIRMED,sessions.DECLINED,sessions.PATIENT_NO_SHOW,sessions.REQUESTED_TO_CANCEL",
      "auth_alone,A-100,,,,usr_leo,Leonardo,Park,,svc_97153,2026-02-04,2026-02-20,America/New_York,2,11.5,2.88,0,4,0,0,1,0",
      "auth_free,A-100,apool_free,pay_acme,Acme Health,usr_leo,Leonardo,Park,,svc_97153,2026-02-04,2026-02-20,America/New_York,2,10,2.5,0,0,0,0,0,0",
    ]);
  });

  test("has them if the list is empty, or those that are asked for", async () => {
    const none = await get("locations", [], { organization: "org_empty", csv: true });
    expect(none.lines).toEqual(["publicId,name"]);
    const columns = ["period.endDate", "publicId"];
    const units = await get("authorization-utilization", [], { ...maple, csv: true, columns });
    expect(units.lines.slice(0, 2)).toEqual(["period.endDate,publicId", "2026-02-14,auth_alone"]);
  });

  test("has a row for each period of an authorization", async () => {
    const { lines } = await get("authorization-utilization/auth_alone", ["timezone=UTC"], {
      ...maple,
      csv: true,
    });
    expect(lines[0]).toBe(
      "authorizationPublicId,serviceLinePublicId,periods.startDate,periods.endDate,periods.unitsUtilized,periods.unitsScheduled",
    );
    expect(lines[1]).toBe("auth_alone,svc_97153,2026-02-04,2026-02-07,1.5,2");
  });

  test("escapes names that a spreadsheet would run as formulas", async () => {
    await loadPractice(database, "org_formula", [
      ...base.map((record) =>
        record.type === "user"
          ? { ...record, firstName: '=HYPERLINK("http://x")', lastName: "Park, Jr." }
          : record,
      ),
      authorization("auth_1", { ...weekly, authorizationNumber: "-1" }),
      encounter("enc_1", "auth_1", "2026-02-05T15:00:00.000Z", 1),
    ]);
    const flags = { organization: "org_formula", csv: true } as const;
    const { lines } = await get("delivery", ["month=2026-02"], flags);
    expect(lines[1]).toStartWith(
      `auth_1,'-1,,,,usr_leo,"'=HYPERLINK(""http://x"")","Park, Jr.",,svc_97153,`,
    );
  });
});

describe("a table", () => {
  test("has the columns that have something, and bars of units", async () => {
    const { lines } = await get("authorization-utilization", ["patientId=usr_leo"], maple);
    const [head = "", limited, unlimited] = lines;
    expect(head.split(/ +/)).not.toContain("overFrom");
    expect(head.split(/ +/)).not.toContain("services");
    expect(limited).toEndWith(`2.2    0.4286        ${"█".repeat(20)}+`);
    expect(unlimited).toEndWith("0.4286");
  });

  test("has the columns that are asked for, and escapes what moves the cursor", async () => {
    const organization = await newOrganization(database, { name: "Escapes" });
    await newUser(database, organization, { first_name: "Leo\u001b[2J", last_name: "Łoś" });
    const { lines } = await get("users", [], { organization, columns: ["lastName", "firstName"] });
    expect(lines).toEqual(["lastName  firstName", "Łoś       Leo\\u001b[2J"]);
  });

  test("without rows is empty", async () => {
    expect((await get("checks", ["patientId=usr_none"], { ...maple, fail: true })).text).toBe("");
  });
});

test("the row of the trail names who is asked for, though nothing is found", async () => {
  await get("checks", ["patientId=usr_leo", "check=CREDENTIALS_ENDED"], maple);
  const target = "checks?patientId=usr_leo&check=CREDENTIALS_ENDED";
  expect(await lastEntry("org_maple")).toEqual(["get", '["usr_leo"]', target]);
});

describe("refusals", () => {
  const usage = (message: string) => new ConfigurationError(message);
  const refused = (message: string) => new CommandError(message);
  const outside = ["check=OUTSIDE_AUTHORIZATION"];
  test.each<[string, string[], GetFlags, Error]>([
    [
      "nothing",
      [],
      {},
      usage('the API has no nothing to read; "caseload openapi" prints what it has'),
    ],
    ["practice-file", [], {}, usage('a practice file is written by "caseload export"')],
    ["checks", ["size=1"], {}, usage("size: Is no parameter of this operation")],
    [
      "checks",
      ["startDate=soon", "page=0"],
      {},
      usage(
        "startDate: Must be a calendar date that exists, written YYYY-MM-DD\npage: Number must be greater than or equal to 1",
      ),
    ],
    [
      "checks",
      ["startDate=2026-02-02", "endDate=2026-02-01"],
      {},
      usage("startDate: startDate must be on or before endDate"),
    ],
    [
      "sessions/a b",
      [],
      {},
      usage("sessionId: Must be an id of 1 to 128 letters, digits, underscores or hyphens"),
    ],
    ["users/usr_leo", [], { fail: true }, usage("users/usr_leo has no list for --fail")],
    ["users/usr_leo", [], { columns: ["age"] }, usage("there is no column age; the columns are")],
    ["sessions/none", [], {}, refused("Session not found")],
    ["checks", outside, { fail: true }, refused(`1 row of checks?${outside[0]}`)],
    [
      "checks",
      [],
      { organization: "org_none" },
      refused('There is no organization org_none; "caseload organizations list" shows them.'),
    ],
  ])("%s %p %p", async (path, parameters, flags, error) => {
    const { refusal, lines } = await get(path, parameters, { ...maple, ...flags });
    expect(refusal).toBeInstanceOf(error.constructor);
    expect((refusal as Error).message).toStartWith(error.message);
    expect(lines).toHaveLength(flags.fail && error instanceof CommandError ? 2 : 0);
  });
});

test("the exit status: 0 done, 1 refused or not empty, 2 wrong usage", async () => {
  const cwd = temporaryFolder();
  const stdin = [
    { type: "organization", publicId: "org_1", name: "Maple Street ABA" },
    { type: "user", publicId: "usr_1", role: "TECHNICIAN", firstName: "Ana", lastName: "Ruiz" },
  ]
    .map((record) => JSON.stringify(record))
    .join("\n");
  await runInProcess(["import", "-"], { cwd, stdin });
  const statusOf = async (...args: string[]) =>
    (await runInProcess(["get", ...args], { cwd })).status;
  expect(await statusOf("supervision", "--fail")).toBe(1);
  expect(await statusOf("supervision", "state=SHORT", "--fail")).toBe(0);
  expect(await statusOf("users/none")).toBe(1);
  expect(await statusOf("users", "--csv")).toBe(0);
  expect(await statusOf("supervision", "state=LATE")).toBe(2);
  expect(await statusOf("nothing")).toBe(2);
  expect(await statusOf("users", "--csv", "--json")).toBe(2);
  expect(await statusOf()).toBe(2);
}, 30_000);
