import { describe, expect, test } from "bun:test";
import { dateArgument, timeZoneArgument } from "../../src/commands/arguments.ts";
import { type UtilizationOptions, utilizationCommand } from "../../src/commands/utilization.ts";
import type { UtilizationReport } from "../../src/commands/utilization-report.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import { CommandError } from "../../src/lib/command-error.ts";
import type { TimeZone } from "../../src/lib/time-zone.ts";
import { newReports } from "../support/commands/practice.ts";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { loadPractice } from "../support/utilization/load-practice.ts";
import {
  authorization,
  base,
  encounter,
  loadPractices,
  weekly,
} from "../support/commands/utilization-practice.ts";

/** `caseload utilization` on a real database, compared with the endpoint. */

const service = await newService();
const { database } = service;
await loadPractices(database);

const { printed, results } = newReports(service);

const run = (options: UtilizationOptions) =>
  printed((context) => utilizationCommand(context, options));

const reportOf = async (options: UtilizationOptions): Promise<UtilizationReport> =>
  JSON.parse((await run({ ...options, json: true })).join("\n"));

const window = {
  startDate: "2026-02-01" as CalendarDate,
  endDate: "2026-02-14" as CalendarDate,
};

describe("the table", () => {
  test("shows used and scheduled units with bars relative to the authorized units", async () => {
    expect(await run({ publicId: "auth_alone", ...window })).toEqual([
      "Authorization auth_alone of org_maple",
      "Window: 2026-02-01 to 2026-02-14, days in America/New_York",
      "Authorized: 10 units (WEEKLY)",
      "",
      "Authorization auth_alone (svc_97153)",
      "PERIOD                    USED              SCHEDULED        OPEN COMMITTED LEFT",
      "2026-02-04 to 2026-02-07  1.5 ██░░░░░░░░░     2 ██░░░░░░░░░     2       3.5  6.5",
      "2026-02-08 to 2026-02-14   10 ███████████    12 ███████████+   12        22    0",
    ]);
  });

  test("of an unlimited pool has bars relative to its largest number, for pool and members", async () => {
    const lines = [
      "PERIOD                    USED                SCHEDULED          OPEN COMMITTED",
      "2026-02-04 to 2026-02-07  2 ████              0                     0         2",
      "2026-02-08 to 2026-02-14  8 ███████████████   0                     0         8",
    ];
    expect(await run({ publicId: "apool_free", ...window })).toEqual([
      "Pool apool_free of org_maple",
      "Window: 2026-02-01 to 2026-02-14, days in America/New_York",
      "Authorized: unlimited (WEEKLY), shared in the pool",
      "",
      "Pool apool_free",
      ...lines,
      "",
      "Authorization auth_free (svc_97153)",
      ...lines,
    ]);
  });

  test("has no bars on a narrow terminal", async () => {
    const lines = await run({ publicId: "auth_alone", ...window, width: 60 });
    expect(lines.slice(5)).toEqual([
      "PERIOD                   USED SCHEDULED OPEN COMMITTED LEFT",
      "2026-02-04 to 2026-02-07  1.5         2    2       3.5  6.5",
      "2026-02-08 to 2026-02-14   10        12   12        22    0",
    ]);
  });

  test("has a message if no period overlaps the window", async () => {
    const lines = await run({ publicId: "auth_alone", startDate: "2026-03-01" as CalendarDate });
    expect(lines.slice(-2)).toEqual([
      "Authorization auth_alone (svc_97153)",
      "No period overlaps the window.",
    ]);
  });

  test("of a pool without members has only the pool", async () => {
    expect(await run({ publicId: "apool_empty" })).toEqual([
      "Pool apool_empty of org_maple",
      "Window: 2026-03-11 to 2026-04-22, days in America/New_York",
      "Authorized: 20 units (WEEKLY), shared in the pool",
      "",
      "Pool apool_empty",
      "No period overlaps the window.",
    ]);
  });

  test.each([60, 80, 100, 132])("fits a terminal of %d columns", async (width) => {
    const lines = await run({ publicId: "auth_alone", ...window, width });
    const longest = Math.max(...lines.map((line) => Bun.stringWidth(line)));
    expect(longest).toBeLessThanOrEqual(width);
    expect(longest).toBeGreaterThan(Math.min(width, 84) - 8);
  });

  test("uses --timezone and --organization", async () => {
    const timezone = "Asia/Tokyo" as TimeZone;
    const [, second] = await run({ publicId: "auth_alone", ...window, timezone });
    expect(second).toBe("Window: 2026-02-01 to 2026-02-14, days in Asia/Tokyo");
    const [first] = await run({ publicId: "auth_shared", organizationId: "org_pine" });
    expect(first).toBe("Authorization auth_shared of org_pine");
  });

  test("contains no patient names", async () => {
    const lines = await run({ publicId: "auth_alone", explain: true });
    expect(lines.join("\n")).not.toMatch(/Leo|Park/);
  });
});

describe("--explain", () => {
  test("lists every record of the window, with the rule by which it counts or the reason why not", async () => {
    const lines = await run({ publicId: "auth_alone", ...window, explain: true });
    expect(lines.slice(8)).toEqual([
      "",
      "Records of auth_alone",
      "  2026-02-03 10:00 -05:00  session apt_1, CONFIRMED",
      "      60 min / 15, rounded: 4 units, not counted: it starts before the authorization does",
      "  2026-02-05 10:00 -05:00  session apt_2, CONFIRMED",
      "      23 min / 15, rounded: 2 units, in 2026-02-04 to 2026-02-07",
      "  2026-02-05 10:00:30 -05:00  encounter enc_1",
      "      as delivered: 1.5 units, in 2026-02-04 to 2026-02-07",
      "  2026-02-06 10:00 -05:00  session apt_3, PATIENT_NO_SHOW",
      "      60 min / 15, rounded: 4 units, not counted: PATIENT_NO_SHOW does not hold the slot",
      "  2026-02-10 10:00 -05:00  session apt_4, CONFIRMED",
      "      180 min / 15, rounded: 12 units, in 2026-02-08 to 2026-02-14",
      "  2026-02-10 10:00 -05:00  encounter enc_2",
      "      as delivered: 10 units, in 2026-02-08 to 2026-02-14",
    ]);
  });

  test("lists the records of a pool by member", async () => {
    const lines = await run({ publicId: "auth_free", ...window, explain: true });
    expect(lines.slice(-5)).toEqual([
      "Records of auth_free, by the periods of apool_free",
      "  2026-02-05 10:00 -05:00  encounter enc_3",
      "      as delivered: 2 units, in 2026-02-04 to 2026-02-07",
      "  2026-02-10 10:00 -05:00  encounter enc_4",
      "      as delivered: 8 units, in 2026-02-08 to 2026-02-14",
    ]);
  });

  test("prints a message for an authorization without records", async () => {
    const lines = await run({
      publicId: "auth_shared",
      organizationId: "org_oak",
      explain: true,
    });
    expect(lines.slice(-2)).toEqual(["Records of auth_shared", "  None."]);
  });

  test("notes a day whose last hour the clocks repeat", async () => {
    await loadPractice(database, "org_johns", [
      ...base,
      authorization("auth_johns", {
        ...weekly,
        authorizationDate: "2010-11-06",
        authorizationExpirationDate: "2010-11-07",
      }),
      encounter("enc_johns", "auth_johns", "2010-11-07T02:31:00.000Z", 1),
    ]);
    const timezone = "America/St_Johns" as TimeZone;
    const lines = await run({ publicId: "auth_johns", timezone, explain: true });
    expect(lines.slice(-2)).toEqual([
      "  2010-11-06 23:01 -03:30 (after clocks went back, still 2010-11-07)  encounter enc_johns",
      "      as delivered: 1 unit, in 2010-11-07",
    ]);
  });
});

describe("--json", () => {
  test("prints the endpoint's response with the authorized units", async () => {
    const key = await newApiKey(database, "org_maple");
    const path = "/api/v1/authorization-utilization/auth_alone";
    const { body } = await service.call(`GET ${path}`, { key });
    const { members, pool, ...rest } = body as UtilizationReport;
    const report = await reportOf({ publicId: "auth_alone" });
    expect(report).toEqual({
      ...rest,
      pool,
      organizationId: "org_maple",
      unitFrequency: "WEEKLY",
      authorizedUnits: 10,
      members: members.map((member) => ({
        ...member,
        periods: member.periods.map((period) => ({
          ...period,
          unitsOpen: expect.any(Number),
          unitsCommitted: expect.any(Number),
          unitsLeft: expect.any(Number),
        })),
      })),
    } as never);
    expect(report.members[0]?.periods.slice(0, 2)).toMatchObject([
      { unitsUtilized: 1.5, unitsScheduled: 2, unitsOpen: 2, unitsCommitted: 3.5, unitsLeft: 6.5 },
      { unitsUtilized: 10, unitsScheduled: 12, unitsOpen: 12, unitsCommitted: 22, unitsLeft: 0 },
    ]);
  });

  test("a member of a pool and an unlimited pool have no unitsLeft", async () => {
    const leftOf = async (publicId: string) => {
      const { pool: shared, members } = await reportOf({ publicId, ...window });
      return [shared, ...members].map((one) => one?.periods.map(({ unitsLeft }) => unitsLeft));
    };
    expect(await leftOf("apool_free")).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  test("with --explain prints the ledger of the API", async () => {
    const key = await newApiKey(database, "org_maple");
    for (const [publicId, query] of [
      ["auth_alone", {}],
      ["auth_alone", window],
      ["auth_free", window],
      ["apool_free", { startDate: "2026-02-10" as CalendarDate }],
    ] as const) {
      const path = `/api/v1/authorization-utilization/${publicId}`;
      const parameters = new URLSearchParams(query);
      const { body } = await service.call(`GET ${path}/ledger?${parameters}`, { key });
      const utilization = await service.call(`GET ${path}?${parameters}`, { key });
      const { ledger } = await reportOf({ publicId, ...query, explain: true });
      expect(body).toEqual({ ...(utilization.body as object), ledger } as never);
    }
  });

  test("an unlimited pool has null as authorizedUnits", async () => {
    const { authorizedUnits, ledger } = await reportOf({ publicId: "apool_free" });
    expect([authorizedUnits, ledger]).toEqual([null, undefined]);
  });
});

describe("an authorization number", () => {
  test("can be used as the id if it is unique in the organization", async () => {
    const numbered = { authorizationNumber: "N-1", ...weekly };
    await loadPractice(database, "org_number", [
      ...base,
      authorization("auth_number", numbered),
      authorization("auth_twice_1", { ...numbered, authorizationNumber: "N-2" }),
      authorization("auth_twice_2", { ...numbered, authorizationNumber: "N-2" }),
    ]);
    await loadPractice(database, "org_other_number", [
      ...base,
      authorization("auth_other", numbered),
    ]);
    const [first] = await run({ publicId: "N-1", organizationId: "org_number" });
    expect(first).toBe("Authorization auth_number of org_number");
    await expect(run({ publicId: "N-1" })).rejects.toThrow(
      new CommandError(
        "Several authorizations have the number N-1: auth_number of org_number, auth_other of org_other_number. Give the id of one.",
      ),
    );
    await expect(run({ publicId: "N-2", organizationId: "org_number" })).rejects.toThrow(
      new CommandError(
        "Several authorizations have the number N-2: auth_twice_1 of org_number, auth_twice_2 of org_number. Give the id of one.",
      ),
    );
  });
});

describe("errors that say what to do", () => {
  test.each<[string, UtilizationOptions, string]>([
    [
      "an unknown id",
      { publicId: "auth_none" },
      'There is no authorization or pool auth_none; "caseload utilization --overview" lists the current ones.',
    ],
    [
      "an id of several organizations",
      { publicId: "auth_shared" },
      "Several organizations have auth_shared: org_oak, org_pine. Name one with --organization.",
    ],
    [
      "an id of another organization",
      { publicId: "auth_alone", organizationId: "org_oak" },
      "The organization org_oak has no authorization or pool auth_alone.",
    ],
    [
      "an unknown organization",
      { publicId: "auth_alone", organizationId: "org_none" },
      'There is no organization org_none; "caseload organizations list" shows them.',
    ],
    [
      "dates out of order",
      { publicId: "auth_alone", startDate: window.endDate, endDate: window.startDate },
      "--start must be on or before --end.",
    ],
    [
      "a patient without a time zone",
      { publicId: "auth_zoneless" },
      "The patient has no supported time zone; name one with --timezone, such as America/New_York.",
    ],
  ])("%s", async (_, options, message) => {
    await expect(run(options)).rejects.toThrow(new CommandError(message));
    expect(results).toEqual([]);
  });

  test("an invalid date or time zone", () => {
    expect(dateArgument("2024-02-29")).toBe("2024-02-29" as CalendarDate);
    for (const text of ["2024-02-30", "2024-2-3", "", "today"])
      expect(() => dateArgument(text)).toThrow("It must be a date that exists");
    expect(timeZoneArgument("US/Pacific")).toBe("US/Pacific" as TimeZone);
    for (const text of ["+05:00", "GMT+5", "america/new_york", "", "UTC\0"])
      expect(() => timeZoneArgument(text)).toThrow("It must be an IANA time zone");
  });
});
