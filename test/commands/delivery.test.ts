import { describe, expect, test } from "bun:test";
import { monthArgument } from "../../src/commands/arguments.ts";
import { deliveryCommand, type DeliveryFlags } from "../../src/commands/delivery.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
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
import { newApiKey } from "../support/factories.ts";
import { newService, temporaryFolder } from "../support/harness.ts";
import { loadPractice } from "../support/utilization/load-practice.ts";

/**
 * `caseload delivery` on a real database, compared with the endpoint. Today is Tuesday, 2026-03-10,
 * so that the last month is February.
 */

const service = await newService();
const { database, clock } = service;
await loadPractices(database);
clock.set("2026-03-10T20:00:00.000Z");

const { printed, lastEntry } = newReports(service);

const run = (flags: DeliveryFlags) =>
  printed((context) => deliveryCommand(context, { organization: "org_maple", ...flags }));

test("prints one line per authorization and one with the totals, then one per payor", async () => {
  expect(await run({})).toEqual([
    "PATIENT                   PAYOR        NUMBER  SERVICE    ENCOUNTERS  UNITS  HOURS  OUTSIDE",
    "Leonardo Park                          A-100   svc_97153  2           11.5   2.88   0",
    "Leonardo Park             Acme Health  A-100   svc_97153  2           10     2.5    0",
    "2026-02-01 to 2026-02-28                                  4           21.5          0",
    "",
    "PAYOR        ENCOUNTERS  HOURS  VISITS",
    "Acme Health  2           2.5    0",
    "none         2           2.88   0",
  ]);
});

test("--payor filters by payor; without deliveries a message is printed", async () => {
  expect((await run({ payor: "pay_acme" })).slice(1, 2)).toEqual([
    "Leonardo Park             Acme Health  A-100   svc_97153  2           10     2.5    0",
  ]);
  expect(await run({ payor: "pay_none" })).toEqual([
    "Nothing was booked or delivered from 2026-02-01 to 2026-02-28.",
  ]);
});

test("--json prints the endpoint's response without pages", async () => {
  const key = await newApiKey(database, "org_maple");
  const { body } = await service.call("GET /api/v1/delivery", { key });
  const { pagination: _, ...answer } = body as { pagination: object };
  const [text = ""] = await run({ json: true });
  expect(JSON.parse(text)).toEqual(answer);
});

describe("--csv", () => {
  test("prints one column per field, and one per status of sessions", async () => {
    expect(await run({ csv: true })).toEqual([
      "authorizationId,authorizationNumber,poolId,payorId,payorName,patientId,patientFirstName,patientLastName,internalRecordId,serviceLinePublicId,authorizationStartDate,authorizationEndDate,timezone,encounters,unitsDelivered,hoursDelivered,unitsOutside,sessions.CONFIRMED,sessions.UNCONFIRMED,sessions.DECLINED,sessions.PATIENT_NO_SHOW,sessions.REQUESTED_TO_CANCEL",
      "auth_alone,A-100,,,,usr_leo,Leonardo,Park,,svc_97153,2026-02-04,2026-02-20,America/New_York,2,11.5,2.88,0,4,0,0,1,0",
      "auth_free,A-100,apool_free,pay_acme,Acme Health,usr_leo,Leonardo,Park,,svc_97153,2026-02-04,2026-02-20,America/New_York,2,10,2.5,0,0,0,0,0,0",
    ]);
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
    const [, line] = await run({ csv: true, organization: "org_formula" });
    expect(line).toStartWith(
      `auth_1,'-1,,,,usr_leo,"'=HYPERLINK(""http://x"")","Park, Jr.",,svc_97153,`,
    );
  });
});

test("writes an audit entry with the patients shown", async () => {
  await run({});
  expect(await lastEntry("org_maple")).toEqual(["delivery", '["usr_leo"]', null]);
});

test("--start after --end is refused", async () => {
  const [start, end] = ["2026-02-02" as CalendarDate, "2026-02-01" as CalendarDate];
  await expect(run({ start, end })).rejects.toThrow(
    new CommandError("--start must be on or before --end."),
  );
});

test("--month is converted to its first and last day", () => {
  expect(monthArgument("2028-02")).toEqual({
    startDate: "2028-02-01",
    endDate: "2028-02-29",
  } as never);
  for (const text of ["2026", "2026-13", "2026-1", "2026-01-01", ""])
    expect(() => monthArgument(text)).toThrow("It must be a month, such as 2027-01.");
});

test.each([[["--month", "2026-01", "--start", "2026-01-01"]], [["--json", "--csv"]]])(
  "%p cannot be combined",
  async (args) => {
    const cwd = temporaryFolder();
    expect((await runInProcess(["delivery", ...args], { cwd })).status).toBe(2);
  },
  30_000,
);
