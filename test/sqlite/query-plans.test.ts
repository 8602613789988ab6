import { describe, expect, test } from "bun:test";
import { Database as SqliteFile } from "bun:sqlite";
import type { Database, OpenDatabase } from "../../db/database.ts";
import { roles } from "../../src/callers/roles.ts";
import type { InstantRange } from "../../src/lib/time-zone.ts";
import { sessionsOfSpan } from "../../src/sessions/repository.ts";
import {
  insert,
  newApiKey,
  newAuthorization,
  newAuthorizationPool,
  newOrganization,
  newPayor,
  newSession,
  newSpecialization,
  newUser,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { filled, lists } from "../support/operations.ts";
import { listFilters } from "../support/parameters.ts";
import { namedLists } from "../support/reference-data.ts";
import { statementsOf } from "../support/statements.ts";

/** SQLite's query plans of lists: by index, in the order of the index, without scans of tables. */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);

/** Users of all roles with all their related records, and as many sessions and specializations. */
async function addOneOfEverything(): Promise<void> {
  const ids: Record<string, string> = {};
  for (const role of roles) ids[role] = await newUser(database, organization, { role });
  const { PATIENT: patient_id = "", CLINICIAN: clinician_id = "", TECHNICIAN = "" } = ids;
  const organization_id = organization;
  const link = { organization_id, clinician_id };
  await insert(database, "care_team_links", { ...link, technician_id: TECHNICIAN });
  await insert(database, "patient_clinicians", { ...link, patient_id });
  const authorization_pool_id = await newAuthorizationPool(database, organization, { patient_id });
  await newAuthorization(database, organization, { patient_id, authorization_pool_id });
  await newAuthorization(database, organization, { patient_id });
  const specialization_id = await newSpecialization(database, organization);
  const user_id = clinician_id;
  await insert(database, "provider_specializations", {
    organization_id,
    user_id,
    specialization_id,
  });
  await newPayor(database, organization);
  await newSession(database, organization, { client_id: patient_id, clinician_id });
}

for (let round = 0; round < 10; round++) await addOneOfEverything();

async function statementsFor(path: string): Promise<string[]> {
  const { result, statements } = await statementsOf(() => service.call(`GET ${path}`, { key }));
  expect(result.status).toBe(200);
  return statements;
}

async function planOf(statement: string, from: Database): Promise<string[]> {
  // The value of a parameter does not change the plan, because SQLite has no statistics of the
  // columns.
  const text = `explain query plan ${statement.replaceAll("?", "null")}`;
  // On a connection of its own: an explained statement keeps its snapshot open.
  const planner = new SqliteFile((from as OpenDatabase).source.url);
  const rows = planner.query<{ detail: string }, []>(text).all();
  planner.close();
  return rows.map((row) => row.detail);
}

/** The plan steps of all reads of a request. */
async function stepsOf(path: string): Promise<string[]> {
  const reads = (await statementsFor(path)).filter((text) =>
    /^(select|with "subject") /.test(text),
  );
  expect(reads.length).toBeGreaterThan(1);
  const plans = await Promise.all(reads.map((text) => planOf(text, database)));
  return plans.flat();
}

/** The steps that scan a table or sort. */
async function costlySteps(path: string): Promise<string[]> {
  // The list of ids of a page is scanned as a whole, and so are the sessions that were found to go on, and the goals and
  // child goals that are listed together, and the person whose own patients are looked for, and their clients.
  const costly = (await stepsOf(path)).filter((step) =>
    /SCAN (?!json_each|going_on|listed|person|client|CONSTANT ROW)|TEMP B-TREE/.test(step),
  );
  // The rows of a page whose ids were read before are put into its order again, which is the last step.
  const isOfIds = costly.includes("SCAN page") && costly.at(-1) === "USE TEMP B-TREE FOR ORDER BY";
  return isOfIds ? costly.slice(0, -1).filter((step) => step !== "SCAN page") : costly;
}

test("own patients are found from one client to the next, however many sessions they have", async () => {
  const steps = await stepsOf("/api/v1/goal-progress?providerId=usr_1");
  const found = steps.filter((step) => / (technician|clinician)_id=/.test(step));
  const ofPerson = ["technician", "clinician"].map((person) => {
    const index = `USING COVERING INDEX sessions_clients_of_${person} (organization_id=? AND ${person}_id=?`;
    return [
      `SEARCH sessions ${index} AND client_id>?)`,
      `SEARCH sessions ${index} AND client_id=?)`,
    ];
  });
  for (const step of ofPerson.flat()) expect(found).toContain(step);
});

describe("a list is read in the order of an index:", () => {
  test.each([
    "users",
    "users?role=PATIENT",
    "users?isActive=true",
    "users?role=PATIENT&isActive=false",
    "users?email=ana@maple.example",
    "users?search=ana&email=ana@maple.example",
    "users?sort=createdAt_asc",
    "users?sort=updatedAt_asc",
    "users?sort=lastName_asc",
    "users?sort=lastName_asc&isActive=true",
    "sessions",
    "sessions?clientId=usr_1",
    "sessions?technicianId=usr_1",
    "sessions?clinicianId=usr_1",
    "sessions?clientId=usr_1&technicianId=usr_2&clinicianId=usr_3",
    "sessions?startDate=2026-03-01",
    "sessions?endDate=2026-03-31",
    "sessions?startDate=2026-03-01&endDate=2026-03-31",
    "sessions?startDate=2026-03-01&endDate=2026-03-31&clientId=usr_1",
    "sessions?startDate=2026-03-01&endDate=2026-03-31&timezone=America/New_York",
    "sessions?status=CONFIRMED&clientId=usr_1",
    "specializations",
    "specializations?isActive=true",
    "sessions?authorizationId=auth_1",
    "encounters",
    "encounters?startDate=2026-03-01&endDate=2026-03-31&timezone=UTC",
    "encounters?sessionId=apt_1",
    "encounters?authorizationId=auth_1&startDate=2026-03-01",
    "intake-leads?sort=createdAt_asc",
    "intake-leads?sort=createdAt_asc&createdFrom=2026-03-01&createdTo=2026-03-31",
    "intake-leads?sort=createdAt_asc&stageId=stage_1&labelId=lbl_1&clientId=usr_1",
    "intake-leads?sort=createdAt_asc&channel=Direct&source=web",
    ...namedLists,
    "intake-stages",
    "intake-stages?isActive=true",
    "treatment-plans",
    "treatment-plans?patientId=usr_1",
    "goals",
    "goals?treatmentPlanId=tp_1",
    "goals?status=BASELINE",
    "goals?type=rating",
    "authorization-utilization?payorId=pay_1&minShare=0.5&maxShare=1&timezone=UTC",
  ])("%s", async (query) => {
    expect(await costlySteps(`/api/v1/${query}`)).toEqual([]);
  });

  // Ids are always ascending. Users with equal times are therefore sorted by id.
  test.each([
    "users?sort=createdAt_desc",
    "users?sort=updatedAt_desc",
    "users?sort=createdAt_asc,updatedAt_asc",
    "users?sort=updatedAt_desc,createdAt_desc",
    "users?sort=updatedAt_desc&isActive=true",
    "users?sort=lastName_desc",
    "intake-leads",
    "sessions?sort=startTime_desc",
    "sessions?sort=startTime_desc&endDate=2026-03-31",
    "sessions?sort=startTime_desc&clientId=usr_1",
    "sessions?sort=startTime_desc&technicianId=usr_1&startDate=2026-03-01",
    "sessions?sort=startTime_desc&clinicianId=usr_1",
    "sessions?sort=startTime_desc&authorizationId=auth_1",
  ])("%s, with a sort of equal values only", async (query) => {
    const [step, ...others] = await costlySteps(`/api/v1/${query}`);
    expect(others).toEqual([]);
    expect(step).toMatch(/^USE TEMP B-TREE FOR LAST (TERM|2 TERMS) OF ORDER BY$/);
  });
});

describe("no list and no report scans a table:", () => {
  const requests = lists
    .filter(({ parameters }) => Object.keys(parameters).length > 0)
    .flatMap(({ requests }) => requests)
    .map((one) => filled(one, () => "x_1"));
  test.each(requests)("$line", async ({ line }) => {
    const steps = await costlySteps(line.slice("GET ".length));
    expect(steps.filter((step) => !step.startsWith("USE TEMP B-TREE"))).toEqual([]);
  });
});

describe("users are filtered in a covering index, and only those of the page are read:", () => {
  test.each([
    "users?search=ana",
    "users?search=ana+ruiz",
    "users?search=ana&role=PATIENT&isActive=true&page=2&pageSize=3",
    "users?search=ana&sort=createdAt_desc",
    "users?search=ana&sort=updatedAt_desc",
    "users?search=ana&sort=lastName_desc",
    "users?search=a&pageSize=1",
    "users?role=PATIENT&sort=lastName_asc",
    "users?isActive=true&sort=updatedAt_desc",
  ])("%s", async (query) => {
    const steps = (await stepsOf(`/api/v1/${query}`)).filter((step) => / users /.test(step));
    const byText =
      /^SEARCH users USING COVERING INDEX users_by_(creation|update|name) \(organization_id=\?\)$/;
    const byId =
      /^SEARCH users USING INDEX sqlite_autoindex_users_1 \(organization_id=\? AND public_id=\?\)$/;
    expect(steps.filter((step) => byText.test(step)).length).toBeGreaterThan(0);
    expect(steps.filter((step) => byId.test(step)).length).toBeGreaterThan(0);
    expect(steps.filter((step) => !byText.test(step) && !byId.test(step))).toEqual([]);
  });
});

test("names are found by their ids", async () => {
  const steps = await stepsOf("/api/v1/names?ids=usr_1,usr_2");
  const byId =
    "SEARCH users USING INDEX sqlite_autoindex_users_1 (organization_id=? AND public_id=?)";
  expect(steps.filter((step) => / users /.test(step))).toEqual([byId]);
});

test("the names of providers are read in their order, without the rows of other users", async () => {
  const steps = await stepsOf("/api/v1/names?ids=usr_1&providers=true");
  const byName = "SEARCH users USING INDEX users_by_name (organization_id=?)";
  expect(steps.filter((step) => / users |TEMP B-TREE/.test(step))).toContain(byName);
  expect(steps.filter((step) => /TEMP B-TREE/.test(step))).toEqual([]);
});

test.each([
  "users",
  "users?sort=updatedAt_desc",
  "users?role=PATIENT",
  "sessions",
  "specializations",
])("%s: the last sort column is the id, whichever index is used", async (query) => {
  const pages = (await statementsFor(`/api/v1/${query}`)).filter((text) => / limit \?/.test(text));
  expect(pages).toEqual([expect.stringMatching(/, "public_id" limit \? offset \?(\)|$)/)]);
});

describe("the overview reads one organization's rows by index:", () => {
  test.each(["sort=endDate", "sort=endDate&date=2026-03-12", "sort=share"])("%s", async (query) => {
    const steps = await stepsOf(`/api/v1/authorization-utilization?${query}`);
    expect(steps.filter((step) => /^SCAN (?!json_each)/.test(step))).toEqual([]);
    expect(steps).toContain(
      "SEARCH authorization USING COVERING INDEX authorizations_by_end (organization_id=?)",
    );
    // An authorization by its id, and a record by its authorization and time.
    const searches = steps.filter((step) =>
      /^SEARCH (authorization|encounter|session) /.test(step),
    );
    const narrow =
      /organization_id=\? AND public_id=\?|authorization_id=\? AND start_time>\? AND start_time<\?|organization_id=\? AND session_id=\?|authorizations_by_end/;
    expect(searches.filter((step) => !narrow.test(step))).toEqual([]);
    expect(searches.length).toBeGreaterThan(2);
  });

  test("patientId=usr_1", async () => {
    const steps = await stepsOf("/api/v1/authorization-utilization?patientId=usr_1");
    expect(steps).toContain(
      "SEARCH authorization USING COVERING INDEX authorizations_by_patient (organization_id=? AND patient_id=?)",
    );
  });
});

test("utilization finds an authorization by its id, and the others of its pool by an index", async () => {
  const patient_id = await newUser(database, organization, { role: "PATIENT" });
  const id = await newAuthorization(database, organization, { patient_id });
  const statements = await statementsFor(`/api/v1/authorization-utilization/${id}?timezone=UTC`);
  // Without nulls, of which SQLite knows that they equal nothing.
  const plans = statements
    .filter((text) => /^select .* from "authorizations" where /.test(text))
    .map((text) => planOf(text.replaceAll("?", "'x'"), database));
  const ofAuthorizations = (await Promise.all(plans))
    .flat()
    .filter((step) => / authorizations /.test(step));
  expect(ofAuthorizations.length).toBeGreaterThan(2);
  const narrow = /AND (public_id|authorization_pool_id)=\?/;
  expect(ofAuthorizations.filter((step) => !narrow.test(step))).toEqual([]);
});

describe("reports of some days read by index the records that start in them or extend into them:", () => {
  const days = "startDate=2026-03-01&endDate=2026-03-31";
  const narrow =
    /start_time>\? AND start_time<\?|over_midnight=\? AND (start|end)_time|(public_id|session_id|authorization_id|user_id)=\?/;
  const goingOn = [
    "SEARCH sessions USING INDEX sessions_over_midnight_by_end (organization_id=? AND over_midnight=? AND end_time>?)",
    "SEARCH sessions USING INDEX sessions_over_midnight_by_start (organization_id=? AND over_midnight=? AND start_time<?)",
    "SEARCH sessions USING INDEX sessions_by_start (organization_id=? AND start_time>? AND start_time<?)",
  ];

  test("checks", async () => {
    const steps = await stepsOf(`/api/v1/checks?${days}`);
    // The goals that are worked on are found by an index, and read once.
    expect(steps.filter((step) => /^SCAN (?!json_each|listed$)/.test(step))).toEqual([]);
    const records = steps.filter((step) => /^SEARCH (sessions?|encounters?|record) /.test(step));
    expect(records.filter((step) => !narrow.test(step))).toEqual([]);
    // Goals would read all confirmed sessions of the practice, again for every hundred of them.
    expect(records.filter((step) => step.includes("sessions_by_status"))).toEqual([]);
    expect(records).toEqual(
      expect.arrayContaining([
        "SEARCH sessions USING INDEX sessions_by_start (organization_id=? AND start_time>? AND start_time<?)",
        ...goingOn,
        "SEARCH encounter USING INDEX encounters_by_start (organization_id=? AND start_time>? AND start_time<?)",
        "SEARCH encounters USING COVERING INDEX encounters_by_session (organization_id=? AND session_id=?)",
      ]),
    );
  });

  test("checks of what a file changes, about the people whom it names", async () => {
    const span = {
      from: "2026-03-10T00:00:00.000Z",
      to: "2026-03-12T00:00:00.000Z",
    } as InstantRange;
    const [, ofPeople] = await database.read(async (db) =>
      sessionsOfSpan(db, "org_1", span, ["usr_1"]).map((query) => query.compile().sql),
    );
    const steps = await planOf(ofPeople ?? "", database);
    const byPerson = ["client", "technician", "clinician"].map(
      (person) =>
        `SEARCH sessions USING COVERING INDEX sessions_by_${person} (organization_id=? AND ${person}_id=? AND start_time>? AND start_time<?)`,
    );
    expect(steps.filter((step) => / sessions /.test(step))).toEqual([
      ...byPerson,
      "SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (organization_id=? AND public_id=?)",
    ]);
  });

  test("supervision", async () => {
    const steps = await stepsOf("/api/v1/supervision?month=2026-03");
    expect(steps.filter((step) => /^SEARCH sessions? /.test(step))).toEqual(
      expect.arrayContaining(goingOn),
    );
  });

  test.each(["", "&timezone=America/New_York", "&sort=startTime_desc", "&technicianId=usr_1"])(
    "sessions that go on as a day begins%s",
    async (more) => {
      const steps = await stepsOf(`/api/v1/sessions?startDate=2026-03-10&goesOn=true${more}`);
      expect(steps).toEqual(expect.arrayContaining(goingOn));
      const records = steps.filter((step) => /^SEARCH sessions? /.test(step));
      expect(records.filter((step) => !/start_time|end_time|public_id=/.test(step))).toEqual([]);
    },
  );

  test("delivery", async () => {
    const steps = await stepsOf(`/api/v1/delivery?${days}`);
    expect(steps.filter((step) => /^SCAN (?!json_each)/.test(step))).toEqual([]);
    const records = steps.filter((step) => /^SEARCH (sessions|encounters|record) /.test(step));
    expect(records.filter((step) => !narrow.test(step))).toEqual([]);
    expect(records.length).toBeGreaterThan(1);
  });
});

test("billing lines of some days read the encounters that start in them, of a patient those of their authorizations", async () => {
  const path = "/api/v1/billing-lines?startDate=2026-03-01&endDate=2026-03-31";
  const encounters = async (query: string) => {
    const steps = await stepsOf(`${path}${query}`);
    expect(steps.filter((step) => /^SCAN (?!json_each)/.test(step))).toEqual([]);
    return steps.filter((step) => /^SEARCH (encounter|first) /.test(step));
  };
  const ofSession =
    "SEARCH first USING COVERING INDEX encounters_by_session (organization_id=? AND session_id=?)";
  expect(await encounters("")).toEqual(
    expect.arrayContaining([
      "SEARCH encounter USING INDEX encounters_by_start (organization_id=? AND start_time>? AND start_time<?)",
      ofSession,
    ]),
  );
  const ofPatient = await encounters("&patientId=usr_1");
  expect(ofPatient.filter((step) => /encounters_by_start/.test(step))).toEqual([]);
  expect(ofPatient).toEqual(
    expect.arrayContaining([
      "SEARCH encounter USING INDEX encounters_by_authorization (organization_id=? AND authorization_id=? AND start_time>? AND start_time<?)",
      ofSession,
    ]),
  );
});

describe("the number of SQL statements does not depend on the size of the page:", () => {
  test("100 users of all ten roles take as many statements as 10, and one user no more", async () => {
    const count = async (pageSize: number, page = 1) =>
      (await statementsFor(`/api/v1/users?pageSize=${pageSize}&page=${page}`)).length;
    const [one = 0, ten, hundred = 0] = [await count(1), await count(10), await count(100)];
    expect(ten).toBe(hundred);
    expect(one).toBeLessThanOrEqual(hundred);
    expect(hundred).toBeLessThanOrEqual(24);
  });

  test.each(["sessions", "specializations", "users?role=PATIENT", "users?role=CLINICIAN"])(
    "%s",
    async (list) => {
      const path = `/api/v1/${list}${list.includes("?") ? "&" : "?"}pageSize=`;
      const one = await statementsFor(`${path}1`);
      const hundred = await statementsFor(`${path}100`);
      expect(hundred).toEqual(one);
    },
  );

  test.each(["", "&search=ana", "&search=ana+ru+xy"])(
    "the statements are the same for every page%s, so that each is prepared once",
    async (filter) => {
      const first = await statementsFor(`/api/v1/users?pageSize=20&page=2${filter}`);
      const second = await statementsFor(`/api/v1/users?pageSize=25&page=3${filter}`);
      expect(second).toEqual(first);
    },
  );
});

test("an export of changes finds records by their sequence and scans no table", async () => {
  await database.write((trx) => trx.updateTable("organizations").set({ sequence: 3 }).execute(), {
    organizationId: organization,
  });
  const steps = await stepsOf("/api/v1/practice-file?after=1");
  expect(steps.filter((step) => step.startsWith("SCAN"))).toEqual([]);
  expect(steps.filter((step) => step.includes("_by_sequence")).length).toBeGreaterThan(15);
});

test("an export of some types has no other plans than one of all", async () => {
  const all = new Set(await stepsOf("/api/v1/practice-file?after=1"));
  const some = await stepsOf("/api/v1/practice-file?types=session,encounter&after=1");
  expect(some.filter((step) => !all.has(step))).toEqual([]);
});

test.each(["calendars", "access"])("%s reads no revoked keys", async (path) => {
  const statements = await statementsFor(`/api/v1/${path}`);
  const ofKeys = statements.filter((text) => / "api_keys" /.test(text) && / order by /.test(text));
  expect(ofKeys).toHaveLength(1);
  const plans = await Promise.all(ofKeys.map((text) => planOf(text, database)));
  expect(plans.flat()).toContainEqual(expect.stringContaining(" USING INDEX api_keys_by_user "));
});

/**
 * Filters without an index of their own, which go through the organization's rows in the order of the list: in the
 * covering indexes of users, and of records that a practice has by the dozen or changes slowly.
 */
const withoutIndex = [
  "users?search=",
  "users?role=",
  "users?isActive=",
  "specializations?isActive=",
  // Leads in their order, of which an index names those with the label.
  "intake-leads?labelId=",
  "intake-stages?isActive=",
];

describe("a filter of a list finds its rows by an index of its own:", () => {
  test.each(listFilters)("%s%s", async (filter, value) => {
    const statements = await statementsFor(`/api/v1/${filter}${value}`);
    const pages = statements.filter((text) => / limit \?/.test(text));
    const plans = await Promise.all(pages.map((text) => planOf(text, database)));
    const first = plans.map((steps) => steps.find((step) => step.startsWith("SEARCH")) ?? "");
    const isNarrow = first.map((step) => step.includes("(organization_id=? AND "));
    expect(isNarrow).toEqual([!withoutIndex.includes(filter)]);
  });

  test("the list of the others has no filter that there is not", () => {
    const filters = listFilters.map(([filter]) => filter);
    expect(withoutIndex.filter((filter) => !filters.includes(filter))).toEqual([]);
  });
});
