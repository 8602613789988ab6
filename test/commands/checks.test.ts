import { describe, expect, test } from "bun:test";
import { checksArgument } from "../../src/commands/arguments.ts";
import { type ChecksFlags, checksCommand } from "../../src/commands/checks.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import { CommandError } from "../../src/lib/command-error.ts";
import { newReports } from "../support/commands/practice.ts";
import { runInProcess } from "../support/commands/program.ts";
import { loadPractices } from "../support/commands/utilization-practice.ts";
import { newApiKey } from "../support/factories.ts";
import { newService, temporaryFolder } from "../support/harness.ts";

/**
 * `caseload checks` on a real database, compared with the endpoint. Today is Tuesday, 2026-02-10.
 */

const service = await newService();
const { database, clock } = service;
await loadPractices(database);
clock.set("2026-02-10T20:00:00.000Z");

const { printed, results, lastEntry } = newReports(service);

const runFor = (flags: ChecksFlags) => printed((context) => checksCommand(context, flags));
const run = (flags: ChecksFlags) => runFor({ organization: "org_maple", ...flags });

test("prints one line per finding, sorted by day", async () => {
  expect(await run({ check: ["OUTSIDE_AUTHORIZATION", "NOT_DOCUMENTED"] })).toEqual([
    "DATE        CHECK                  PATIENT        PROVIDER  FINDING",
    "2026-02-03  OUTSIDE_AUTHORIZATION  Leonardo Park            4 units were booked on 2026-02-03, before the authorization begins on 2026-02-04.",
    "2026-02-03  NOT_DOCUMENTED         Leonardo Park            A session of 4 units on 2026-02-03 has ended, and has no encounter.",
    "2026-02-05  NOT_DOCUMENTED         Leonardo Park            A session of 2 units on 2026-02-05 has ended, and has no encounter.",
    "2026-02-10  NOT_DOCUMENTED         Leonardo Park            A session of 12 units on 2026-02-10 has ended, and has no encounter.",
  ]);
});

test("prints a message if there are no findings", async () => {
  const date = "2026-01-20" as CalendarDate;
  expect(await run({ start: date, end: date, fail: true })).toEqual([
    "Nothing needs attention from 2026-01-20 to 2026-01-20.",
  ]);
});

test("--json prints the endpoint's response without pages, with all findings", async () => {
  const key = await newApiKey(database, "org_maple");
  const { body } = await service.call("GET /api/v1/checks?pageSize=100&patientId=usr_leo", { key });
  const { pagination: _, ...answer } = body as { pagination: object };
  const [text = ""] = await run({ json: true, patient: "usr_leo" });
  expect(JSON.parse(text)).toEqual(answer);
});

test("writes an audit entry with the patients shown", async () => {
  await run({});
  expect(await lastEntry("org_maple")).toEqual(["checks", '["usr_leo"]', null]);
});

describe("errors that say what to do", () => {
  const day = (date: string) => date as CalendarDate;
  test.each<[string, ChecksFlags, string]>([
    [
      "an unknown organization",
      { organization: "org_none" },
      'There is no organization org_none; "caseload organizations list" shows them.',
    ],
    [
      "dates out of order",
      { start: day("2026-02-02"), end: day("2026-02-01") },
      "--start must be on or before --end.",
    ],
    [
      "more than 366 days",
      { start: day("2026-02-02"), end: day("2027-02-03") },
      "--end must be within 366 days of --start, both counted.",
    ],
  ])("%s", async (_, options, message) => {
    await expect(run(options)).rejects.toThrow(new CommandError(message));
    expect(results).toEqual([]);
  });

  test("several organizations", async () => {
    await expect(runFor({})).rejects.toThrow(
      new CommandError(
        'There are several organizations; name one with --organization. "caseload organizations list" shows them.',
      ),
    );
    expect(results).toEqual([]);
  });

  test("with --fail: findings, after they are printed", async () => {
    await expect(run({ check: ["OUTSIDE_AUTHORIZATION"], fail: true })).rejects.toThrow(
      new CommandError("1 finding from 2026-01-13 to 2026-03-10."),
    );
    expect(results).toHaveLength(2);
  });

  test("an unknown check", () => {
    expect(checksArgument("NOT_DOCUMENTED,NO_AUTHORIZATION,NOT_DOCUMENTED")).toEqual([
      "NO_AUTHORIZATION",
      "NOT_DOCUMENTED",
    ]);
    for (const text of ["", "NONE", "NO_AUTHORIZATION,", "no_authorization"])
      expect(() => checksArgument(text)).toThrow("It must be one or several of OUTSIDE_");
  });
});

test("with --fail, the exit status is 1 if there are findings", async () => {
  const cwd = temporaryFolder();
  const practice = [
    { type: "organization", publicId: "org_1", name: "Maple Street ABA", timezone: "UTC" },
    { type: "location", publicId: "loc_1", name: "Main clinic" },
    { type: "serviceLine", publicId: "svc_1", name: "Therapy", billingUnitMinutes: 15 },
    { type: "user", publicId: "usr_1", role: "PATIENT", firstName: "Leo", lastName: "Park" },
    {
      ...{ type: "session", publicId: "apt_1", title: "Direct therapy", status: "CONFIRMED" },
      ...{ startTime: "2026-02-03T15:00:00.000Z", endTime: "2026-02-03T16:00:00.000Z" },
      ...{ isSupervision: false, isClientPresent: true, placeOfService: "HOME" },
      ...{ locationId: "loc_1", clientId: "usr_1", isBillable: true, isTelehealth: false },
      services: "svc_1",
    },
  ];
  const stdin = practice.map((record) => JSON.stringify(record)).join("\n");
  await runInProcess(["import", "-"], { cwd, stdin });
  const statusOf = async (...args: string[]) =>
    (
      await runInProcess(["checks", "--start", "2026-02-01", "--end", "2026-02-28", ...args], {
        cwd,
      })
    ).status;
  expect(await statusOf("--json")).toBe(0);
  expect(await statusOf("--fail")).toBe(1);
  expect(await statusOf("--fail", "--check", "OVER_AUTHORIZED")).toBe(0);
  expect(await statusOf("--check", "NONE")).toBe(2);
}, 30_000);
