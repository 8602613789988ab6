import { expect, test } from "bun:test";
import { newApiKey } from "../support/factories.ts";
import { child, get, line, patch, unknown } from "../support/goals/transcripts.ts";
import { newService, NOW } from "../support/harness.ts";
import { type Fields, mustImport } from "../support/practice-file/practice-file.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";
import { user } from "../support/users/bodies.ts";

/** Recording on goals: POST /v1/goals/{goalId}/recorded-data adds, and never replaces; DELETE removes one entry. */

const practice = await transcripts();

const trial = (publicId: string, happenedAt: string, outcome = "SUCCESS"): Fields => ({
  ...{ publicId, outcome, happenedAt },
});
const metric = (value: number, successCriteria: string | null) => ({
  ...{ publicId: "metric_1", value, unit: "PERCENTAGE", successCriteria },
});
const ongoing = {
  ...{ status: "IN_PROGRESS", baselineMetric: metric(20, null) },
  successMetric: metric(80, "GREATER_THAN_OR_EQUAL_TO"),
  maintenanceMetric: metric(90, "GREATER_THAN_OR_EQUAL_TO"),
};
const skillOf = (more: Fields = {}) =>
  line("goal_skill", "opportunity", { ...ongoing, enabledOutcomes: ["SUCCESS"], ...more });
const below = (more: Fields = {}) => child("goal_step", { ...ongoing, ...more });
const skill = skillOf();
const rating = line("goal_rating", "rating", { status: "IN_PROGRESS" });
const interval = line("goal_interval", "interval", { status: "IN_PROGRESS" });
const people = [
  user("usr_kid", "PATIENT", { timezone: "America/New_York" }),
  ...[user("usr_other", "PATIENT"), user("usr_tech", "TECHNICIAN")],
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
const withGoals = (...goals: Fields[]) => practice([...people, ...goals]);

const post = (goal: string, sent: object, status: number, body: unknown): Step => [
  `POST goals/${goal}/recorded-data`,
  sent,
  status,
  body,
];
const record = (goal: string, entries: unknown[], status: number, body: unknown): Step =>
  post(goal, { entries }, status, body);
const done = (recorded: number, alreadyThere: number, more: Fields = {}) =>
  whole({
    ...{ recorded, alreadyThere, status: "IN_PROGRESS", advancedFrom: null },
    ...{ isMet: null, inARow: 0, next: null, ...more },
  });
const remove = (goal: string, entry: string, status: number, body: object): Step => [
  `DELETE goals/${goal}/recorded-data/${entry}`,
  status,
  body,
];
const removed = (entry: string, status = "IN_PROGRESS", takenBackFrom: string | null = null) =>
  remove("goal_skill", entry, 200, whole({ success: true, status, takenBackFrom }));
const mistake = (code: string, ...path: (string | number)[]) => ({
  ...{ error: "Validation error", details: [{ code, path }] },
});
const forbidden = { error: "Insufficient permissions for this action", statusCode: 403 };
const inFile = (more: Fields): Step => [
  ...(["GET practice-file?types=goal&ids=goal_skill", 200] as const),
  [{}, { publicId: "goal_skill", ...more }],
];

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

const kinds: [goal: Fields, list: string, inARow: 0 | 1 | null, ...entries: Fields[]][] = [
  [
    ...([skill, "skillTrials", 1] as const),
    trial("trial_1", "2026-03-09T15:00:00.000Z"),
    { outcome: "PROMPTED", happenedAt: "2026-03-08T10:00:00-05:00" },
    { outcome: "PROMPTED", happenedAt: "2026-03-08T15:00:00.000Z" },
  ],
  [
    line("goal_behavior", "frequency_duration", ongoing),
    ...(["behaviorInstances", 0] as const),
    { publicId: "b_1", quantity: 2, happenedAt: "2026-03-09T15:00:00.000Z" },
    { quantity: 0, happenedAt: "2026-03-08T15:00:00Z", antecedent: "Noise" },
    {
      ...{ quantity: 0, happenedAt: "2026-03-08T15:00:00.000Z", antecedent: "Noise" },
      ...{ consequence: null, durationSeconds: null },
    },
  ],
  [
    ...([rating, "ratingInstances", null] as const),
    { publicId: "r_1", value: 3, happenedAt: "2026-03-09T15:00:00.000Z" },
    { value: 4.5, happenedAt: "2026-03-08T15:00:00.000Z" },
    { value: 4.5, happenedAt: "2026-03-08T15:00:00.000Z" },
  ],
  [
    ...([interval, "intervalSets", null] as const),
    { publicId: "i_1", intervals: [true], startedAt: "2026-03-09T15:00:00.000Z" },
    { intervals: [false, true], startedAt: "2026-03-08T15:00:00.000Z" },
    { intervals: [false, true], startedAt: "2026-03-08T15:00:00.000Z" },
  ],
];
for (const [goal, list, inARow, before, added, shown] of kinds)
  withGoals({ ...goal, [list]: [before] })(`${list} are added in order of time, and replace none`, [
    record(String(goal.publicId), [added], 201, done(1, 0, { inARow })),
    get(String(goal.publicId), {
      [list]: [whole({ publicId: expect.stringMatching(/^rec_[0-9a-z]{26}$/), ...shown }), before],
    }),
  ]);

const entry = trial("rec_1", "2026-03-09T15:00:00.000Z");
withGoals(skillOf({ childGoals: [below()] }))("a goal below another one has its own", [
  record("goal_step", [entry], 201, done(1, 0, { inARow: 1 })),
  get("goal_skill", { skillTrials: [], childGoals: [{ skillTrials: [entry] }] }),
]);

const two = [
  trial("rec_1", "2026-03-08T23:00:00.000Z"),
  trial("rec_2", "2026-03-10T01:00:00.000Z"),
];
practice([...people, skill], { elsewhere: [...people, skillOf({ skillTrials: two })] })(
  "what was recorded by the API, or by a file, is the same in a file",
  [
    ["elsewhere: GET practice-file?types=goal&ids=goal_skill", 200, [{}, "$line"]],
    ...two.toReversed().map((each) => record("goal_skill", [each], 201, { recorded: 1 })),
    ["GET practice-file?types=goal&ids=goal_skill", 200, [{}, "$line"]],
  ],
);

withGoals(skill)(
  "an entry that is there already is not added again; with other content it is a mistake",
  [
    record(
      "goal_skill",
      [entry, { ...entry, happenedAt: "2026-03-09T15:00Z" }],
      201,
      done(1, 1, { inARow: 1 }),
    ),
    record("goal_skill", [entry], 201, done(0, 1, { inARow: 1 })),
    // The sequence has not moved.
    patch("goal_skill?unchangedSince=3", {}, 400, { details: [{ path: ["unchangedSince"] }] }),
    record(
      "goal_skill",
      [trial("rec_2", NOW), trial("rec_1", "2026-03-01T15:00:00.000Z", "FAILURE")],
      400,
      mistake("custom", "entries", 1, "publicId"),
    ),
    get("goal_skill", { skillTrials: [entry] }),
  ],
);

withGoals(
  skill,
  rating,
  interval,
)("what is refused, and the latest time that is not", [
  post("goal_none", { entries: [] }, 404, unknown),
  post("gol_1", { entries: [] }, 400, mistake("custom", "goalId")),
  ["POST goals/goal_skill/recorded-data", "[]", 400, mistake("invalid_type")],
  post("goal_skill", {}, 400, mistake("invalid_type", "entries")),
  record("goal_skill", [], 400, mistake("too_small", "entries")),
  record("goal_skill", Array(501).fill(entry), 400, mistake("too_big", "entries")),
  record("goal_rating", [entry], 400, mistake("invalid_type", "entries", 0, "value")),
  record(
    "goal_skill",
    [trial("rec_1", "2026-03-12T15:00:00.001Z")],
    400,
    mistake("custom", "entries", 0, "happenedAt"),
  ),
  record(
    "goal_interval",
    [{ startedAt: "2026-03-12T15:00:00.001Z", intervals: [] }],
    400,
    mistake("custom", "entries", 0, "startedAt"),
  ),
  // 24 hours from now, with an outcome that is not enabled.
  record(
    "goal_skill",
    [trial("rec_1", "2026-03-12T15:00:00.000Z", "NO_RESPONSE")],
    201,
    done(1, 0),
  ),
]);

const skillTrials = Array.from({ length: 99_999 }, (_, index) =>
  trial(`t_${index}`, new Date(Date.parse(NOW) - index * 60_000).toISOString()),
);
const more = [trial("rec_1", NOW), trial("rec_2", NOW)];
withGoals(skillOf({ childGoals: [below({ skillTrials })] }))(
  "more than 100,000 entries of a tree are refused",
  [
    record("goal_skill", more, 400, mistake("too_big", "entries")),
    record("goal_skill", more.slice(0, 1), 201, { recorded: 1 }),
    record("goal_step", more.slice(1), 400, mistake("too_big", "entries")),
  ],
);

const met = days(["08", 4, 5], ["09", 4, 5], ["10", 5, 5]);
const switches = { autoProgressToMaintenanceEnabled: true, autoProgressToMasteredEnabled: true };
const switched = skillOf(switches);
const inProgress = { status: "IN_PROGRESS", since: null, isAutomatic: false };
const advanced = done(5, 0, { status: "IN_MAINTENANCE", advancedFrom: "IN_PROGRESS" });

withGoals(switched)("a goal goes on by itself when its criterion is met behind it, by one step", [
  record("goal_skill", met.slice(0, 10), 201, done(10, 0, { inARow: 2 })),
  record("goal_skill", met.slice(10), 201, advanced),
  inFile({
    status: "IN_MAINTENANCE",
    phases: [inProgress, { status: "IN_MAINTENANCE", since: NOW, isAutomatic: true }],
  }),
  // What led to maintenance is not counted once more.
  ["2026-03-15T15:00:00.000Z"],
  record(
    "goal_skill",
    days(["12", 5, 5], ["13", 5, 5], ["14", 5, 5]),
    201,
    done(15, 0, {
      ...{ status: "MASTERED", advancedFrom: "IN_MAINTENANCE", isMet: true, inARow: 3 },
    }),
  ),
]);

const verdict = { isMet: true, inARow: 3, next: "IN_MAINTENANCE" };
withGoals(skill)("it does not with what is there already, nor without its switch", [
  record("goal_skill", met, 201, done(15, 0, verdict)),
  patch("goal_skill", switches, 200),
  record("goal_skill", met, 201, done(0, 15, verdict)),
  get("goal_skill", { status: "IN_PROGRESS" }),
]);
withGoals(switched)("nor today", [
  ["2026-03-10T20:00:00.000Z"],
  record("goal_skill", met, 201, done(15, 0, { inARow: 2 })),
]);

withGoals(switched)("it goes back with the entry by which it did, for a day", [
  record("goal_skill", met, 201, { recorded: 15 }),
  removed("rec_10_4", "IN_MAINTENANCE"),
  // Then 3 of 4 are not enough.
  removed("rec_09_0", "IN_PROGRESS", "IN_MAINTENANCE"),
  removed("rec_09_1"),
  inFile({ status: "IN_PROGRESS", phases: [inProgress] }),
]);
withGoals(switched)("and stays after a day", [
  record("goal_skill", met, 201, { recorded: 15 }),
  ["2026-03-12T15:00:00.001Z"],
  ...met.slice(5, 10).map(({ publicId }) => removed(String(publicId), "IN_MAINTENANCE")),
]);

withGoals(skill)("without its last entry a goal is as if nothing was ever recorded", [
  ["GET practice-file?types=goal&ids=goal_skill", 200, "$file"],
  record("goal_skill", more.slice(0, 1), 201, { recorded: 1 }),
  remove("goal_skill", "rec_2", 404, { error: "Entry not found" }),
  remove("goal_none", "rec_1", 404, unknown),
  removed("rec_1"),
  ["GET practice-file?types=goal&ids=goal_skill", 200, "$file"],
  ["GET goal-progress", 200, { data: [{ lastRecordedAt: null, points: [] }] }],
]);

const other = line("goal_other", "opportunity", { ...ongoing, treatmentPlanId: "tp_2" });
const recent = trial("rec_1", "2026-02-25T15:00:00.000Z");
const old = trial("rec_2", "2026-02-25T14:59:59.999Z");
const as = (who: string, [request, ...rest]: Step) => [`${who}: ${request}`, ...rest] as Step;
for (const [own_patients_only, status, body] of [
  [null, 403, forbidden],
  ["TECHNICIANS", 404, unknown],
] as const)
  practice([...people, skill, { ...other, skillTrials: [recent] }], {
    organization: { own_patients_only },
  })(
    `a technician records for own patients, of the last 14 days; ownPatientsOnly ${own_patients_only}`,
    [
      ...[
        record("goal_skill", [recent], 201, { recorded: 1 }),
        record("goal_skill", [old], 400, mistake("custom", "entries", 0, "happenedAt")),
        record("goal_other", [recent], status, body),
        remove("goal_other", "rec_1", status, body),
      ].map((step) => as("usr_tech", step)),
      record("goal_skill", [old], 201, { recorded: 1 }),
      // Their phone may send again, behind the time, what was recorded within it.
      as("usr_tech", record("goal_skill", [old, recent], 201, { recorded: 0, alreadyThere: 2 })),
      as("usr_tech", remove("goal_skill", "rec_2", 403, forbidden)),
      as("usr_tech", removed("rec_1")),
      // A key without a user does not.
      as("TECHNICIAN", record("goal_skill", [recent], 403, forbidden)),
      as("TECHNICIAN", remove("goal_skill", "rec_2", 403, forbidden)),
    ],
  );

const changed = (since: number) => ({ error: `Has changed since ${since}` });
withGoals(skillOf({ autoProgressToMaintenanceEnabled: true }))(
  "what is recorded holds up deletions, and no update; a status that went on does both",
  [
    record("goal_skill", more.slice(0, 1), 201, { recorded: 1 }),
    ["DELETE goals/goal_skill?unchangedSince=1", 412, changed(1)],
    patch("goal_skill?unchangedSince=1", { goalStatement: "Washes." }, 200),
    // A file with nothing but recorded data is the same.
    [
      ...([
        "POST practice-file",
        [{ type: "goal", publicId: "goal_skill", skillTrials: [] }],
        200,
      ] as const),
    ],
    patch("goal_skill?unchangedSince=3", { goalStatement: "Washes." }, 200),
    record("goal_skill", days(["08", 5, 5], ["09", 5, 5], ["10", 5, 5]), 201, { recorded: 15 }),
    patch("goal_skill?unchangedSince=3", { goalStatement: "Dries." }, 412, changed(3)),
  ],
);

const path = "/api/v1/goals/goal_skill/recorded-data";
const audited = (target: string): Step => [
  ...(["audit", 200] as const),
  { target: `${path}${target}`, patient_ids: '["usr_kid"]' },
];
withGoals(switched)("the audit row says how much was recorded, and what became of the status", [
  record("goal_skill", met.slice(0, 5), 201, { recorded: 5 }),
  ["audit", 201, { target: `${path} 5 recorded`, patient_ids: '["usr_kid"]' }],
  record("goal_skill", met, 201, { recorded: 10 }),
  [
    "audit",
    201,
    { target: `${path} 10 recorded, IN_PROGRESS to IN_MAINTENANCE`, patient_ids: '["usr_kid"]' },
  ],
  removed("rec_10_1", "IN_MAINTENANCE"),
  audited("/rec_10_1 1 removed"),
]);

test("several phones at once: each entry once, none lost", async () => {
  const { database, call } = await newService().then((service) => ({
    ...{ database: service.database, call: service.call.bind(service) },
  }));
  await mustImport(database, [
    { type: "organization", publicId: "org_1", name: "Maple" },
    ...people,
    skill,
  ]);
  const key = await newApiKey(database, "org_1");
  const path = "/api/v1/goals/goal_skill";
  const entries = Array.from({ length: 30 }, (_, index) =>
    trial(`rec_${index}`, new Date(Date.parse(NOW) - index * 7_200_000).toISOString()),
  );
  // Each is sent twice, since its first answer was lost.
  const sent = [...entries, ...entries].map((entry) =>
    call(`POST ${path}/recorded-data`, { key, json: { entries: [entry] } }),
  );
  const recorded = (await Promise.all(sent)).map(({ body }) => (body as Fields).recorded);
  expect(recorded.filter((count) => count === 1).length).toBe(30);
  const { body } = await call(`GET ${path}`, { key });
  expect((body as Fields).skillTrials).toEqual(entries.toReversed());
});
