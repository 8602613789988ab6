import { describe, expect, test } from "bun:test";
import { sessionsArgument, shareArgument } from "../../src/commands/arguments.ts";
import { type OverviewOptions, overviewCommand } from "../../src/commands/utilization-overview.ts";
import { type WhatIfOptions, whatIfCommand } from "../../src/commands/utilization-what-if.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { CommandError } from "../../src/lib/command-error.ts";
import type { TimeZone } from "../../src/lib/time-zone.ts";
import { newReports } from "../support/commands/practice.ts";
import { newApiKey } from "../support/factories.ts";
import { newDatabase, newService, temporaryFolder } from "../support/harness.ts";
import { runInProcess } from "../support/commands/program.ts";
import { loadPractices } from "../support/commands/utilization-practice.ts";

/**
 * `caseload utilization --overview`, `--add` and `--cancel` on a real database, compared with the
 * endpoints.
 */

const service = await newService();
const { database, clock } = service;
await loadPractices(database);
clock.set("2026-02-10T20:00:00.000Z");

const { printed, results, lastEntry } = newReports(service);

const overview = (options: OverviewOptions) =>
  printed((context) => overviewCommand(context, options));
const whatIf = (options: WhatIfOptions) => printed((context) => whatIfCommand(context, options));

const day = (date: string) => date as CalendarDate;
const hourOn = (date: string) => ({
  startTime: `2026-02-${date}T15:00:00.000Z` as Instant,
  endTime: `2026-02-${date}T16:00:00.000Z` as Instant,
});
describe("the overview", () => {
  test("prints one line with a bar per subject, highest share first", async () => {
    expect(await overview({ organizationId: "org_maple" })).toEqual([
      "ID          PATIENT        PERIOD                    DAYS  UNITS           SHARE",
      "auth_alone  Leonardo Park  2026-02-08 to 2026-02-14  43%   22 of 10        220%   ██████+",
      "apool_free  Leonardo Park  2026-02-08 to 2026-02-14  43%   8 of unlimited",
    ]);
  });

  test("--date and --timezone select another day, shown for a wide terminal", async () => {
    expect(
      await overview({
        organizationId: "org_maple",
        date: day("2026-02-04"),
        timezone: "Asia/Tokyo" as TimeZone,
        width: 120,
      }),
    ).toEqual([
      "ID          PATIENT        PERIOD                    DAYS  UNITS           SHARE  OVER FROM",
      // In Tokyo the session of the 3rd at 15:00 UTC is on the 4th.
      "auth_alone  Leonardo Park  2026-02-04 to 2026-02-07  25%   7.5 of 10       75%    2026-02-08  ███████████████████░░░░░░",
      "apool_free  Leonardo Park  2026-02-04 to 2026-02-07  25%   2 of unlimited",
    ]);
  });

  test("--json prints the entries of the endpoint", async () => {
    const options = { organizationId: "org_maple", minShare: 0.5, date: day("2026-02-10") };
    const printed = JSON.parse((await overview({ ...options, json: true })).join("\n"));
    const key = await newApiKey(database, "org_maple");
    const { body } = await service.call(
      "GET /api/v1/authorization-utilization?minShare=0.5&date=2026-02-10",
      { key },
    );
    expect(printed).toEqual((body as { data: object[] }).data);
    expect(printed).toHaveLength(1);
  });

  test("prints a message if there are no entries", async () => {
    const options = { organizationId: "org_maple", date: day("2030-01-01") };
    expect(await overview(options)).toEqual([
      "No current authorization or pool of org_maple matches.",
    ]);
    expect(await overview({ ...options, json: true })).toEqual(["[]"]);
  });

  test("writes an audit entry with the patients shown", async () => {
    await overview({ organizationId: "org_oak" });
    const [route, patients = ""] = await lastEntry("org_oak");
    expect([route, JSON.parse(`${patients}`).toSorted()]).toEqual([
      "utilization",
      ["usr_leo", "usr_mia"],
    ]);
  });

  test("requires --organization if there are several, and refuses an unknown one", async () => {
    const shows = '"caseload organizations list" shows them.';
    await expect(overview({})).rejects.toThrow(
      new CommandError(`There are several organizations; name one with --organization. ${shows}`),
    );
    await expect(overview({ organizationId: "org_none" })).rejects.toThrow(
      new CommandError(`There is no organization org_none; ${shows}`),
    );
    const empty = await newDatabase();
    const onEmpty = printed((context) => overviewCommand({ ...context, database: empty }, {}));
    await expect(onEmpty).rejects.toThrow(
      new CommandError('There is no organization yet; create one with "caseload import".'),
    );
  });
});

describe("--add and --cancel", () => {
  test("print that a session does not fit, and by how many units", async () => {
    expect(await whatIf({ publicId: "auth_alone", add: [hourOn("12")] })).toEqual([
      "It does not fit.",
      "",
      "Authorization auth_alone, days in America/New_York",
      "PERIOD                    AUTHORIZED  NOW  AFTER  OVER",
      "2026-02-08 to 2026-02-14  10          22   26     16",
    ]);
  });

  test("a session fits in place of a cancelled one, but not outside the authorization", async () => {
    const question = { publicId: "auth_alone", add: [hourOn("18")], cancel: ["apt_5"] };
    expect(await whatIf(question)).toEqual([
      "It fits.",
      "",
      "Authorization auth_alone, days in America/New_York",
      "PERIOD                    AUTHORIZED  NOW  AFTER  OVER",
      "2026-02-15 to 2026-02-20  10          4    4",
    ]);
    expect(await whatIf({ publicId: "auth_alone", add: [hourOn("28")] })).toEqual([
      "It does not fit.",
      "Starts outside the authorization: 2026-02-28T15:00:00.000Z",
      "",
      "Authorization auth_alone, days in America/New_York",
      "No period is affected.",
    ]);
  });

  test("for a member of a pool, both the authorization and the pool are shown, with or without a limit", async () => {
    expect(await whatIf({ publicId: "auth_free", add: [hourOn("12")] })).toEqual([
      "It fits.",
      "",
      "Authorization auth_free, days in America/New_York",
      "PERIOD                    AUTHORIZED  NOW  AFTER  OVER",
      "2026-02-08 to 2026-02-14  no limit    8    12",
      "",
      "Pool apool_free",
      "PERIOD                    AUTHORIZED  NOW  AFTER  OVER",
      "2026-02-08 to 2026-02-14  no limit    8    12",
    ]);
  });

  test("--json prints the endpoint's response with the organization, and an audit entry is written", async () => {
    const add = [hourOn("12")];
    const printed = JSON.parse(
      (await whatIf({ publicId: "auth_alone", add, json: true })).join("\n"),
    );
    expect(await lastEntry("org_maple")).toEqual(["utilization", '["usr_leo"]', "auth_alone"]);
    const { body } = await service.call(
      "POST /api/v1/authorization-utilization/auth_alone/what-if",
      { key: await newApiKey(database, "org_maple"), json: { add } },
    );
    expect(printed).toEqual({ organizationId: "org_maple", ...(body as object) });
  });

  test.each<[string, WhatIfOptions, string]>([
    [
      "a session of another authorization",
      { publicId: "auth_free", cancel: ["apt_none", "apt_4"] },
      "--cancel apt_none: it is not a session of this authorization.",
    ],
    [
      "a pool",
      { publicId: "apool_free", add: [hourOn("12")] },
      "A pool has no sessions: name an authorization of it",
    ],
    [
      "an unknown id",
      { publicId: "auth_none", add: [hourOn("12")] },
      'There is no authorization or pool auth_none; "caseload utilization --overview" lists the current ones.',
    ],
    [
      "a patient without a time zone",
      { publicId: "auth_zoneless", add: [hourOn("12")] },
      "The patient has no supported time zone; name one with --timezone, such as America/New_York.",
    ],
  ])("refuses %s", async (_, options, message) => {
    await expect(whatIf(options)).rejects.toThrow(new CommandError(message));
    expect(results).toEqual([]);
  });
});

describe("arguments", () => {
  test("a session is two instants, the first before the second", () => {
    const first = sessionsArgument("2026-02-12T10:00-05:00/2026-02-12T16:00:00Z");
    expect(first).toEqual([hourOn("12")]);
    expect(sessionsArgument("2026-02-13T15:00Z/2026-02-13T16:00Z", first)).toEqual([
      hourOn("12"),
      hourOn("13"),
    ]);
    for (const text of [
      "",
      "2026-02-12T15:00Z",
      "2026-02-12/2026-02-13",
      "2026-02-12T16:00Z/2026-02-12T15:00Z",
      "2026-02-12T15:00Z/2026-02-12T16:00Z/2026-02-12T17:00Z",
      "2026-02-12T15:00Z/PT1H",
    ])
      expect(() => sessionsArgument(text)).toThrow("It must be two instants in order");
  });

  test("a share is a decimal number", () => {
    expect(shareArgument("0.85")).toBe(0.85);
    for (const text of ["", "85%", "-1", ".5", "1e3"])
      expect(() => shareArgument(text)).toThrow("It must be a decimal number");
  });

  test.each([
    ["neither an id nor --overview", []],
    ["both", ["auth_1", "--overview"]],
    ["a date of the overview for one", ["auth_1", "--date", "2026-02-10"]],
    ["a share of the overview for one", ["auth_1", "--min-share", "0.5"]],
    ["a window of the overview", ["--overview", "--start", "2026-02-10"]],
    ["sessions of the overview", ["--overview", "--cancel", "apt_1"]],
    ["a window of a what-if", ["auth_1", "--cancel", "apt_1", "--end", "2026-02-10"]],
  ])("wrong usage exits with status 2: %s", async (_, args) => {
    const { status, stdout } = await runInProcess(["utilization", ...args], {
      cwd: temporaryFolder(),
    });
    expect([status, stdout]).toEqual([2, ""]);
  });
});
