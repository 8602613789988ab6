import { describe, expect, test } from "bun:test";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Issue } from "../../src/lib/errors.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { plainBody } from "../support/body-rules.ts";
import {
  newApiKey,
  newAuthorization,
  newAuthorizationPool,
  newEncounter,
  newOrganization,
  newPatient,
  newServiceLine,
  newSession,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { statementsOf, withoutBoundaries } from "../support/statements.ts";

/**
 * POST /v1/authorization-utilization/{publicId}/what-if: response shape, when sessions fit, and
 * refusals. More cases are in test/vectors/utilization, and counting is compared with an oracle in
 * what-if-properties.test.ts.
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
const patient_id = await newPatient(database, organization, {
  public_id: "usr_leo",
  time_zone: "America/New_York",
});
const service_line_id = await newServiceLine(database, organization);
const day = (date: string) => date as CalendarDate;

/** An authorization for March 2026 with 8 units a week, unless `row` overrides it. */
const authorize = (public_id: string, row: Parameters<typeof newAuthorization>[2] = {}) =>
  newAuthorization(database, organization, {
    patient_id,
    service_line_id,
    authorized_units_quantity: 8,
    authorized_unit_frequency: "WEEKLY",
    authorization_date: day("2026-03-02"),
    authorization_expiration_date: day("2026-03-31"),
    ...row,
    public_id,
  });

const pathOf = (publicId: string) => `/api/v1/authorization-utilization/${publicId}/what-if`;
const ask = (publicId: string, json: unknown = {}, keyOfCaller = key) =>
  service.call(`POST ${pathOf(publicId)}`, { key: keyOfCaller, json });

/** A session from 14:00 to 15:00 UTC on a day of March, which is four units. */
const hourOn = (date: string) => ({
  startTime: `2026-${date}T14:00:00.000Z`,
  endTime: `2026-${date}T15:00:00.000Z`,
});
const book = (authorization_id: string, date: string, row: object = {}) =>
  newSession(database, organization, {
    authorization_id,
    client_id: patient_id,
    start_time: hourOn(date).startTime as Instant,
    end_time: hourOn(date).endTime as Instant,
    ...row,
  });

/**
 * In the first whole week one session was delivered and one is ahead. In the next, one is declined.
 */
await authorize("auth_alone");
const delivered = await book("auth_alone", "03-09");
await newEncounter(database, organization, {
  authorization_id: "auth_alone",
  session_id: delivered,
  start_time: "2026-03-09T14:00:00.000Z" as Instant,
  units: 3.5,
});
const ahead = await book("auth_alone", "03-13");
const declined = await book("auth_alone", "03-17", { status: "DECLINED" });

const week = { startDate: "2026-03-08", endDate: "2026-03-14", unitsAuthorized: 8 };
const nextWeek = { startDate: "2026-03-15", endDate: "2026-03-21", unitsAuthorized: 8 };
const answer = {
  authorizationPublicId: "auth_alone",
  poolPublicId: null,
  timezone: "America/New_York",
  fits: true,
  periods: [],
  poolPeriods: null,
  outside: [],
};

describe("a standalone authorization", () => {
  test.each([
    ["an empty question", {}, {}],
    ["empty lists", { add: [], cancel: [] }, {}],
    ["null, which means absent", { add: null, cancel: null, timezone: null }, {}],
    [
      "a cancelled session that was declined: its period is shown, too",
      { cancel: [declined] },
      { periods: [{ ...nextWeek, unitsCommitted: 0, unitsAfter: 0, unitsOver: 0 }] },
    ],
    [
      "one session cancelled twice counts once",
      { cancel: [ahead, ahead] },
      { periods: [{ ...week, unitsCommitted: 7.5, unitsAfter: 3.5, unitsOver: 0 }] },
    ],
    [
      "sorted periods, only those of the named sessions",
      { add: [hourOn("03-30"), hourOn("03-03")] },
      {
        periods: [
          { startDate: "2026-03-02", endDate: "2026-03-07" },
          { startDate: "2026-03-29", endDate: "2026-03-31" },
        ].map((dates) => ({
          ...dates,
          ...{ unitsAuthorized: 8, unitsCommitted: 0, unitsAfter: 4, unitsOver: 0 },
        })),
      },
    ],
    [
      "an instant with an offset, and a session without length",
      {
        add: [{ startTime: "2026-03-12T10:00-04:00", endTime: "2026-03-12T14:00Z" }],
      },
      { periods: [{ ...week, unitsCommitted: 7.5, unitsAfter: 7.5, unitsOver: 0 }] },
    ],
    ["unknown fields, which are ignored", { adds: [hourOn("03-12")], publicId: "auth_none" }, {}],
  ])("%s", async (_, question, expected) => {
    const { status, body } = await ask("auth_alone", question);
    expect([status, body]).toEqual([200, { ...answer, ...expected } as never]);
  });

  test("DAILY without end: periods between two added sessions are not computed", async () => {
    await authorize("auth_forever", {
      authorized_unit_frequency: "DAILY",
      authorization_expiration_date: day("9999-12-31"),
    });
    const add = ["2026-03-10", "9999-12-30"].map((date) => ({
      startTime: `${date}T14:00:00.000Z`,
      endTime: `${date}T15:00:00.000Z`,
    }));
    // Processor time, because other processes may be busy. All periods would take seconds.
    const before = process.cpuUsage();
    expect((await ask("auth_forever", { add })).body).toMatchObject({
      fits: true,
      periods: [{ startDate: "2026-03-10" }, { startDate: "9999-12-30" }],
    });
    expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(1);
  });
});

describe("a member of a pool", async () => {
  await newAuthorizationPool(database, organization, {
    public_id: "apool_1",
    patient_id,
    total_units: 12,
    unit_frequency: "MONTHLY",
  });
  const member = (public_id: string, row: object) =>
    authorize(public_id, { authorization_pool_id: "apool_1", ...row });
  await member("auth_early", {
    authorized_units_quantity: null,
    authorized_unit_frequency: null,
    authorization_expiration_date: day("2026-03-12"),
  });
  await member("auth_late", {
    authorized_units_quantity: 6,
    authorized_unit_frequency: null,
    authorization_date: day("2026-03-10"),
  });
  await member("auth_monthly", { authorized_unit_frequency: "MONTHLY" });
  await member("auth_weekly", { authorized_unit_frequency: "WEEKLY" });
  await book("auth_early", "03-05");
  const march = { startDate: "2026-03-02", endDate: "2026-03-31", unitsAuthorized: 12 };

  test("has its own periods and the pool's, both in the pool's frequency", async () => {
    const { body } = await ask("auth_late", { add: [hourOn("03-11")] });
    expect(body).toEqual({
      authorizationPublicId: "auth_late",
      poolPublicId: "apool_1",
      timezone: "America/New_York",
      fits: true,
      periods: [
        {
          ...{ startDate: "2026-03-10", endDate: "2026-03-31", unitsAuthorized: 6 },
          ...{ unitsCommitted: 0, unitsAfter: 4, unitsOver: 0 },
        },
      ],
      poolPeriods: [{ ...march, unitsCommitted: 4, unitsAfter: 8, unitsOver: 0 }],
      outside: [],
    });
  });
});

describe("refusals", async () => {
  const other = await newOrganization(database);
  const otherKey = await newApiKey(database, other);
  await newAuthorization(database, other, { public_id: "auth_theirs" });
  const ofOther = await newSession(database, other, {
    public_id: "apt_theirs",
    authorization_id: "auth_theirs",
  });
  const elsewhere = await book(await authorize("auth_other"), "03-04");
  const custom = (path: (string | number)[], message: string): Issue => ({
    ...{ code: "custom", message, path },
  });
  const reversed = { startTime: "2026-03-12T15:00:00Z", endTime: "2026-03-12T14:59:59.999Z" };
  const early = (index: number) =>
    custom(["add", index, "endTime"], "endTime must not be before startTime");
  const foreign = (index: number) =>
    custom(["cancel", index], "Must be a session of this authorization");

  test.each(["apool_1"])("the id of a pool responds 400 with a plain message: %s", async (id) => {
    const { status, body } = await ask(id, { add: [hourOn("03-11")] });
    expect([status, body]).toEqual([
      400,
      plainBody(400, "A pool has no sessions: name an authorization of it"),
    ]);
  });

  test.each(["auth_none", "usr_leo"])("an unknown id responds 404: %s", async (id) => {
    const { status, body } = await ask(id);
    expect([status, body]).toEqual([404, plainBody(404, "Authorization not found")]);
  });

  test("sessions of another organization are unknown", async () => {
    const question = { timezone: "UTC", cancel: [ofOther] };
    expect((await ask("auth_theirs", question, otherKey)).status).toBe(200);
    const { body } = await ask("auth_alone", { cancel: [ofOther] });
    expect(body).toEqual(validationBody(foreign(0)));
  });

  test("sessions that end before they start, and cancelled ids that are not of the authorization, are reported by index", async () => {
    const { status, body } = await ask("auth_alone", {
      add: [hourOn("03-11"), reversed, reversed],
      cancel: [ahead, "apt_none", elsewhere, ""],
    });
    expect([status, body]).toEqual([
      400,
      validationBody(early(1), early(2), foreign(1), foreign(2), foreign(3)),
    ]);
  });

  test("a session that ends before it starts is reported before an unknown authorization", async () => {
    const { status, body } = await ask("auth_none", { add: [reversed], cancel: ["apt_none"] });
    expect([status, body]).toEqual([400, validationBody(early(0))]);
  });

  test("at most 50 issues are reported", async () => {
    const { body } = await ask("auth_alone", { cancel: Array(500).fill("apt_none") });
    expect((body as { validationErrors: Issue[] }).validationErrors).toHaveLength(50);
  });

  test("a patient whose address has no supported time zone responds 422 unless timezone is given", async () => {
    const patient = await newPatient(database, organization, { time_zone: "Eastern Time" });
    await authorize("auth_zoneless", { patient_id: patient });
    const { status, body } = await ask("auth_zoneless");
    const sentence = "The patient's home address has no supported time zone: pass timezone";
    expect([status, body]).toEqual([422, plainBody(422, sentence)]);
    expect((await ask("auth_zoneless", { timezone: "UTC" })).status).toBe(200);
    // Issues of the body are reported first.
    expect((await ask("auth_zoneless", { cancel: ["apt_none"] })).status).toBe(400);
  });

  test("a malformed id is reported before the body", async () => {
    const { status, body } = await ask("a.b", { add: 5 });
    const message = "Must be an id of 1 to 128 letters, digits, underscores or hyphens";
    expect([status, body]).toEqual([400, validationBody(custom(["publicId"], message))]);
  });
});

describe("nothing is written except an audit entry", () => {
  const withKey = (idempotencyKey: string, json: object) =>
    service.call(`POST ${pathOf("auth_alone")}`, {
      key,
      json,
      headers: { "Idempotency-Key": idempotencyKey },
    });

  test("no response is stored for an Idempotency-Key", async () => {
    const [first, second] = [
      await withKey("again", { add: [hourOn("03-18")] }),
      await withKey("again", {}),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.has("idempotency-replayed")).toBe(false);
    const kept = await database.read((db) =>
      db.selectFrom("idempotent_responses").selectAll().execute(),
    );
    expect(kept).toEqual([]);
  });

  test("an invalid Idempotency-Key responds 400", async () => {
    const { status, body } = await withKey("a b", {});
    expect([status, body]).toEqual([
      400,
      plainBody(400, "Idempotency-Key must be 1 to 255 visible ASCII characters"),
    ]);
  });

  test("the statements write nothing else, and are the same for large requests", async () => {
    const question = { add: Array(500).fill(hourOn("03-18")), cancel: [ahead] };
    const { statements } = await statementsOf(() => ask("auth_alone", question));
    const small = await statementsOf(() =>
      ask("auth_alone", { add: [hourOn("03-18")], cancel: [ahead] }),
    );
    // A large body waits for its slot, and so has a snapshot of a later turn than its key.
    expect(withoutBoundaries(statements)).toEqual(withoutBoundaries(small.statements));
    const writing = statements.filter((text) => /^(insert|update|delete)/.test(text));
    expect(writing).toContainEqual(expect.stringMatching(/^insert into "audit_entries"/));
    expect(writing.filter((text) => !text.includes("audit"))).toEqual([]);
  });
});
