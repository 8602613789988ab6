import { beforeEach, describe, expect, test } from "bun:test";
import { newApiKey, issueKey } from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";
import { exportRecords, type Fields, mustImport } from "../support/practice-file/practice-file.ts";

/**
 * Recording on goals: POST /v1/goals/{goalId}/recorded-data adds, and never replaces; DELETE removes one entry. Each test
 * is a practice, requests and their answers.
 */

const service = await newService();
const { database, clock } = service;
let organization = "";
let made = 0;
let key = "";

const metric = (value: number, successCriteria: string | null, more: Fields = {}) => ({
  ...{ publicId: "metric_1", value, unit: "PERCENTAGE", successCriteria, ...more },
});
const trial = (publicId: string, happenedAt: string, outcome = "SUCCESS"): Fields => ({
  ...{ publicId, outcome, happenedAt },
});
const metrics = {
  baselineMetric: metric(20, null),
  successMetric: metric(80, "GREATER_THAN_OR_EQUAL_TO"),
  maintenanceMetric: metric(90, "GREATER_THAN_OR_EQUAL_TO"),
};
const skill: Fields = {
  ...{ type: "goal", publicId: "goal_skill", treatmentPlanId: "tp_1", goalType: "opportunity" },
  ...{ status: "IN_PROGRESS", skillAcquisitionGoalType: "CHAINED_GOAL", goalStatement: "Washes." },
  ...{ enabledOutcomes: ["SUCCESS"], ...metrics },
};
const step: Fields = { ...skill, publicId: "goal_step" };
delete step.type;
delete step.treatmentPlanId;
const behavior: Fields = {
  ...{ type: "goal", publicId: "goal_behavior", treatmentPlanId: "tp_1" },
  ...{ goalType: "frequency_duration", goalStatement: "Asks.", ...metrics },
};
const rating: Fields = {
  ...{ type: "goal", publicId: "goal_rating", treatmentPlanId: "tp_1", goalType: "rating" },
  title: "Calm",
};
const interval: Fields = {
  ...{ type: "goal", publicId: "goal_interval", treatmentPlanId: "tp_1", goalType: "interval" },
  ...{ title: "On task", intervalDuration: 30, intervalQuantity: 10, sets: 1 },
  intervalRecordingType: "WHOLE",
};
const user = (publicId: string, role: string, more: Fields = {}): Fields => ({
  ...{ type: "user", publicId, role, firstName: "Ana", lastName: "Ruiz", ...more },
});
const people = [
  user("usr_kid", "PATIENT", { timezone: "America/New_York" }),
  user("usr_other", "PATIENT"),
  user("usr_tech", "TECHNICIAN"),
  user("usr_bcba", "CLINICIAN"),
  { type: "treatmentPlan", publicId: "tp_1", patientId: "usr_kid" },
  { type: "treatmentPlan", publicId: "tp_2", patientId: "usr_other" },
  { type: "location", publicId: "loc_1", name: "Main" },
  { type: "nonBillableCode", publicId: "nbc_1", name: "Care" },
  {
    ...{ type: "session", publicId: "apt_1", title: "Care", status: "CONFIRMED" },
    ...{ startTime: "2026-03-10T14:00:00.000Z", endTime: "2026-03-10T16:00:00.000Z" },
    ...{ isSupervision: false, isClientPresent: true, placeOfService: "HOME" },
    ...{ locationId: "loc_1", technicianId: "usr_tech", clientId: "usr_kid", isBillable: false },
    nonBillableCode: "nbc_1",
  },
];

beforeEach(() => {
  made += 1;
  organization = `org_${made}`;
  clock.set(NOW);
});

async function practice(goals: Fields[], own: Fields = {}): Promise<void> {
  await mustImport(database, [
    { type: "organization", publicId: organization, name: "Maple", ...own },
    ...people,
    ...goals,
  ]);
  key = await newApiKey(database, organization);
}

async function keyOf(userId: string): Promise<string> {
  return (await issueKey(database, organization, { holder: { userId } })).key;
}

async function ask(line: string, json?: unknown, as = key): Promise<[number, unknown]> {
  const [method, path] = line.split(" ");
  const { status, body } = await service.call(`${method} /api/v1/${path}`, {
    ...{ key: as },
    ...(json !== undefined && { json }),
  });
  return [status, body];
}

const record = (goal: string, entries: unknown[], as?: string) =>
  ask(`POST goals/${goal}/recorded-data`, { entries }, as);
const remove = (goal: string, entry: string, as?: string) =>
  ask(`DELETE goals/${goal}/recorded-data/${entry}`, undefined, as);
const shown = async (goal: string): Promise<Fields> =>
  (await ask(`GET goals/${goal}`))[1] as Fields;
const stored = async (goal: string): Promise<Fields> =>
  (await exportRecords(database, organization)).find(({ publicId }) => publicId === goal) as Fields;
const done = (recorded: number, alreadyThere: number, more: Fields = {}): [number, unknown] => [
  201,
  {
    ...{ recorded, alreadyThere, status: "IN_PROGRESS", advancedFrom: null },
    ...{ isMet: null, inARow: 0, next: null, ...more },
  },
];
const mistake = (code: string, ...path: (string | number)[]): [number, unknown] => [
  400,
  { error: "Validation error", details: [expect.objectContaining({ code, path })] },
];
const FORBIDDEN: [number, unknown] = [
  403,
  { error: "Insufficient permissions for this action", statusCode: 403 },
];
const UNKNOWN: [number, unknown] = [404, { error: "Goal not found" }];

/** So many successes on each of some days, from 15:00 on. */
const days = (...list: [day: string, successes: number, of: number][]): Fields[] =>
  list.flatMap(([day, successes, of]) =>
    Array.from({ length: of }, (_, index) =>
      trial(
        `rec_${day}_${index}`,
        `2026-03-${day}T15:0${index}:00.000Z`,
        index < successes ? "SUCCESS" : "FAILURE",
      ),
    ),
  );

describe("adds entries of the goal's kind in order of time, and replaces none", () => {
  const cases: [goal: Fields, list: string, before: Fields, added: Fields, stored: Fields][] = [
    [
      ...([skill, "skillTrials"] as const),
      trial("trial_1", "2026-03-09T15:00:00.000Z"),
      { outcome: "PROMPTED", happenedAt: "2026-03-08T10:00:00-05:00" },
      { outcome: "PROMPTED", happenedAt: "2026-03-08T15:00:00.000Z" },
    ],
    [
      ...([behavior, "behaviorInstances"] as const),
      { publicId: "b_1", quantity: 2, happenedAt: "2026-03-09T15:00:00.000Z" },
      { quantity: 0, happenedAt: "2026-03-08T15:00:00Z", antecedent: "Noise" },
      {
        ...{ quantity: 0, happenedAt: "2026-03-08T15:00:00.000Z", antecedent: "Noise" },
        ...{ consequence: null, durationSeconds: null },
      },
    ],
    [
      ...([rating, "ratingInstances"] as const),
      { publicId: "r_1", value: 3, happenedAt: "2026-03-09T15:00:00.000Z" },
      { value: 4.5, happenedAt: "2026-03-08T15:00:00.000Z" },
      { value: 4.5, happenedAt: "2026-03-08T15:00:00.000Z" },
    ],
    [
      ...([interval, "intervalSets"] as const),
      { publicId: "i_1", intervals: [true], startedAt: "2026-03-09T15:00:00.000Z" },
      { intervals: [false, true], startedAt: "2026-03-08T15:00:00.000Z" },
      { intervals: [false, true], startedAt: "2026-03-08T15:00:00.000Z" },
    ],
  ];
  test.each(cases)("$publicId", async (goal, list, before, added, expected) => {
    await practice([{ ...goal, status: "IN_PROGRESS", [list]: [before] }]);
    const id = String(goal.publicId);
    const inARow = { goal_skill: 1, goal_behavior: 0 }[id] ?? null;
    expect(await record(id, [added])).toEqual(done(1, 0, { inARow }));
    expect((await shown(id))[list]).toEqual([
      { publicId: expect.stringMatching(/^rec_[0-9a-z]{26}$/), ...expected },
      expect.objectContaining(before),
    ]);
  });

  test("on a goal below another one", async () => {
    await practice([{ ...skill, childGoals: [{ ...step, childGoals: [] }] }]);
    const entry = trial("rec_1", "2026-03-11T14:00:00.000Z");
    expect(await record("goal_step", [entry])).toEqual(done(1, 0));
    const [child] = (await shown("goal_skill")).childGoals as Fields[];
    expect([child?.skillTrials, (await shown("goal_skill")).skillTrials]).toEqual([[entry], []]);
  });
});

test("what was recorded by the API, or by a file, exports the same bytes", async () => {
  const entries = [
    trial("rec_2", "2026-03-10T01:00:00.000Z"),
    trial("rec_1", "2026-03-08T23:00:00.000Z"),
  ];
  await practice([{ ...skill, skillTrials: entries }]);
  const byFile = await stored("goal_skill");
  made += 1;
  organization = `org_${made}`;
  await practice([skill]);
  for (const entry of entries) await record("goal_skill", [entry]);
  expect(await stored("goal_skill")).toEqual(byFile);
});

describe("an entry that is there already is not added again", () => {
  const entry = trial("rec_1", "2026-03-09T15:00:00.000Z");

  test("sent again, and twice in a request", async () => {
    await practice([skill]);
    const sequence = async () => {
      const answer = await service.call("GET /api/v1/me", { key });
      return answer.headers.get("caseload-sequence");
    };
    expect(
      await record("goal_skill", [entry, { ...entry, happenedAt: "2026-03-09T15:00Z" }]),
    ).toEqual(done(1, 1, { inARow: 1 }));
    const before = await sequence();
    expect(await record("goal_skill", [entry])).toEqual(done(0, 1, { inARow: 1 }));
    expect(await sequence()).toBe(before);
  });

  test("with other content it is a mistake, and nothing of the request is kept", async () => {
    await practice([skill]);
    await record("goal_skill", [entry]);
    const other = trial("rec_1", "2026-03-01T15:00:00.000Z", "FAILURE");
    expect(await record("goal_skill", [trial("rec_2", NOW), other])).toEqual(
      mistake("custom", "entries", 1, "publicId"),
    );
    expect((await shown("goal_skill")).skillTrials).toEqual([entry]);
  });
});

describe("refuses", () => {
  const cases: [why: string, goal: string, body: unknown, answer: [number, unknown]][] = [
    ["an unknown goal", "goal_none", { entries: [] }, UNKNOWN],
    ["an id that is none of a goal", "gol_1", { entries: [] }, mistake("custom", "goalId")],
    ["a body that is no object", "goal_skill", [], mistake("invalid_type")],
    ["no entries", "goal_skill", {}, mistake("invalid_type", "entries")],
    ["an empty list", "goal_skill", { entries: [] }, mistake("too_small", "entries")],
    [
      "501 entries",
      "goal_skill",
      { entries: Array(501).fill(trial("rec_1", NOW)) },
      mistake("too_big", "entries"),
    ],
    [
      "an entry of another kind",
      "goal_rating",
      { entries: [trial("rec_1", NOW)] },
      mistake("invalid_type", "entries", 0, "value"),
    ],
    [
      "a time more than 24 hours from now",
      "goal_skill",
      { entries: [trial("rec_1", "2026-03-12T15:00:00.001Z")] },
      mistake("custom", "entries", 0, "happenedAt"),
    ],
    [
      "that of an interval set",
      "goal_interval",
      { entries: [{ startedAt: "2026-03-12T15:00:00.001Z", intervals: [] }] },
      mistake("custom", "entries", 0, "startedAt"),
    ],
  ];
  test.each(cases)("%s", async (_, goal, body, answer) => {
    await practice([skill, rating, interval]);
    const [status, received] = await ask(`POST goals/${goal}/recorded-data`, body);
    expect([status, received]).toEqual(answer);
  });

  test("nothing exactly 24 hours from now, and an outcome that is not enabled", async () => {
    await practice([skill]);
    const entry = trial("rec_1", "2026-03-12T15:00:00.000Z", "NO_RESPONSE");
    expect(await record("goal_skill", [entry])).toEqual(done(1, 0));
  });

  test("more than 100,000 entries of a tree", async () => {
    const skillTrials = Array.from({ length: 99_999 }, (_, index) =>
      trial(`t_${index}`, new Date(Date.parse(NOW) - index * 60_000).toISOString()),
    );
    await practice([{ ...skill, childGoals: [{ ...step, skillTrials }] }]);
    const two = [trial("rec_1", NOW), trial("rec_2", NOW)];
    expect(await record("goal_skill", two)).toEqual(mistake("too_big", "entries"));
    expect(await record("goal_skill", two.slice(0, 1))).toMatchObject([201, { recorded: 1 }]);
    expect(await record("goal_step", two.slice(1))).toEqual(mistake("too_big", "entries"));
  });
});

describe("a goal goes on by itself when something is recorded", () => {
  const met = days(["08", 4, 5], ["09", 4, 5], ["10", 5, 5]);
  const switches = {
    autoProgressToMaintenanceEnabled: true,
    autoProgressToMasteredEnabled: true,
  };
  const phase = (status: string, since: string | null, isAutomatic = false) => ({
    ...{ status, since, isAutomatic },
  });

  test("and its criterion is met behind it: one step, kept as a phase", async () => {
    await practice([{ ...skill, ...switches }]);
    expect(await record("goal_skill", met.slice(0, 10))).toEqual(done(10, 0, { inARow: 2 }));
    expect(await record("goal_skill", met.slice(10))).toEqual(
      done(5, 0, { status: "IN_MAINTENANCE", advancedFrom: "IN_PROGRESS" }),
    );
    expect(await stored("goal_skill")).toMatchObject({
      status: "IN_MAINTENANCE",
      phases: [phase("IN_PROGRESS", null), phase("IN_MAINTENANCE", NOW, true)],
    });
    // What led to maintenance is not counted once more.
    clock.set("2026-03-15T15:00:00.000Z");
    const maintained = days(["12", 5, 5], ["13", 5, 5], ["14", 5, 5]);
    expect(await record("goal_skill", maintained)).toEqual(
      done(15, 0, {
        ...{ status: "MASTERED", advancedFrom: "IN_MAINTENANCE" },
        ...{ isMet: true, inARow: 3 },
      }),
    );
  });

  test("not with what is there already, nor today, nor without its switch", async () => {
    await practice([skill]);
    const verdict = { isMet: true, inARow: 3, next: "IN_MAINTENANCE" };
    expect(await record("goal_skill", met)).toEqual(done(15, 0, verdict));
    await ask("PATCH goals/goal_skill", switches);
    expect(await record("goal_skill", met)).toEqual(done(0, 15, verdict));
    expect(await shown("goal_skill")).toMatchObject({ status: "IN_PROGRESS" });
    clock.set("2026-03-10T20:00:00.000Z");
    await practice([{ ...skill, ...switches, skillTrials: [] }]);
    expect(await record("goal_skill", met)).toEqual(done(15, 0, { inARow: 2 }));
  });

  test("and goes back with the entry by which it did, for a day", async () => {
    await practice([{ ...skill, ...switches }]);
    await record("goal_skill", met);
    expect(await remove("goal_skill", "rec_10_4")).toEqual([
      200,
      { success: true, status: "IN_MAINTENANCE", takenBackFrom: null },
    ]);
    // Then 3 of 4 are not enough.
    for (const [id, takenBackFrom] of [
      ["rec_09_0", "IN_MAINTENANCE"],
      ["rec_09_1", null],
    ] as const)
      expect(await remove("goal_skill", id)).toEqual([
        200,
        { success: true, status: "IN_PROGRESS", takenBackFrom },
      ]);
    expect(await stored("goal_skill")).toMatchObject({
      status: "IN_PROGRESS",
      phases: [phase("IN_PROGRESS", null)],
    });
  });

  test("and stays after a day", async () => {
    await practice([{ ...skill, ...switches }]);
    await record("goal_skill", met);
    clock.set("2026-03-12T15:00:00.001Z");
    for (const { publicId } of met.slice(5, 10))
      expect(await remove("goal_skill", String(publicId))).toMatchObject([
        200,
        { status: "IN_MAINTENANCE", takenBackFrom: null },
      ]);
  });
});

test("removing: an unknown entry is 404; without its last one a goal is as if nothing was ever recorded", async () => {
  await practice([skill]);
  const before = await stored("goal_skill");
  await record("goal_skill", [trial("rec_1", NOW)]);
  expect(await remove("goal_skill", "rec_2")).toEqual([404, { error: "Entry not found" }]);
  expect(await remove("goal_none", "rec_1")).toEqual(UNKNOWN);
  await remove("goal_skill", "rec_1");
  expect(await stored("goal_skill")).toEqual(before);
  expect(await ask("GET goal-progress")).toMatchObject([
    200,
    { data: [{ lastRecordedAt: null, points: [] }] },
  ]);
});

describe("a technician records for own patients, and of the last 14 days", () => {
  const other: Fields = { ...skill, publicId: "goal_other", treatmentPlanId: "tp_2" };
  const recent = trial("rec_1", "2026-02-25T15:00:00.000Z");
  const old = trial("rec_2", "2026-02-25T14:59:59.999Z");

  test.each([
    [null, FORBIDDEN],
    ["TECHNICIANS", UNKNOWN],
  ])("with ownPatientsOnly %s", async (ownPatientsOnly, ofOthers) => {
    await practice([skill, { ...other, skillTrials: [recent] }], { ownPatientsOnly });
    const technician = await keyOf("usr_tech");
    expect(await record("goal_skill", [recent], technician)).toMatchObject([201, { recorded: 1 }]);
    expect(await record("goal_skill", [old], technician)).toEqual(
      mistake("custom", "entries", 0, "happenedAt"),
    );
    expect(await record("goal_other", [recent], technician)).toEqual(ofOthers);
    expect(await remove("goal_other", "rec_1", technician)).toEqual(ofOthers);
    expect(await record("goal_skill", [old])).toMatchObject([201, { recorded: 1 }]);
    expect(await remove("goal_skill", "rec_2", technician)).toEqual(FORBIDDEN);
    expect(await remove("goal_skill", "rec_1", technician)).toMatchObject([200, {}]);
  });

  test("a key without a user does not", async () => {
    await practice([skill]);
    const nobody = await newApiKey(database, organization, "TECHNICIAN");
    expect(await record("goal_skill", [recent], nobody)).toEqual(FORBIDDEN);
    expect(await remove("goal_skill", "rec_1", nobody)).toEqual(FORBIDDEN);
  });
});

test("what is recorded holds up deletions, and no update; a status that went on does both", async () => {
  await practice([{ ...skill, autoProgressToMaintenanceEnabled: true }]);
  const sequence = async () =>
    Number((await service.call("GET /api/v1/me", { key })).headers.get("caseload-sequence"));
  const before = await sequence();
  await record("goal_skill", [trial("rec_1", NOW)]);
  const changed = [412, { error: `Has changed since ${before}` }];
  expect(await ask(`DELETE goals/goal_skill?unchangedSince=${before}`)).toEqual(changed as never);
  const update = { goalStatement: "Washes hands." };
  const patch = (since: number) => ask(`PATCH goals/goal_skill?unchangedSince=${since}`, update);
  expect(await patch(before)).toMatchObject([200, update]);
  // A file with nothing but recorded data is the same.
  const after = await sequence();
  await mustImport(database, [
    { type: "organization", publicId: organization },
    { type: "goal", publicId: "goal_skill", skillTrials: [] },
  ]);
  expect(await patch(after)).toMatchObject([200, {}]);
  await record("goal_skill", days(["08", 5, 5], ["09", 5, 5], ["10", 5, 5]));
  expect(await patch(after)).toEqual([412, { error: `Has changed since ${after}` }]);
});

test("the audit row says how much was recorded, and what became of the status", async () => {
  await practice([{ ...skill, autoProgressToMaintenanceEnabled: true }]);
  const path = "/api/v1/goals/goal_skill/recorded-data";
  const met = days(["08", 5, 5], ["09", 5, 5], ["10", 5, 5]);
  await record("goal_skill", met.slice(0, 5));
  await record("goal_skill", met);
  await remove("goal_skill", "rec_10_1");
  const rows = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["target", "patient_ids"])
      .where("organization_id", "=", organization)
      .where("route", "like", "%recorded-data%")
      .orderBy("sequence")
      .execute(),
  );
  expect(rows.map(({ target, patient_ids }) => [target, patient_ids])).toEqual(
    [
      `${path} 5 recorded`,
      `${path} 10 recorded, IN_PROGRESS to IN_MAINTENANCE`,
      `${path}/rec_10_1 1 removed`,
    ].map((target) => [target, '["usr_kid"]']),
  );
});

test("several phones at once: each entry once, none lost", async () => {
  await practice([skill]);
  const entries = Array.from({ length: 30 }, (_, index) =>
    trial(`rec_${index}`, new Date(Date.parse(NOW) - index * 7_200_000).toISOString()),
  );
  // Each is sent twice, since its first answer was lost.
  const sent = [...entries, ...entries].map((entry) => record("goal_skill", [entry]));
  const recorded = (await Promise.all(sent)).map(([, body]) => (body as Fields).recorded);
  expect(recorded.filter((count) => count === 1).length).toBe(30);
  expect((await shown("goal_skill")).skillTrials).toEqual(entries.toReversed());
});
