import { describe, expect, expectTypeOf, test } from "bun:test";
import {
  newApiKey,
  newAuthorization,
  newOrganization,
  newPatient,
  newSession,
  newSpecialization,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import {
  answered,
  type Client,
  clientOf,
  type Common,
  type ErrorStatus,
} from "../support/eden/client.ts";

/**
 * Eden Treaty reads: parameters, responses and errors have types, and the compiler finds wrong
 * ones.
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const client = clientOf(service, await newApiKey(database, organization));
const caregiver = clientOf(service, await newApiKey(database, organization, "CAREGIVER"));

await newSession(database, organization, { public_id: "apt_1" });
await newSpecialization(database, organization, { public_id: "spec_1", name: "Feeding" });
const patient_id = await newPatient(database, organization, { public_id: "usr_leo" });
await newAuthorization(database, organization, { public_id: "auth_1", patient_id });

describe("users", () => {
  test("are listed in pages, with a type by role", async () => {
    const query = { page: 1, pageSize: 5, role: "PATIENT", isActive: "true" } as const;
    const { data, pagination } = answered(await client.users.get({ query }));
    expect([data.map(({ publicId }) => publicId), pagination.totalCount]).toEqual([["usr_leo"], 1]);
    const [user] = data;
    if (user?.role === "PATIENT") expect(user.authorizations[0]?.publicId).toBe("auth_1");
    // @ts-expect-error A caregiver has no locations.
    if (user?.role === "CAREGIVER") user.locationIds;
  });

  test("are read by id, with a type by role", async () => {
    const user = answered(await client.users({ userId: "usr_leo" }).get());
    if (user.role !== "PATIENT") throw new Error("It is another one");
    expect(user.authorizations.map(({ publicId }) => publicId)).toEqual(["auth_1"]);
    const { error } = await client.users({ userId: "usr_none" }).get();
    if (error?.status !== 404) throw new Error("It was found");
    expect(error.value.error).toBe("User not found");
  });

  test("have a type of error by status", async () => {
    // @ts-expect-error No such role.
    const malformed = await client.users.get({ query: { role: "INTERNAL_ADMIN" } });
    if (malformed.error?.status !== 400) throw new Error("It was taken");
    expect(malformed.error.value.validationErrors[0]?.path).toEqual(["role"]);
    const denied = await caregiver.users.get();
    if (denied.error?.status !== 403) throw new Error("It was allowed");
    expect(denied.error.value).toEqual({ error: "Access denied", statusCode: 403 });
    expectTypeOf<ErrorStatus<Client["users"]["get"]>>().toEqualTypeOf<Common>();
  });

  test("accept only documented parameters", () => {
    // @ts-expect-error The page is a number.
    client.users.get({ query: { page: "first" } });
    // @ts-expect-error There is no such parameter.
    client.users.get({ query: { pages: 1 } });
  });
});

describe("specializations", () => {
  test("are listed in pages", async () => {
    const { data } = answered(await client.specializations.get({ query: { isActive: "true" } }));
    expect(data).toEqual([{ publicId: "spec_1", name: "Feeding", isActive: true }]);
    // @ts-expect-error It is no text.
    const name: number | undefined = data[0]?.name;
    expect(name).toBeString();
  });

  test("have a type of error by status", async () => {
    const { error } = await client.specializations.get({ query: { page: 0 } });
    if (error?.status !== 400) throw new Error("It was taken");
    expect(error.value.validationErrors[0]?.code).toBe("too_small");
    expectTypeOf<ErrorStatus<Client["specializations"]["get"]>>().toEqualTypeOf<Common>();
  });
});

describe("sessions", () => {
  test("are listed in pages, billable and non-billable", async () => {
    const query = { startDate: "2026-01-01", endDate: "2026-12-31", pageSize: 1 };
    const { data } = answered(await client.sessions.get({ query }));
    const [session] = data;
    if (session?.isBillable === true) expect(session.services).toBeString();
    // @ts-expect-error Only billable ones have a clinician.
    if (session?.isBillable === false) session.clinicianId;
  });

  test("are read by id", async () => {
    const session = answered(await client.sessions({ sessionId: "apt_1" }).get());
    expect([session?.publicId, session?.startTime]).toEqual(["apt_1", expect.any(String)]);
    // @ts-expect-error The parameter has another name.
    client.sessions({ publicId: "apt_1" });
  });

  test("have a type of error by status", async () => {
    const query = { startDate: "2026-12-31", endDate: "2026-01-01" };
    const { error } = await client.sessions.get({ query });
    if (error?.status !== 400) throw new Error("It was taken");
    expect(error.value.validationErrors[0]?.path).toEqual(["startDate"]);
    const unknown = await client.sessions({ sessionId: "apt_none" }).get();
    if (unknown.error?.status !== 404) throw new Error("It was found");
    expect(unknown.error.value).toEqual({ error: "Session not found", statusCode: 404 });
    expectTypeOf<ErrorStatus<Client["sessions"]["get"]>>().toEqualTypeOf<Common>();
    expectTypeOf<ErrorStatus<ReturnType<Client["sessions"]>["get"]>>().toEqualTypeOf<
      Common | 404
    >();
  });
});

describe("utilization", () => {
  const utilization = (publicId: string) => client["authorization-utilization"]({ publicId });

  test("has periods with numbers", async () => {
    const query = { timezone: "America/New_York", startDate: "2026-01-01" };
    const answer = answered(await utilization("auth_1").get({ query }));
    const units: number | undefined = answer?.members[0]?.periods[0]?.unitsUtilized;
    expect([answer?.subject, answer?.pool, units ?? 0]).toEqual(["AUTHORIZATION", null, 0]);
    // @ts-expect-error There may be no pool.
    expect(() => answer?.pool.periods).toThrow();
  });

  test("of all current authorizations is listed in pages", async () => {
    const query = { date: "2026-03-11", sort: "endDate", minShare: "0" } as const;
    const { data } = answered(await client["authorization-utilization"].get({ query }));
    const share: number | null | undefined = data[0]?.share;
    expect([data.length, share]).toEqual([1, 0]);
    // @ts-expect-error No such order.
    client["authorization-utilization"].get({ query: { sort: "name" } });
    type List = Client["authorization-utilization"]["get"];
    expectTypeOf<ErrorStatus<List>>().toEqualTypeOf<Common>();
  });

  test("is explained record by record in the ledger", async () => {
    const answer = answered(await utilization("auth_1").ledger.get({ query: { timezone: "UTC" } }));
    const reason: string | null | undefined = answer?.ledger[0]?.reason;
    expect([answer?.publicId, reason ?? null]).toEqual(["auth_1", null]);
    // @ts-expect-error It is a list.
    const units: number | undefined = answer?.ledger.units;
    expect(units).toBeUndefined();
  });

  test("has a type of error by status; a 400 has one of two shapes", async () => {
    const refusals = [
      await utilization("auth_1").get({ query: { timezone: "Mars" } }),
      await utilization("auth_1").get({
        query: { startDate: "2026-02-02", endDate: "2026-02-01" },
      }),
    ];
    const problems = refusals.map(({ error }) => {
      if (error?.status !== 400) throw new Error("It was taken");
      return "error" in error.value ? error.value.error : error.value.validationErrors[0]?.path;
    });
    expect(problems).toEqual([["timezone"], "startDate must be on or before endDate"]);
    const unknown = await utilization("auth_none").get();
    expect(unknown.error?.status).toBe(404);
    const zoneless = await utilization("auth_1").get();
    if (zoneless.error?.status !== 422) throw new Error("It was taken");
    type Get = ReturnType<Client["authorization-utilization"]>["get"];
    expectTypeOf<ErrorStatus<Get>>().toEqualTypeOf<Common | 404>();
  });
});

describe("reports", () => {
  const query = { startDate: "2026-01-01", endDate: "2026-12-31" };

  test("of checks have findings, and totals by check", async () => {
    const { data, totals } = answered(await client.checks.get({ query }));
    const total: number | undefined = totals.OUTSIDE_AUTHORIZATION;
    const message: string | undefined = data[0]?.message;
    expect([total, typeof (message ?? "")]).toEqual([expect.any(Number), "string"]);
    // @ts-expect-error No such check.
    expect(totals.NONE).toBeUndefined();
    // @ts-expect-error Nor is there one to ask for.
    await client.checks.get({ query: { check: "NONE" } });
    expectTypeOf<ErrorStatus<Client["checks"]["get"]>>().toEqualTypeOf<Common>();
  });

  test("of delivery have totals and entries", async () => {
    const { data, totals } = answered(await client.delivery.get({ query }));
    const confirmed: number | undefined = data[0]?.sessions.CONFIRMED;
    expect([totals.encounters, confirmed ?? 0]).toEqual([expect.any(Number), expect.any(Number)]);
    expectTypeOf<ErrorStatus<Client["delivery"]["get"]>>().toEqualTypeOf<Common>();
  });
});
