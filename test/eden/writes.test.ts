import { describe, expect, expectTypeOf, test } from "bun:test";
import { newApiKey, newOrganization, newTreatmentPlan } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import {
  answered,
  type Client,
  clientOf,
  type ErrorStatus,
  type WithBody,
} from "../support/eden/client.ts";

/**
 * Eden Treaty writes: bodies, responses and errors have types, and the compiler finds wrong bodies.
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const client = clientOf(service, await newApiKey(database, organization));
const clinician = clientOf(service, await newApiKey(database, organization, "CLINICIAN"));
const treatmentPlanId = await newTreatmentPlan(database, organization);

describe("a user", () => {
  const ana = { firstName: "Ana", lastName: "Ruiz", email: "ana@maple.example" };

  test("is created", async () => {
    const { message, user } = answered(await client.users.post({ ...ana, role: "TECHNICIAN" }));
    expect([message, user.role]).toEqual(["User created successfully", "TECHNICIAN"]);
    // @ts-expect-error The answer carries no address.
    user.city;
  });

  test("has a type of error by status", async () => {
    const taken = await client.users.post(ana);
    if (taken.error?.status !== 400 || "error" in taken.error.value)
      throw new Error("It was taken");
    expect(taken.error.value.validationErrors[0]?.path).toEqual(["email"]);
    const denied = await clinician.users.post({ firstName: "A", lastName: "R" });
    expect(denied.error?.status).toBe(403);
    const headers = { "idempotency-key": "one" };
    answered(await client.users.post({ firstName: "A", lastName: "R" }, { headers }));
    const reused = await client.users.post({ firstName: "B", lastName: "R" }, { headers });
    expect(reused.error?.status).toBe(422);
    expectTypeOf<ErrorStatus<Client["users"]["post"]>>().toEqualTypeOf<WithBody>();
  });

  test("wrong bodies do not compile", async () => {
    // @ts-expect-error Nobody can be made a clinical superadmin.
    await client.users.post({ ...ana, role: "CLINICAL_SUPERADMIN" });
    // @ts-expect-error There is a last name, too.
    await client.users.post({ firstName: "Ana" });
    // @ts-expect-error The ids are a list.
    await client.users.post({ ...ana, specializations: "spec_1" });
  });
});

describe("an intake lead", () => {
  const lead = {
    client: { firstName: "Leo", lastName: "Park", birthdate: "2019-04-02" },
    caregiver: {
      firstName: "Mina",
      lastName: "Park",
      relationship: "MOTHER",
      email: "mina@example.com",
      phone: "+14155552671",
    },
  } as const;

  test("is created once; a second one with the same caregiver's email responds 409", async () => {
    const created = answered(await client["intake-leads"].post(lead));
    expect(created.client.publicId).toStartWith("usr_");
    const again = await client["intake-leads"].post(lead);
    if (again.error?.status !== 409) throw new Error("It was created");
    expect(again.error.value.error).toBe("A record with this email already exists");
    type Post = Client["intake-leads"]["post"];
    expectTypeOf<ErrorStatus<Post>>().toEqualTypeOf<WithBody | 409>();
  });

  test("wrong bodies do not compile", async () => {
    const caregiver = { ...lead.caregiver, relationship: "AUNT" } as const;
    // @ts-expect-error No such relationship.
    const { error } = await client["intake-leads"].post({ ...lead, caregiver });
    if (error?.status !== 400 || "error" in error.value) throw new Error("It was taken");
    expect(error.value.validationErrors[0]?.code).toBe("invalid_enum_value");
  });
});

describe("a goal", () => {
  const rating = { type: "rating", treatmentPlanId, title: "Calm transitions" } as const;

  test("is created, updated and deleted", async () => {
    const goal = answered(await client.goals.post(rating));
    if (goal?.type !== "rating") throw new Error("It is of another kind");
    const { publicId: goalId } = goal;
    expect(goal.ratingInstances).toEqual([]);
    // @ts-expect-error A rating goal has no metrics.
    goal.baselineMetric;

    const updated = answered(await client.goals({ goalId }).patch({ status: "MASTERED" }));
    expect(updated?.status).toBe("MASTERED");
    expect(answered(await client.goals({ goalId }).delete())).toEqual({ success: true });
  });

  test("has a type of error by status, in the error shape of goals", async () => {
    const malformed = await client.goals.post({ ...rating, title: "" });
    if (malformed.error?.status !== 400 || !("details" in malformed.error.value))
      throw new Error("It was taken");
    expect(malformed.error.value.details[0]?.path).toEqual(["title"]);
    const unknown = await client.goals({ goalId: "goal_none" }).delete();
    if (unknown.error?.status !== 404) throw new Error("It was found");
    expect(unknown.error.value).toEqual({ error: "Goal not found" });

    type One = ReturnType<Client["goals"]>;
    expectTypeOf<ErrorStatus<Client["goals"]["post"]>>().toEqualTypeOf<WithBody>();
    expectTypeOf<ErrorStatus<One["patch"]>>().toEqualTypeOf<WithBody | 404 | 410 | 412>();
    expectTypeOf<ErrorStatus<One["delete"]>>().toEqualTypeOf<
      Exclude<WithBody, 408 | 413 | 415> | 404 | 410 | 412
    >();
  });

  test("wrong bodies do not compile", async () => {
    // @ts-expect-error A rating goal needs a title.
    await client.goals.post({ type: "rating", treatmentPlanId });
    // @ts-expect-error No such kind.
    await client.goals.post({ ...rating, type: "score" });
    // @ts-expect-error A status cannot be cleared.
    await client.goals({ goalId: "goal_1" }).patch({ status: null });
  });
});
