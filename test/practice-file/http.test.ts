import { expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import { newApiKey } from "../support/factories.ts";
import { TestService } from "../support/harness.ts";
import { plainBody } from "../support/body-rules.ts";
import { validationBody } from "../support/list-rules.ts";
import {
  authorization,
  databaseOfFullPractice,
  fullPractice,
  organization,
  patient,
  session,
  skillGoal,
} from "../support/practice-file/full-practice.ts";
import { exportText, type Fields, fileOf } from "../support/practice-file/practice-file.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** `GET` and `POST /v1/practice-file`: the file of the command line, for the organization of the key. */

const MEDIA_TYPE = "application/x-ndjson";
const MIB = 1024 * 1024;
const practice = (await transcripts())(fullPractice);

const own = { type: "organization", publicId: "$organization" };
const location = { type: "location", publicId: "loc_new", name: "New clinic" };
const guard = { type: "session", publicId: "apt_1" };
const none = { created: 0, changed: 0, unchanged: 0, deleted: 0, missing: 0 };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const many = (count: number, record: Fields): Fields[] =>
  numbers(count).map((index) => ({ ...record, publicId: `${record.publicId}_${index}` }));
const manyPatients = many(1_001, { ...patient, publicId: "usr_m", email: null });

/** Sends a text as a practice file. */
const TEXT = `POST practice-file Content-Type: ${MEDIA_TYPE}`;
const forbidden = (line: number, type: string) =>
  whole(plainBody(403, `Insufficient permissions for this action: line ${line}, ${type}`));
const denied = whole(plainBody(403, "Access denied"));
const named = (patient_ids: unknown, status = 200): Step => ["audit", status, { patient_ids }];

practice(
  "GET sends everything, and nothing of another organization",
  [
    ["GET practice-file", 200, whole([{ ...organization, ...own }, ...fullPractice.slice(1)])],
    ["audit", 200, { method: "GET", route: "/v1/practice-file", patient_ids: '"*"' }],
    ["elsewhere: GET practice-file", 200, [{ type: "organization", publicId: "$elsewhere" }]],
  ],
  { elsewhere: [] },
);

/** The response to a file with the organization and a location besides the two that there are. */
const added = (sequence: number | null) =>
  whole({
    ...{ organizationId: "$organization", dryRun: sequence === null, sequence },
    counts: { organization: 1, location: 1 },
    changes: {
      organization: { ...none, unchanged: 1 },
      location: { ...none, created: 1, missing: 2 },
    },
    notes: [],
  });

practice("POST imports a file and reports the changes; with dryRun it stores nothing", [
  ["GET practice-file", 200, "$file"],
  ["POST practice-file?dryRun=true", [organization, location], 200, added(null)],
  ["POST practice-file?dryRun=true", [organization, { ...location, name: "" }], 400],
  ["GET practice-file", 200, "$file"],
  ["POST practice-file", [organization, location], 200, added(2)],
  ["audit", 200, { method: "POST", route: "/v1/practice-file", patient_ids: "[]" }],
  ["GET practice-file?ids=loc_new", 200, [{}, location]],
]);

practice("of more than 500 records that change the first 500 are listed, and all counted", [
  ...[500, 501].map((count): Step => [
    "POST practice-file?dryRun=true&changes=true",
    many(count, location),
    200,
    { records: numbers(500).map((index) => ({ line: index + 2 })), recordsTotal: count },
  ]),
]);

practice("a file has notes on data that may be unintended", [
  [
    "POST practice-file",
    [
      { ...session, status: "DECLINED", authorizationId: null },
      { type: "encounter", publicId: "enc_1", sessionId: null },
    ],
    200,
    {
      notes: [
        "Sessions from Thu, Jan 8, 2026, 9:00 AM to Thu, Jan 8, 2026, 9:00 AM (America/New_York)",
        "1 billable session of a client has no authorization: apt_1",
      ],
    },
  ],
]);

const changes = [
  { type: "encounter", publicId: "enc_1", units: 2 },
  { type: "goal", publicId: "goal_hands", deleted: true },
];
practice("the audit trail names the patients, or all if they are many or a line is invalid", [
  ["POST practice-file?dryRun=true", changes, 200],
  named('["usr_kid"]'),
  ["POST practice-file", changes, 200],
  named('["usr_kid"]'),
  ["POST practice-file", [...changes, { ...location, name: "" }], 400],
  named('"*"', 400),
  ["POST practice-file", manyPatients, 200],
  named('"*"'),
  ["GET practice-file?ids=usr_m_1000", 200, [{}, { role: "PATIENT" }]],
]);

const [tap, ...others] = skillGoal.childGoals as Fields[];
const moving = { ...session, publicId: "apt_moving", authorizationId: null };
const plan = { type: "treatmentPlan", publicId: "tp_2" };
const goal = { ...skillGoal, publicId: "goal_of_kid2", treatmentPlanId: "tp_2" };
const both = expect.stringMatching(/^\["usr_kid2?","usr_kid2?"\]$/);
const takes = (patient_ids: unknown, ...lines: Fields[]): Step[] => [
  ["POST practice-file", lines, 200],
  named(patient_ids),
];
practice("the audit trail names the patients from whom a file takes records", [
  [
    "POST practice-file",
    [
      { ...patient, publicId: "usr_former", email: null },
      { ...plan, patientId: "usr_kid2" },
      ...[moving, { ...goal, childGoals: [] }],
    ],
    200,
  ],
  ...takes(both, { ...moving, clientId: "usr_kid2" }),
  ...takes('["usr_kid2"]', { ...moving, clientId: null }),
  ...takes(both, { ...plan, patientId: "usr_kid" }),
  ...takes(both, { ...plan, patientId: "usr_kid2" }),
  ...takes('["usr_former"]', { type: "user", publicId: "usr_former", role: "CAREGIVER" }),
  // Another patient's goal loses a child goal.
  ...takes(both, { ...skillGoal, childGoals: others }, { ...goal, childGoals: [tap] }),
]);

const custom = (
  path: Issue["path"],
  message: string,
  reason: Required<Issue>["reason"],
): Issue => ({
  ...{ code: "custom", message, path, reason },
});
const [insurance] = patient.payors as Fields[];
practice("a file with an invalid line is refused: one issue per error, and nothing is written", [
  ["GET practice-file", 200, "$file"],
  [
    TEXT,
    `${fileOf([
      ...[own, { ...location, name: "", color: "red" }],
      { ...patient, payors: [{ ...insurance, payorId: "pay_none" }] },
    ])}\nno JSON\n`,
    400,
    whole(
      validationBody(
        custom([2, "name"], "location loc_new: name: must not be empty", "invalid_value"),
        custom(
          [2, "color"],
          "location loc_new: color: is no field of this record",
          "unknown_field",
        ),
        custom(
          [3, "payors", 0, "payorId"],
          "user usr_kid: payors[0].payorId: is no payor of the file or the database",
          "unknown_record",
        ),
        custom([5], "is not valid JSON", "not_json"),
      ),
    ),
  ],
  ["GET practice-file", 200, "$file"],
]);

const technicians = many(150, {
  ...{ type: "user", publicId: "usr_fit", role: "TECHNICIAN", firstName: "A", lastName: "B" },
});
const held = technicians.map(({ publicId }) => ({
  ...{ ...session, publicId: `apt_of_${publicId}`, authorizationId: null, technicianId: publicId },
}));
practice("a hundred issues are told, the first of the file, which is not read beyond", [
  ["POST practice-file", [...technicians, ...held], 200],
  [
    "POST practice-file",
    technicians.map(({ type, publicId }) => ({ type, publicId, role: "CAREGIVER" })).reverse(),
    400,
    { validationErrors: numbers(100).map((index) => ({ path: [index + 2, "role"] })) },
  ],
  [
    "POST practice-file",
    many(60, { ...location, name: "", color: "red" }),
    400,
    {
      validationErrors: numbers(50).flatMap((index) => [
        ...[{ path: [index + 2, "name"] }, { path: [index + 2, "color"] }],
      ]),
    },
  ],
  [
    TEXT,
    `${fileOf([own])}${"{}\n".repeat(2_000_000)}`,
    400,
    { validationErrors: numbers(100).map((index) => ({ path: [index + 2, "type"] })) },
  ],
]);

practice("the first line must be the organization", [
  ...["", "\n\n", fileOf([location])].map((file): Step => [
    TEXT,
    file,
    400,
    {
      validationErrors: [
        {
          ...{ code: "custom", path: [1, "type"] },
          message: expect.stringMatching(/type: must be organization on the first line/),
        },
      ],
    },
  ]),
]);

const renamed = (publicId: string) =>
  `\n${JSON.stringify({ ...organization, publicId, timezone: "nowhere" })}\nno JSON`;
practice(
  "another organization, known or not, is denied, whatever the other lines are",
  [
    [TEXT, renamed("$elsewhere"), 403, denied],
    [TEXT, renamed("org_none"), 403, denied],
    [`SCHEDULING_MANAGER: ${TEXT}`, fileOf([{ ...own, publicId: "$elsewhere" }]), 403, denied],
    [
      "elsewhere: GET practice-file",
      200,
      [{ name: "Maple Street ABA", timezone: "America/New_York" }],
    ],
  ],
  { elsewhere: [] },
);

const asScheduler = (fields: object, status: number, body?: object): Step => [
  ...(["SCHEDULING_MANAGER: POST practice-file", [{ ...own, ...fields }, guard]] as const),
  ...([status, body] as const),
];
practice("a line that would change the organization is refused, if the role may not", [
  ...[{}, organization, { name: "Maple Street ABA" }].map((fields) => asScheduler(fields, 200)),
  ...[{ name: "Other" }, { timezone: null }, { timezone: "nowhere" }, { deleted: true }].map(
    (fields) => asScheduler(fields, 403, forbidden(1, "organization")),
  ),
]);

const JSON_TYPE = "Content-Type: application/json";
practice("more than 8 MiB, another media type, and an invalid dryRun are refused, in this order", [
  [
    `POST practice-file?dryRun=5 ${JSON_TYPE}`,
    "\n".repeat(8 * MIB + 1),
    413,
    whole(plainBody(413, "Request body must not be larger than 8 MiB")),
  ],
  [
    `POST practice-file?dryRun=5 ${JSON_TYPE}`,
    "",
    415,
    whole(plainBody(415, `Content-Type must be ${MEDIA_TYPE} or text/csv`)),
  ],
  [
    `POST practice-file?dryRun=5`,
    [],
    400,
    whole(
      validationBody({
        code: "invalid_enum_value",
        message: "Invalid enum value. Expected 'true' | 'false'",
        path: ["dryRun"],
      }),
    ),
  ],
  ["POST practice-file?dryRun=true&dryRun=true", [], 400],
  [TEXT, `${fileOf([own])}${"\n".repeat(7 * MIB)}`, 200],
]);

const ONCE = "POST practice-file Idempotency-Key: once";
const replayed = { "Idempotency-Replayed": "true" };
const usedWith = (what: string) => whole(plainBody(422, `Idempotency-Key was used with ${what}`));
practice("an Idempotency-Key covers the file and dryRun", [
  [ONCE, [location], 200, "$first", { "Idempotency-Replayed": null }],
  named("[]"),
  ["POST practice-file", [{ ...location, name: "Since then" }], 200],
  [ONCE, [location], 200, "$first", replayed],
  named("[]"),
  ["POST practice-file?dryRun=false Idempotency-Key: once", [location], 200, "$first", replayed],
  ["GET practice-file?ids=loc_new", 200, [{}, { name: "Since then" }]],
  [ONCE, [], 422, usedWith("another request body")],
  named("[]", 422),
  [
    "POST practice-file?dryRun=true Idempotency-Key: once",
    ...([[location], 422, usedWith("other query parameters")] as const),
  ],
]);

practice("an Idempotency-Key does not show the response to a role that may not write the file", [
  [ONCE, [location], 200],
  [`SCHEDULING_MANAGER: ${ONCE}`, [location], 403, forbidden(2, "location")],
]);

practice("a replay names all patients again if they were many", [
  [ONCE, manyPatients, 200, {}, { "Idempotency-Replayed": null }],
  named('"*"'),
  [ONCE, manyPatients, 200, {}, replayed],
  named('"*"'),
]);

practice("a dry run is not stored for its Idempotency-Key", [
  ["POST practice-file?dryRun=true Idempotency-Key: once", [location], 200],
  [ONCE, [location], 200, { dryRun: false }],
  ["GET practice-file?ids=loc_new", 200, [{}, location]],
]);

/** The bytes of files, and requests at the same time. */
async function setUp() {
  const service = new TestService(await databaseOfFullPractice());
  const key = await newApiKey(service.database, "org_maple");
  const post = (file: string | readonly Fields[], headers: Record<string, string> = {}) =>
    service.call("POST /api/v1/practice-file", {
      ...{ key, headers: { "Content-Type": MEDIA_TYPE, ...headers } },
      raw: typeof file === "string" ? file : fileOf([organization, ...file]),
    });
  const get = () => service.call("GET /api/v1/practice-file", { key });
  return { service, database: service.database, get, post };
}

test("the bytes are those of an export; sent back, they change nothing", async () => {
  const { database, get, post } = await setUp();
  const { headers, text } = await get();
  expect([headers.get("content-type"), text]).toEqual([MEDIA_TYPE, fileOf(fullPractice)]);
  expect(text).toBe(await exportText(database, "org_maple"));
  const { body } = await post(text);
  expect(body).toMatchObject({ sequence: 1, changes: { session: { ...none, unchanged: 4 } } });
  expect(await exportText(database, "org_maple")).toBe(text);
});

test("counts are in the order of types in a file", async () => {
  const { post } = await setUp();
  const { text } = await post([patient, location]);
  expect(text).toContain('"counts":{"organization":1,"location":1,"user":1}');
});

test("a file of another organization makes none", async () => {
  const { database, post } = await setUp();
  expect((await post(fileOf([{ ...organization, publicId: "org_none" }]))).status).toBe(403);
  const known = await database.read((db) =>
    db.selectFrom("organizations").select("public_id").execute(),
  );
  expect(known).toEqual([{ public_id: "org_maple" }]);
});

test("several files that arrive at the same time are imported", async () => {
  const { get, post } = await setUp();
  const ids = ["loc_one", "loc_two", "loc_three"];
  const answers = await Promise.all(ids.map((publicId) => post([{ ...location, publicId }])));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { text } = await get();
  for (const id of ids) expect(text).toContain(id);
});

test("of two contradicting files that arrive at the same time one is imported, and the other refused", async () => {
  const { post } = await setUp();
  const free = { ...authorization, publicId: "auth_free" };
  expect((await post([free])).status).toBe(200);
  // Each file is valid without the other.
  const answers = await Promise.all([
    post([{ ...free, serviceLineId: "svc_visit" }]),
    post([{ ...session, publicId: "apt_9", authorizationId: "auth_free" }]),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test("of two equal requests with an Idempotency-Key at the same time one is imported", async () => {
  const { post } = await setUp();
  const headers = { "Idempotency-Key": "at-once" };
  const answers = await Promise.all([post([location], headers), post([location], headers)]);
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [200, answers[0].text],
    [200, answers[0].text],
  ]);
  const replayed = answers.map(({ headers }) => headers.get("Idempotency-Replayed"));
  expect(replayed.filter((header) => header === "true")).toHaveLength(1);
});
