import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { plainBody } from "../support/body-rules.ts";
import {
  newApiKey,
  newAuthorization,
  newAuthorizationPool,
  newEncounter,
  newPatient,
  newPayor,
  newSession,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { statementsOf } from "../support/statements.ts";
import { loadPractice, recordsOf } from "../support/utilization/load-practice.ts";
import { overviewCases } from "../support/utilization/overview-practices.ts";
import { newSmallPractice } from "../support/utilization/small-practice.ts";
import { expectedSummary } from "../support/utilization/summary-oracle.ts";
import { runs } from "../support/runs.ts";

/**
 * GET /v1/authorization-utilization/{publicId}/summary: response shape, and numbers as in an oracle. Refusals are those
 * of utilization, for which malformed.test.ts and endpoint.test.ts test all of its endpoints.
 */

const { service, database, organization, path, read } = await newSmallPractice();
const summary = (id: string, query = "") => read(`${id}/summary${query}`);

const patient = {
  patientId: "usr_leo",
  patientFirstName: "Leo",
  patientLastName: "Park",
};
const period = {
  startDate: "2026-02-01",
  endDate: "2026-02-28",
  unitsUtilized: 2.5,
  unitsScheduled: 4,
};

describe("an authorization", () => {
  test("standalone: its own series, with what is left", async () => {
    await newPayor(database, organization, { public_id: "pay_own", name: "Fairwind" });
    await newAuthorization(database, organization, {
      public_id: "auth_whole",
      patient_id: "usr_leo",
      service_line_id: "svc_97153",
      payor_id: "pay_own",
      authorization_number: "F-7",
      authorized_units_quantity: 5,
      authorized_unit_frequency: "TOTAL",
      authorization_date: "2026-02-01" as CalendarDate,
      authorization_expiration_date: "2026-02-28" as CalendarDate,
    });
    const record = (public_id: string, start: string) => ({
      ...{ public_id, authorization_id: "auth_whole", start_time: start as Instant },
    });
    const booked = async (id: string, start: string, status = "CONFIRMED") =>
      newSession(database, organization, {
        ...record(id, start),
        ...{ client_id: "usr_leo", service_line_id: "svc_97153", status },
        end_time: start.replace(":00:00.000Z", ":30:00.000Z") as Instant,
      });
    await booked("apt_before", "2026-01-31T15:00:00.000Z");
    await booked("apt_declined", "2026-01-30T15:00:00.000Z", "DECLINED");
    await booked("apt_delivered", "2026-02-03T15:00:00.000Z");
    await booked("apt_open", "2026-02-04T15:00:00.000Z", "REQUESTED_TO_CANCEL");
    await booked("apt_after", "2026-03-01T15:00:00.000Z");
    await newEncounter(database, organization, {
      ...record("enc_inside", "2026-02-03T15:00:00.000Z"),
      ...{ session_id: "apt_delivered", units: 2 },
    });
    await newEncounter(database, organization, {
      // In New York this is still March 9.
      ...record("enc_after", "2026-03-10T03:00:00.000Z"),
      ...{ session_id: "apt_after", units: 2 },
    });
    const { status, body } = await summary("auth_whole");
    expect([status, body]).toEqual([
      200,
      {
        subject: "AUTHORIZATION",
        publicId: "auth_whole",
        poolId: null,
        ...patient,
        ...{ payorId: "pay_own", payorName: "Fairwind" },
        ...{ startDate: "2026-02-01", endDate: "2026-02-28", timezone: "America/New_York" },
        ...{ unitFrequency: "TOTAL", unitsAuthorized: 5 },
        series: [
          {
            authorizationId: "auth_whole",
            authorizationNumber: "F-7",
            authorizationStatus: "AUTHORIZED",
            serviceLinePublicId: "svc_97153",
            serviceLineName: expect.any(String),
            startDate: "2026-02-01",
            endDate: "2026-02-28",
            unitsAuthorized: 5,
            periods: [
              {
                ...{ startDate: "2026-02-01", endDate: "2026-02-28", unitsAuthorized: 5 },
                ...{ unitsUtilized: 2, unitsScheduled: 4, unitsOpen: 2 },
                ...{ unitsCommitted: 4, unitsLeft: 1 },
              },
            ],
            outside: {
              before: { records: 1, firstDate: "2026-01-31", lastDate: "2026-01-31" },
              // The session of the encounter is no finding of its own.
              after: { records: 1, firstDate: "2026-03-09", lastDate: "2026-03-09" },
            },
          },
        ],
      },
    ]);
  });

  test("in a pool: the payor and the frequency of the pool, only its own series, nothing left", async () => {
    const { body } = await summary("auth_member");
    expect(body).toMatchObject({
      ...{ subject: "AUTHORIZATION", poolId: "apool_1", ...patient },
      unitFrequency: "MONTHLY",
      series: [{ authorizationId: "auth_member", periods: [{ ...period, unitsLeft: null }] }],
    });
  });
});

describe("a pool", () => {
  test("its own series without an authorization, then its members by id", async () => {
    const { body } = await summary("apool_1");
    const { series, ...rest } = body as { series: Record<string, unknown>[] };
    expect(rest).toMatchObject({ subject: "POOL", publicId: "apool_1", poolId: null, ...patient });
    expect(series).toMatchObject([
      {
        ...{ authorizationId: null, authorizationNumber: null, authorizationStatus: null },
        ...{ serviceLinePublicId: null, serviceLineName: null, outside: null },
        periods: [{ ...period, unitsLeft: expect.any(Number) }],
      },
      {
        ...{ authorizationId: "auth_member", outside: { before: null, after: null } },
        periods: [{ ...period, unitsLeft: null }],
      },
    ]);
  });

  test("without members has no term and no period", async () => {
    await newAuthorizationPool(database, organization, {
      ...{ public_id: "apool_empty", patient_id: "usr_leo", total_units: 7 },
    });
    const { status, body } = await summary("apool_empty");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ publicId: "apool_empty", startDate: null, endDate: null, unitsAuthorized: 7 },
      series: [{ startDate: null, endDate: null, unitsAuthorized: 7, periods: [], outside: null }],
    });
  });
});

test("nothing is found outside for an inactive patient, whom checks leave out", async () => {
  const patient_id = await newPatient(database, organization, {
    ...{ is_active: 0, time_zone: "America/New_York" },
  });
  const authorization_id = await newAuthorization(database, organization, { patient_id });
  const start_time = "2030-01-01T15:00:00.000Z" as Instant;
  await newEncounter(database, organization, { authorization_id, start_time });
  const { body } = await summary(authorization_id);
  expect(body).toMatchObject({ series: [{ outside: { before: null, after: null } }] });
});

test("refusals are those of utilization", async () => {
  for (const [id, status] of [
    ["auth_none", 404],
    ["auth_alone", 400],
  ] as const) {
    const query = id === "auth_alone" ? "?startDate=2026-03-02&endDate=2026-03-01" : "";
    const refusal = await summary(id, query);
    const { body } = await read(`${id}${query}`);
    expect([refusal.status, refusal.body]).toEqual([status, body]);
  }
  const technician = await newApiKey(database, organization, "PATIENT");
  const { status, body } = await service.call(`GET ${path}/auth_alone/summary`, {
    key: technician,
  });
  expect([status, body]).toEqual([403, plainBody(403, "Access denied")]);
});

test("the number of statements does not depend on the number of members", async () => {
  const patient_id = "usr_leo";
  const statementsFor = async (id: string) =>
    (await statementsOf(() => summary(id))).statements.filter((text) =>
      /authoriz|encounters|"sessions"/.test(text),
    ).length;
  await newAuthorizationPool(database, organization, { public_id: "apool_large", patient_id });
  const authorization_pool_id = "apool_large";
  for (let count = 0; count < 20; count += 1)
    await newAuthorization(database, organization, { patient_id, authorization_pool_id });
  expect(await statementsFor("apool_large")).toBe(await statementsFor("apool_1"));
});

test("over the app, in every time zone, from 1990 to 2040: the summary equals that of the oracle", async () => {
  const served = await newService();
  let organizations = 0;
  await fc.assert(
    fc.asyncProperty(overviewCases(), async ({ practice, query, now }) => {
      organizations += 1;
      const id = `org_${organizations}`;
      await loadPractice(served.database, id, recordsOf(practice));
      const ownKey = await newApiKey(served.database, id);
      served.clock.set(now);
      const timezone = query.timezone ?? "America/New_York";
      const date = query.date === undefined ? {} : { startDate: query.date };
      const ids = [...practice.authorizationPools, ...practice.authorizations];
      for (const { publicId } of ids) {
        const parameters = new URLSearchParams({ timezone, ...date });
        const { status, body } = await served.call(
          `GET /api/v1/authorization-utilization/${publicId}/summary?${parameters}`,
          { key: ownKey },
        );
        // A default end before the start leaves no window.
        expect(status).toBe(200);
        const request = { publicId, timezone, ...date };
        expect(body).toEqual(expectedSummary(practice, request, now) as never);
      }
    }),
    { numRuns: runs(15) },
  );
}, 60_000);
