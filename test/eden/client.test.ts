import { describe, expect, expectTypeOf, test } from "bun:test";
import { join } from "node:path";
import {
  newApiKey,
  newAuthorization,
  newEncounter,
  newGoal,
  newIntakeLead,
  newIntakeStage,
  newLocation,
  newOrganization,
  newPatient,
  newServiceLine,
  newSession,
  newSpecialization,
  newTreatmentPlan,
} from "../support/factories.ts";
import {
  answered,
  type Client,
  clientOf,
  type Common,
  type ErrorStatus,
  type WithBody,
} from "../support/eden/client.ts";
import { newService, temporaryFolder } from "../support/harness.ts";
import { lists } from "../support/operations.ts";

/**
 * Eden Treaty: parameters, bodies, responses and errors have types, and the compiler finds wrong ones. What the
 * endpoints respond is tested in their own folders.
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const client = clientOf(service, await newApiKey(database, organization));

await newSession(database, organization, { public_id: "apt_1" });
await newSpecialization(database, organization, { public_id: "spec_1", name: "Feeding" });
const patient_id = await newPatient(database, organization, {
  public_id: "usr_leo",
  time_zone: "America/New_York",
});
await newAuthorization(database, organization, { public_id: "auth_1", patient_id });
const treatmentPlanId = await newTreatmentPlan(database, organization, { patient_id });

test("every list and report has a typed client, with the errors of all", async () => {
  const uses = lists
    .filter(({ operationId }) => operationId !== "exportPracticeFile")
    .filter(({ parameters }) => Object.keys(parameters).length > 0)
    .flatMap(({ path, requests, parameters }, index) => {
      const name = JSON.stringify(path.slice("/v1/".length));
      const queries = requests.map(({ line }) =>
        [...new URLSearchParams(line.split("?")[1])].map(([name, text]) => [
          ...[name, parameters[name]?.type === "integer" ? Number(text) : text],
        ]),
      );
      return [
        ...queries.map(
          (query) =>
            `client[${name}].get({ query: ${JSON.stringify(Object.fromEntries(query))} });`,
        ),
        "// @ts-expect-error No such parameter.",
        `client[${name}].get({ query: { nope: 1 } });`,
        `export const errors${index}: Common extends ErrorStatus<Client[${name}]["get"]> ? true : never = true;`,
        `export const others${index}: ErrorStatus<Client[${name}]["get"]> extends Common ? true : never = true;`,
      ];
    });
  const root = join(import.meta.dir, "../..");
  const folder = temporaryFolder();
  const types = join(root, "test/support/eden/client.ts");
  await Bun.write(
    join(folder, "uses.ts"),
    `import type { Client, Common, ErrorStatus } from ${JSON.stringify(types)};
    declare const client: Client;
    ${uses.join("\n")}`,
  );
  const compilerOptions = { noEmit: true, typeRoots: [join(root, "node_modules")] };
  await Bun.write(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: join(root, "tsconfig.json"),
      compilerOptions,
      include: ["uses.ts", join(root, "db/postgresql/pgpass.d.ts")],
    }),
  );
  const check = Bun.spawnSync([process.execPath, "check", "--no-pretty"], { cwd: folder });
  expect(`${check.stdout}${check.stderr}`).toContain("No type errors");
}, 60_000);

test("an error has the statuses that its operation documents", () => {
  type Subject = ReturnType<Client["authorization-utilization"]>;
  type Goal = ReturnType<Client["goals"]>;
  type Session = ReturnType<Client["sessions"]>;
  expectTypeOf<ErrorStatus<Subject["get"]>>().toEqualTypeOf<Common | 404>();
  expectTypeOf<ErrorStatus<Session["get"]>>().toEqualTypeOf<Common | 404>();
  expectTypeOf<ErrorStatus<Goal["get"]>>().toEqualTypeOf<Common | 404>();
  expectTypeOf<ErrorStatus<Subject["what-if"]["post"]>>().toEqualTypeOf<
    Common | 404 | 408 | 413 | 415
  >();
  expectTypeOf<ErrorStatus<Client["users"]["post"]>>().toEqualTypeOf<WithBody>();
  expectTypeOf<ErrorStatus<Client["intake-leads"]["post"]>>().toEqualTypeOf<WithBody | 409>();
  expectTypeOf<ErrorStatus<Client["goals"]["post"]>>().toEqualTypeOf<WithBody>();
  expectTypeOf<ErrorStatus<Goal["patch"]>>().toEqualTypeOf<WithBody | 404 | 410 | 412>();
  expectTypeOf<ErrorStatus<Goal["delete"]>>().toEqualTypeOf<
    Exclude<WithBody, 408 | 413 | 415> | 404 | 410 | 412
  >();
  type File = Client["practice-file"];
  expectTypeOf<ErrorStatus<File["get"]>>().toEqualTypeOf<Common | 410>();
  expectTypeOf<ErrorStatus<File["post"]>>().toEqualTypeOf<WithBody | 410 | 412>();
});

describe("an error has a type by status:", () => {
  test("400 with validationErrors, 404 and 401 with error", async () => {
    // @ts-expect-error No such role.
    const malformed = await client.users.get({ query: { role: "INTERNAL_ADMIN" } });
    if (malformed.error?.status !== 400) throw new Error("It was taken");
    expect(malformed.error.value.validationErrors[0]?.path).toEqual(["role"]);
    const unknown = await client.users({ userId: "usr_none" }).get();
    if (unknown.error?.status !== 404) throw new Error("It was found");
    expect(unknown.error.value.error).toBe("User not found");
    const { error } = await clientOf(service, undefined).users.get();
    if (error?.status !== 401) throw new Error("It was let in");
    expect(error.value).toEqual({ error: "API key required", statusCode: 401 });
  });

  test("400 of goals with details, 404 without statusCode", async () => {
    const malformed = await client.goals.get({ query: { page: 0 } });
    if (malformed.error?.status !== 400) throw new Error("It was taken");
    expect(malformed.error.value.details[0]?.path).toEqual(["page"]);
    const unknown = await client.goals({ goalId: "goal_none" }).get();
    if (unknown.error?.status !== 404) throw new Error("It was found");
    expect(unknown.error.value).toEqual({ error: "Goal not found" });
  });

  test("400 of utilization, in one of two shapes", async () => {
    const { get } = client["authorization-utilization"]({ publicId: "auth_1" });
    const backwards = { startDate: "2026-02-02", endDate: "2026-02-01" };
    const refusals = [
      await get({ query: { timezone: "Mars" } }),
      await get({ query: { timezone: "UTC", ...backwards } }),
    ];
    const problems = refusals.map(({ error }) => {
      if (error?.status !== 400) throw new Error("It was taken");
      return "error" in error.value ? error.value.error : error.value.validationErrors[0]?.path;
    });
    expect(problems).toEqual([["timezone"], "startDate must be on or before endDate"]);
  });
});

describe("a response has types:", () => {
  test("users by role", async () => {
    const query = { page: 1, pageSize: 5, role: "PATIENT", isActive: "true" } as const;
    const { data, pagination } = answered(await client.users.get({ query }));
    expect([data.map(({ publicId }) => publicId), pagination.totalCount]).toEqual([["usr_leo"], 1]);
    const user = answered(await client.users({ userId: "usr_leo" }).get());
    if (user.role !== "PATIENT") throw new Error("It is another one");
    expect(user.authorizations.map(({ publicId }) => publicId)).toEqual(["auth_1"]);
    // @ts-expect-error A patient has no credentials.
    expect(user.credentials).toBeUndefined();
  });

  test("sessions, billable and non-billable", async () => {
    const session = answered(await client.sessions({ sessionId: "apt_1" }).get());
    if (session?.isBillable !== true) throw new Error("It is not billable");
    expect([session.publicId, session.services]).toEqual(["apt_1", expect.any(String)]);
    // @ts-expect-error Only others have a code.
    expect(session.nonBillableCode).toBeUndefined();
  });

  test("goals by type, in lists without their children", async () => {
    const goalId = await newGoal(database, organization, { treatmentPlanId });
    const [listed] = answered(await client.goals.get({ query: { treatmentPlanId } })).data;
    const goal = answered(await client.goals({ goalId }).get());
    expect(goal).toMatchObject({ type: listed!.type, publicId: goalId });
    // @ts-expect-error Its children come with the goal alone.
    if (listed?.type === "opportunity") expect(listed.childGoals).toBeUndefined();
  });

  test("intake leads with their attribution", async () => {
    const leadId = await newIntakeLead(database, organization, { attribution: '{"gclid":"x"}' });
    const lead = answered(await client["intake-leads"]({ leadId }).get());
    expect(lead?.attribution?.gclid).toBe("x");
    // @ts-expect-error There is no such relationship.
    expect(lead?.relationship === "UNCLE").toBeFalse();
  });

  test("numbers of units, minutes and shares", async () => {
    await newEncounter(database, organization, { units: 1.5 });
    await newServiceLine(database, organization);
    await newLocation(database, organization);
    const [encounter] = answered(await client.encounters.get({ query: {} })).data;
    const [line] = answered(await client["service-lines"].get()).data;
    const query = { sort: "endDate", minShare: "0" } as const;
    const [entry] = answered(await client["authorization-utilization"].get({ query })).data;
    const numbers: (number | null | undefined)[] = [
      encounter?.units,
      line?.billingUnitMinutes,
      entry?.share,
    ];
    expect(numbers).toEqual([1.5, 15, expect.any(Number)]);
    const [location] = answered(await client.locations.get()).data;
    // @ts-expect-error A location has no unit.
    expect(location?.billingUnitMinutes).toBeUndefined();
  });

  test("utilization, its ledger and what-if, with a pool that may be null", async () => {
    const subject = client["authorization-utilization"]({ publicId: "auth_1" });
    const answer = answered(await subject.get({ query: { startDate: "2026-01-01" } }));
    const units: number | undefined = answer?.members[0]?.periods[0]?.unitsUtilized;
    expect([answer?.subject, units ?? 0]).toEqual(["AUTHORIZATION", 0]);
    // @ts-expect-error There may be no pool.
    expect(() => answer?.pool.periods).toThrow();
    const { ledger } = answered(await subject.ledger.get({ query: {} }))!;
    const reason: string | null | undefined = ledger[0]?.reason;
    expect(reason ?? null).toBeNull();
    const hour = { startTime: "2026-03-16T14:00:00Z", endTime: "2026-03-16T15:00:00Z" };
    const fits: boolean | undefined = answered(
      await subject["what-if"].post({ add: [hour] }),
    )?.fits;
    expect(fits).toBeBoolean();
    // @ts-expect-error An instant is a text.
    await subject["what-if"].post({ add: [{ ...hour, endTime: 5 }] });
  });

  test("reports with totals, and me with the first day of the week", async () => {
    const query = { startDate: "2026-01-01", endDate: "2026-12-31" };
    const { totals } = answered(await client.checks.get({ query }));
    const total: number | undefined = totals.OUTSIDE_AUTHORIZATION;
    // @ts-expect-error No such check.
    expect([total, totals.NONE]).toEqual([expect.any(Number), undefined]);
    const delivery = answered(await client.delivery.get({ query }));
    const confirmed: number | undefined = delivery.data[0]?.sessions.CONFIRMED;
    expect(confirmed ?? 0).toBeNumber();
    const me = answered(await client.me.get());
    expect([me.organization.publicId, me.key.role]).toEqual([organization, "ADMIN"]);
    // @ts-expect-error Is no day of the week.
    expect(me.organization.weekStartsOn === "FUNDAY").toBeFalse();
  });

  test("a practice file is text, in both directions, with its media type", async () => {
    const file: string = answered(await client["practice-file"].get());
    expect(file).toStartWith(`{"type":"organization","publicId":"${organization}"`);
    const { counts, sequence } = answered(
      await client["practice-file"].post(file, {
        query: { dryRun: "true" },
        headers: { "content-type": "application/x-ndjson" },
      }),
    );
    expect([counts.organization, sequence]).toEqual([1, null]);
  });
});

test("wrong parameters do not compile", async () => {
  await newIntakeStage(database, organization, { position: 1 });
  const refused = await Promise.all([
    // @ts-expect-error The page is a number.
    client.users.get({ query: { page: "first" } }),
    // @ts-expect-error There is no such parameter.
    client.users.get({ query: { pages: 1 } }),
    // @ts-expect-error No such order.
    client["authorization-utilization"].get({ query: { sort: "name" } }),
    // @ts-expect-error No such check.
    client.checks.get({ query: { check: "NONE" } }),
    // @ts-expect-error It is true or false.
    client["intake-stages"].get({ query: { isActive: "maybe" } }),
    // @ts-expect-error No such kind.
    client.goals.get({ query: { type: "score" } }),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
  // @ts-expect-error The parameter has another name.
  client.sessions({ publicId: "apt_1" });
});

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
const rating = { type: "rating", treatmentPlanId, title: "Calm transitions" } as const;

test("writes have types", async () => {
  const ana = { firstName: "Ana", lastName: "Ruiz", role: "TECHNICIAN" } as const;
  const headers = { "idempotency-key": "one" };
  const { message, user } = answered(await client.users.post(ana, { headers }));
  expect([message, user.role]).toEqual(["User created successfully", "TECHNICIAN"]);
  // @ts-expect-error The response has no address.
  expect(user.city).toBeUndefined();
  const created = answered(await client["intake-leads"].post(lead));
  expect(created.client.publicId).toStartWith("usr_");
  const goal = answered(await client.goals.post(rating));
  if (goal?.type !== "rating") throw new Error("It is of another kind");
  const { publicId: goalId } = goal;
  // @ts-expect-error A rating goal has no metrics.
  expect([goal.ratingInstances, goal.baselineMetric]).toEqual([[], undefined]);
  const updated = answered(await client.goals({ goalId }).patch({ status: "MASTERED" }));
  expect(updated?.status).toBe("MASTERED");
  expect(answered(await client.goals({ goalId }).delete())).toEqual({ success: true });
});

test("wrong bodies do not compile", async () => {
  const ana = { firstName: "Ana", lastName: "Ruiz" };
  const caregiver = { ...lead.caregiver, relationship: "AUNT" } as const;
  const refused = await Promise.all([
    // @ts-expect-error Nobody can be made a clinical superadmin.
    client.users.post({ ...ana, role: "CLINICAL_SUPERADMIN" }),
    // @ts-expect-error There is a last name, too.
    client.users.post({ firstName: "Ana" }),
    // @ts-expect-error The ids are a list.
    client.users.post({ ...ana, specializations: "spec_1" }),
    // @ts-expect-error No such relationship.
    client["intake-leads"].post({ ...lead, caregiver }),
    // @ts-expect-error A rating goal needs a title.
    client.goals.post({ type: "rating", treatmentPlanId }),
    // @ts-expect-error No such kind.
    client.goals.post({ ...rating, type: "score" }),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
  // @ts-expect-error A status cannot be cleared.
  await client.goals({ goalId: "goal_1" }).patch({ status: null });
});
