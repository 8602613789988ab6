import { beforeEach, describe, expect, test } from "bun:test";
import type { OpenDatabase } from "../../db/database.ts";
import { checkOlderRules } from "../../src/doctor/zoneinfo.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { pack, RULES_VERSION, rulesOf } from "../../src/lib/zone-rules.ts";
import { noticeChangedRules, sessionsByOlderRules } from "../../src/organizations/zone-changes.ts";
import { newOrganization, newSession } from "../support/factories.ts";
import { newDatabase } from "../support/harness.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";

/** What is noticed at a start, when the rules of time zones are others than at the one before. */

const NOW = "2026-11-28T20:00:00.000Z" as Instant;
const START = "2026-12-01T17:00:00.000Z";

let database: OpenDatabase;
beforeEach(async () => (database = await newDatabase()));

/** A practice whose last write had the number 7, in a database as it is after an upgrade from 2085c87d. */
const practiceIn = (zone: string | null, publicId = "org_v") =>
  newOrganization(database, { public_id: publicId, time_zone: zone, sequence: 7 });

/** An hour of a practice, written last by a write. */
function sessionAt(start: string, sequence: number, organizationId = "org_v"): Promise<string> {
  const end = new Date(Date.parse(start) + 3_600_000).toISOString() as Instant;
  const times = { start_time: start as Instant, end_time: end };
  return newSession(database, organizationId, { ...times, sequence });
}

/** Notes rules of Vancouver of another version, like those of another zone: Los Angeles has what Vancouver had. */
async function noteRules(version: string, like: string, last_sequence: number | null) {
  const row = { zone: "America/Vancouver", version, rules: pack(rulesOf(like)), last_sequence };
  await database.write(
    (trx) =>
      trx
        .insertInto("zone_rules")
        .values({ organization_id: "org_v", ...row })
        .execute(),
    { organizationId: "org_v" },
  );
}

const noticed = () => noticeChangedRules(database, NOW);
const found = (now = NOW) => database.read((db) => sessionsByOlderRules(db, now));

/** The organizations, versions and last numbers of all rules. */
const rows = () =>
  database.read(async (db) =>
    (
      await db.selectFrom("zone_rules").selectAll().orderBy("zone").orderBy("version").execute()
    ).map((row) => [row.organization_id, row.zone, row.version, row.last_sequence]),
  );

describe("the first start after an upgrade", () => {
  test("takes the runtime's rules for the older ones, which are those of 2026a", async () => {
    // Another version of Bun has other rules: `zone-changes.ts` says which.
    expect(process.versions.icu).toBe("78.3");
    await practiceIn("America/Vancouver");
    await practiceIn("America/New_York", "org_n");
    await practiceIn(null, "org_none");
    for (const id of ["org_v", "org_n"]) await sessionAt(START, 7, id);
    await noticed();
    expect(await rows()).toEqual([
      ["org_n", "America/New_York", RULES_VERSION, null],
      ["org_v", "America/Vancouver", "2026a", 7],
      ["org_v", "America/Vancouver", RULES_VERSION, null],
    ]);
    expect(await found()).toEqual([
      {
        ...{ organizationId: "org_v", zone: "America/Vancouver", version: "2026a" },
        ...{ since: "2026-11-01", sessions: 1 },
      },
    ] as never);
    // The next start finds nothing.
    await noticed();
    expect(await rows()).toHaveLength(3);
  });

  test.each([
    ["America/Edmonton", "2026-11-01", 1],
    ["America/Winnipeg", "2026-11-01", 1],
    ["Africa/Casablanca", "2026-09-20", 1],
    ["America/Havana", "2026-11-01", 1],
    ["Europe/Chisinau", undefined, 0],
    ["America/Los_Angeles", undefined, 0],
    ["Asia/Gaza", undefined, 0],
  ])("%s changed from %s", async (zone, since, sessions) => {
    await practiceIn(zone);
    await sessionAt(START, 7);
    await noticed();
    const [first] = await found();
    expect([first?.since, first?.sessions ?? 0]).toEqual([since as never, sessions]);
  });
});

describe("counted are sessions to come", () => {
  const counted = async (now?: Instant) => (await found(now)).map(({ sessions }) => sessions);

  test("that were written before, and show another hour now", async () => {
    await practiceIn("America/Vancouver");
    await sessionAt(START, 7);
    await sessionAt(START, 1);
    // In summer both rules are the same.
    await sessionAt("2027-07-01T17:00:00.000Z", 7);
    // It has begun.
    await sessionAt(NOW, 7);
    await noticed();
    // Written since.
    await sessionAt(START, 8);
    expect(await counted()).toEqual([2]);
    expect(await counted(START as Instant)).toEqual([]);
  });

  test("which ends when they are written again", async () => {
    await practiceIn("America/Vancouver");
    const id = await sessionAt(START, 7);
    await noticed();
    await database.write(
      (trx) =>
        trx
          .updateTable("sessions")
          .set({ sequence: 8 })
          .where("organization_id", "=", "org_v")
          .where("public_id", "=", id)
          .execute(),
      { organizationId: "org_v" },
    );
    expect(await counted()).toEqual([]);
  });

  test("by each of several versions", async () => {
    await practiceIn("America/Vancouver");
    await noteRules("2026c", "America/Los_Angeles", 5);
    await noteRules("2026d", "America/Los_Angeles", null);
    for (const sequence of [4, 5, 6]) await sessionAt(START, sequence);
    await noticed();
    expect(await rows()).toEqual([
      ["org_v", "America/Vancouver", "2026c", 5],
      ["org_v", "America/Vancouver", "2026d", 7],
      ["org_v", "America/Vancouver", RULES_VERSION, null],
    ]);
    expect((await found()).map(({ version, sessions }) => [version, sessions])).toEqual([
      ["2026c", 2],
      ["2026d", 1],
    ]);
  });
});

test("rules that are the same from now on are no change, whatever they were", async () => {
  await practiceIn("America/Vancouver");
  await noteRules("2026e", "Canada/Pacific", null);
  await sessionAt(START, 7);
  await noticed();
  expect(await rows()).toEqual([["org_v", "America/Vancouver", RULES_VERSION, null]]);
  expect(await found()).toEqual([]);
});

test("the rules of a practice's zone are noted when it is imported, and when its zone changes", async () => {
  const organization = { type: "organization", publicId: "org_v", name: "V" };
  await mustImport(database, [{ ...organization, timezone: "America/Vancouver" }]);
  expect(await rows()).toEqual([["org_v", "America/Vancouver", RULES_VERSION, null]]);
  await mustImport(database, [{ ...organization, timezone: "America/Denver" }]);
  expect(await rows()).toEqual([["org_v", "America/Denver", RULES_VERSION, null]]);
  await sessionAt(START, 1);
  await noticed();
  expect([await rows(), await found()]).toEqual([
    [["org_v", "America/Denver", RULES_VERSION, null]],
    [],
  ]);
  await mustImport(database, [{ ...organization, timezone: null }]);
  expect(await rows()).toEqual([]);
});

test("doctor says how many there are, and from when on", () => {
  const of = { organizationId: "org_v", zone: "America/Vancouver", version: "2026a" };
  const messages = checkOlderRules(
    [
      { ...of, since: "2026-11-01", sessions: 214 },
      { ...of, since: "2027-03-14", sessions: 3 },
    ] as never,
    NOW,
  );
  expect(messages).toEqual([
    {
      ...{ name: "time zones", ok: false },
      message:
        "America/Vancouver changed from 2026-11-01: 214 sessions of org_v from today on were written before, by 2026a",
    },
    {
      ...{ name: "time zones", ok: false },
      message:
        "America/Vancouver changed from 2027-03-14: 3 sessions of org_v from 2027-03-14 on were written before, by 2026a",
    },
  ]);
});
