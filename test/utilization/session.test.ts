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
  newNonBillableCode,
  newOrganization,
  newPatient,
  newServiceLine,
  newSession,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { loadPractice, recordsOf } from "../support/utilization/load-practice.ts";
import { overviewCases } from "../support/utilization/overview-practices.ts";
import { expectedSession } from "../support/utilization/summary-oracle.ts";

/** GET /v1/sessions/{sessionId}/utilization: how one session counts. */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database, { time_zone: "America/Denver" });
const key = await newApiKey(database, organization);
const patient_id = await newPatient(database, organization, { time_zone: "America/New_York" });
const service_line_id = await newServiceLine(database, organization, { billing_unit_minutes: 15 });
const february = {
  ...{ patient_id, service_line_id },
  authorization_date: "2026-02-01" as CalendarDate,
  authorization_expiration_date: "2026-02-28" as CalendarDate,
};
await newAuthorizationPool(database, organization, { public_id: "apool_1", patient_id });
const pooled = { public_id: "auth_member", authorization_pool_id: "apool_1" };
await newAuthorization(database, organization, { ...february, public_id: "auth_alone" });
await newAuthorization(database, organization, { ...february, ...pooled });

const read = (id: string, callersKey = key) =>
  service.call(`GET /api/v1/sessions/${id}/utilization`, { key: callersKey });

/** A session of 38 minutes. */
const booked = (start: string, row: Parameters<typeof newSession>[2] = {}) => {
  const end = Temporal.Instant.from(start).add({ minutes: 38 });
  return newSession(database, organization, {
    ...{ client_id: patient_id, service_line_id, authorization_id: "auth_alone" },
    start_time: start as Instant,
    end_time: end.toString({ smallestUnit: "millisecond" }) as Instant,
    ...row,
  });
};

const utilization = (sessionId: string, reason: string | null) => ({
  ...{ sessionId, authorizationId: "auth_alone", poolId: null, units: 3 },
  ...{ counts: reason === null, reason, encounters: [] },
});

describe("a session", () => {
  test.each([
    ["2026-02-01T05:00:00.000Z", "CONFIRMED", null],
    ["2026-03-01T04:59:59.999Z", "REQUESTED_TO_CANCEL", null],
    ["2026-02-01T04:59:59.999Z", "CONFIRMED", "it starts before the authorization does"],
    ["2026-03-01T05:00:00.000Z", "UNCONFIRMED", "it starts after the authorization has ended"],
    ["2026-02-10T15:00:00.000Z", "DECLINED", "a cancelled session does not hold the slot"],
    ["2026-02-10T15:00:00.000Z", "PATIENT_NO_SHOW", "a no-show does not hold the slot"],
  ])("at %s, %s: %s", async (start, status, reason) => {
    const id = await booked(start, { status });
    const answer = await read(id);
    expect([answer.status, answer.body]).toEqual([200, utilization(id, reason)]);
  });

  test("of a pool's member, with all encounters that refer to it, by start, then id", async () => {
    const id = await booked("2026-02-12T15:00:00.000Z", { authorization_id: "auth_member" });
    const encounter = (publicId: string, startTime: string, units: number) => ({
      ...{ publicId, authorizationId: "auth_member", sessionId: id, startTime, units },
    });
    const encounters = [
      encounter("enc_b", "2026-02-12T15:00:00.000Z", 2),
      encounter("enc_c", "2026-02-12T15:00:00.000Z", 0.5),
      encounter("enc_a", "2026-04-12T15:00:00.000Z", 1),
    ];
    for (const { publicId, startTime, units } of encounters.toReversed())
      await newEncounter(database, organization, {
        ...{ public_id: publicId, authorization_id: "auth_member", session_id: id, units },
        start_time: startTime as Instant,
      });
    expect((await read(id)).body).toEqual({
      ...{ ...utilization(id, null), authorizationId: "auth_member", poolId: "apool_1" },
      encounters,
    });
  });

  test("without authorization has its units, and counts for nothing", async () => {
    const id = await booked("2026-02-12T15:00:00.000Z", { authorization_id: null });
    expect((await read(id)).body).toEqual({
      ...utilization(id, "it is booked on no authorization"),
      authorizationId: null,
    });
  });

  test("that is not billable has no units", async () => {
    const non_billable_code_id = await newNonBillableCode(database, organization);
    const id = await booked("2026-02-12T15:00:00.000Z", {
      ...{ is_billable: 0, service_line_id: null, non_billable_code_id, authorization_id: null },
      ...{ client_id: null, is_telehealth: null },
    });
    expect((await read(id)).body).toMatchObject({ units: null, counts: false, encounters: [] });
  });

  test("of a patient without a supported zone counts by days of the organization's", async () => {
    const own = { patient_id: await newPatient(database, organization, { time_zone: "Mars" }) };
    const authorization_id = await newAuthorization(database, organization, {
      ...february,
      ...own,
    });
    const at = (start: string) => booked(start, { client_id: own.patient_id, authorization_id });
    const counts = async (id: string) => ((await read(id)).body as { counts: boolean }).counts;
    expect(await counts(await at("2026-02-01T06:59:59.999Z"))).toBe(false);
    expect(await counts(await at("2026-02-01T07:00:00.000Z"))).toBe(true);
  });

  test("that does not exist is a 404, and its id is checked", async () => {
    const { status, body } = await read("apt_none");
    expect([status, body]).toEqual([404, plainBody(404, "Session not found")]);
    const malformed = await read("apt%00");
    expect(malformed.status).toBe(400);
    expect(malformed.body).toMatchObject({ validationErrors: [{ path: ["sessionId"] }] });
  });
});

test("over the app, in every time zone: it counts as the oracle says", async () => {
  let organizations = 0;
  await fc.assert(
    fc.asyncProperty(overviewCases(), async ({ practice, now }) => {
      organizations += 1;
      const id = `org_${organizations}`;
      await loadPractice(database, id, recordsOf(practice));
      const ownKey = await newApiKey(database, id);
      service.clock.set(now);
      for (const { publicId, clientId } of practice.sessions as {
        publicId: string;
        clientId?: string;
      }[]) {
        const patient = practice.patients.find((one) => one.publicId === clientId);
        const zone = [patient?.timezone, practice.organization.timezone].find(isZone) ?? "UTC";
        expect((await read(publicId, ownKey)).body).toMatchObject(
          expectedSession(practice, publicId, zone),
        );
      }
    }),
    { numRuns: 20 },
  );
}, 60_000);

function isZone(zone: string | null | undefined): zone is string {
  return zone != null && !["Eastern Time", "Central Time", "+05:00"].includes(zone);
}
