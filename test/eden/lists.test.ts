import { describe, expect, expectTypeOf, test } from "bun:test";
import {
  newApiKey,
  newAuthorization,
  newEncounter,
  newGoal,
  newIntakeLabel,
  newIntakeLead,
  newIntakeStage,
  newLocation,
  newNonBillableCode,
  newOrganization,
  newPatient,
  newPayor,
  newServiceLine,
  newTreatmentPlan,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { listPaths } from "../support/parameters.ts";
import {
  answered,
  type Client,
  clientOf,
  type Common,
  type ErrorStatus,
} from "../support/eden/client.ts";

/** Eden Treaty: lists of ids, and what-if questions. */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const client = clientOf(service, await newApiKey(database, organization));
const caregiver = clientOf(service, await newApiKey(database, organization, "CAREGIVER"));

/** The names that the client declares, without its index signature. */
type Resources = {
  [Name in keyof Client as string extends Name ? never : number extends Name ? never : Name]: Name;
};

/** The lists with pages, by the types of the client. */
type Lists = {
  [Name in keyof Resources]: Client[Name] extends {
    get: (...input: never[]) => Promise<{ data: infer Body }>;
  }
    ? [Extract<Body, { pagination: unknown }>] extends [never]
      ? never
      : Name
    : never;
}[keyof Resources];

/** A query with which each list responds. */
const lists: Record<Lists, object> = {
  users: {},
  access: {},
  specializations: {},
  sessions: {},
  encounters: {},
  "authorization-utilization": {},
  checks: { startDate: "2026-03-01", endDate: "2026-03-31" },
  delivery: { month: "2026-03" },
  supervision: { month: "2026-03" },
  "intake-leads": {},
  "treatment-plans": {},
  goals: {},
  locations: {},
  payors: {},
  "service-lines": {},
  "non-billable-codes": {},
  "intake-labels": {},
  "intake-stages": {},
};

describe("every list has a typed client:", () => {
  test("those of the document and those of the types are the same", () => {
    expect(Object.keys(lists).toSorted()).toEqual(listPaths.toSorted());
  });

  test.each(Object.entries(lists) as [Lists, object][])("%s", async (list, query) => {
    type Read = (input: object) => Promise<{ data: { pagination: object } | null; error: unknown }>;
    const read = client[list].get as Read;
    expect(answered(await read({ query })).pagination).toBeObject();
    expectTypeOf<ErrorStatus<Client[Lists]["get"]>>().toEqualTypeOf<Common>();
  });
});

test("me has the key and the organization with its first day of the week", async () => {
  const { organization: own, key } = answered(await client.me.get());
  expect([own.publicId, key.role]).toEqual([organization, "ADMIN"]);
  // @ts-expect-error Is no day of the week.
  expect(own.weekStartsOn === "FUNDAY").toBeFalse();
  expectTypeOf<ErrorStatus<Client["me"]["get"]>>().toEqualTypeOf<Common>();
});

test("encounters have units that are numbers", async () => {
  const id = await newEncounter(database, organization, { units: 1.5 });
  const { data } = answered(await client.encounters.get({ query: { timezone: "UTC" } }));
  const [found] = data;
  const units: number | undefined = found?.units;
  expect([found?.publicId, units]).toEqual([id, 1.5]);
  const { error } = await caregiver.encounters.get();
  expect(error?.status).toBe(403);
  expectTypeOf<ErrorStatus<Client["encounters"]["get"]>>().toEqualTypeOf<Common>();
});

test("intake leads are listed, and read by id", async () => {
  const leadId = await newIntakeLead(database, organization, { attribution: '{"gclid":"x"}' });
  const { data } = answered(await client["intake-leads"].get({ query: { sort: "createdAt_asc" } }));
  expect(data[0]?.attribution?.gclid).toBe("x");
  const lead = answered(await client["intake-leads"]({ leadId }).get());
  expect(lead).toEqual(data[0]!);
  // @ts-expect-error There is no such relationship.
  expect(lead.relationship === "UNCLE").toBeFalse();
  const { error } = await client["intake-leads"]({ leadId: "lead_none" }).get();
  if (error?.status !== 404) throw new Error("It was found");
  expect(error.value.error).toBe("Intake lead not found");
});

describe("reference data", async () => {
  const created = {
    locations: await newLocation(database, organization),
    payors: await newPayor(database, organization),
    "service-lines": await newServiceLine(database, organization),
    "non-billable-codes": await newNonBillableCode(database, organization),
    "intake-labels": await newIntakeLabel(database, organization),
  };

  test.each(Object.entries(created) as [keyof typeof created, string][])(
    "%s are listed in pages with names",
    async (resource, id) => {
      const { data } = answered(await client[resource].get({ query: { pageSize: 5 } }));
      const [found] = data;
      expect([found?.publicId, found?.name]).toEqual([id, expect.any(String)]);
      const { error } = await client[resource].get({ query: { page: 0 } });
      if (error?.status !== 400) throw new Error("It was taken");
      expect(error.value.validationErrors[0]?.path).toEqual(["page"]);
    },
  );

  test("a service line has billingUnitMinutes, a location does not", async () => {
    const { data } = answered(await client["service-lines"].get());
    const minutes: number | null | undefined = data[0]?.billingUnitMinutes;
    expect(minutes).toBe(15);
    const locations = answered(await client.locations.get());
    // @ts-expect-error A location has no unit.
    expect(locations.data[0]?.billingUnitMinutes).toBeUndefined();
    expectTypeOf<ErrorStatus<Client["payors"]["get"]>>().toEqualTypeOf<Common>();
  });

  test("intake stages are listed by position", async () => {
    const publicId = await newIntakeStage(database, organization, { position: 1 });
    const query = { isActive: "true" } as const;
    const { data } = answered(await client["intake-stages"].get({ query }));
    expect(data.map((stage) => [stage.publicId, stage.position])).toEqual([[publicId, 1]]);
    // @ts-expect-error It is true or false.
    client["intake-stages"].get({ query: { isActive: "maybe" } });
    expectTypeOf<ErrorStatus<Client["intake-stages"]["get"]>>().toEqualTypeOf<Common>();
  });
});

describe("treatment plans and goals", async () => {
  const treatmentPlanId = await newTreatmentPlan(database, organization);
  const goalId = await newGoal(database, organization, { treatment_plan_id: treatmentPlanId });

  test("plans are listed in pages", async () => {
    const { data } = answered(await client["treatment-plans"].get());
    const patientId: string | undefined = data[0]?.patientId;
    expect([data[0]?.publicId, patientId]).toEqual([treatmentPlanId, expect.any(String)]);
    const denied = await caregiver["treatment-plans"].get();
    expect(denied.error?.status).toBe(403);
    expectTypeOf<ErrorStatus<Client["treatment-plans"]["get"]>>().toEqualTypeOf<Common>();
  });

  test("goals are listed in pages, and read by id", async () => {
    const { data } = answered(await client.goals.get({ query: { treatmentPlanId } }));
    expect(data.map(({ publicId }) => publicId)).toEqual([goalId]);
    const goal = answered(await client.goals({ goalId }).get());
    expect(goal).toMatchObject({ type: data[0]!.type, publicId: goalId });
    const [listed] = data;
    expect(listed?.treatmentPlanId).toBe(treatmentPlanId);
    // @ts-expect-error Its children come with the goal alone.
    if (listed?.type === "opportunity") expect(listed.childGoals).toBeUndefined();
    // @ts-expect-error No such kind.
    client.goals.get({ query: { type: "score" } });
  });

  test("errors have a type by status, in the error shape of goals", async () => {
    const malformed = await client.goals.get({ query: { page: 0 } });
    if (malformed.error?.status !== 400) throw new Error("It was taken");
    expect(malformed.error.value.details[0]?.path).toEqual(["page"]);
    const unknown = await client.goals({ goalId: "goal_none" }).get();
    if (unknown.error?.status !== 404) throw new Error("It was found");
    expect(unknown.error.value).toEqual({ error: "Goal not found" });
    expectTypeOf<ErrorStatus<Client["goals"]["get"]>>().toEqualTypeOf<Common>();
    expectTypeOf<ErrorStatus<ReturnType<Client["goals"]>["get"]>>().toEqualTypeOf<Common | 404>();
  });
});

describe("what-if", async () => {
  const patient_id = await newPatient(database, organization, { time_zone: "America/New_York" });
  await newAuthorization(database, organization, { public_id: "auth_1", patient_id });
  const ask = (publicId: string) => client["authorization-utilization"]({ publicId })["what-if"];
  const hour = { startTime: "2026-03-16T14:00:00Z", endTime: "2026-03-16T15:00:00Z" };

  test("returns whether sessions fit", async () => {
    const answer = answered(await ask("auth_1").post({ add: [hour] }));
    const fits: boolean | undefined = answer?.fits;
    expect([answer?.authorizationPublicId, fits]).toEqual(["auth_1", expect.any(Boolean)]);
    // @ts-expect-error There may be no pool.
    expect(() => answer?.poolPeriods.length).toThrow();
  });

  test("has a type of error by status", async () => {
    const backwards = { startTime: hour.endTime, endTime: hour.startTime };
    const malformed = await ask("auth_1").post({ add: [backwards] });
    if (malformed.error?.status !== 400 || "error" in malformed.error.value)
      throw new Error("It was taken");
    expect(malformed.error.value.validationErrors[0]?.path).toEqual(["add", 0, "endTime"]);
    expect((await ask("auth_none").post({})).error?.status).toBe(404);
    // @ts-expect-error An instant is a text.
    expect((await ask("auth_1").post({ add: [{ ...hour, endTime: 5 }] })).error?.status).toBe(400);
    type Post = ReturnType<Client["authorization-utilization"]>["what-if"]["post"];
    expectTypeOf<ErrorStatus<Post>>().toEqualTypeOf<Common | 404 | 408 | 413 | 415>();
  });
});
