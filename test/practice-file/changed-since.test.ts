import { describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { forgetDeletions } from "../../src/organizations/repository.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newApiKey } from "../support/factories.ts";
import { newService, TestService } from "../support/harness.ts";
import { goalTypes } from "../support/goals/bodies.ts";
import { bodyOf } from "../support/goals/transcripts.ts";
import { newLead } from "../support/intake-leads/practice.ts";
import {
  behaviorGoal,
  databaseOfFullPractice,
  encounter,
  fullPractice,
  organization,
  patient,
  session,
  skillGoal,
} from "../support/practice-file/full-practice.ts";
import {
  exportText,
  type Fields,
  mustImport,
  RecordMap,
  recordOf,
} from "../support/practice-file/practice-file.ts";
import { statementsOf } from "../support/statements.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** `GET /v1/practice-file?after=N` gives the changes since a sequence (practice file, Changed since). */

const practice = (await transcripts())(fullPractice);

/** The records that changed after a sequence, and the sequence up to which the changes go. */
const changes = (after: number, sequence: number, ...records: unknown[]): Step => [
  `GET practice-file?after=${after}`,
  200,
  [{ type: "organization", publicId: "$organization" }, ...records],
  { "Caseload-Sequence": String(sequence) },
];
const write = (...lines: Fields[]): Step => ["POST practice-file", lines, 200];
const location = { type: "location", publicId: "loc_new", name: "New" };
const changed = { type: "session", publicId: "apt_1", title: "Changed" };
const gone = { type: "encounter", publicId: "enc_1", deleted: true };

practice("after 0, or without it, there is the whole practice", [
  ["GET practice-file", 200, "$file"],
  ["GET practice-file?after=0", 200, "$file", { "Caseload-Sequence": "1" }],
]);

practice(
  "complete records that were created or changed since, and deletions, in the order of an export",
  [
    write(changed, location, gone),
    changes(1, 2, whole(location), whole({ ...session, title: "Changed" }), whole(gone)),
    changes(2, 2),
  ],
);

practice("a deletion is told until the record is created again, and none of what never was", [
  write(gone, { ...gone, publicId: "enc_none" }),
  changes(1, 2, whole(gone)),
  write(gone),
  changes(1, 2, whole(gone)),
  write(encounter),
  changes(1, 3, whole(encounter)),
  changes(2, 3, whole(encounter)),
]);

practice("a file has one sequence for all that it changes, also if that is the organization", [
  write(
    { type: "location", publicId: "loc_main", name: "Renamed" },
    { type: "location", publicId: "loc_north", name: "North clinic" },
    { type: "user", publicId: "usr_kid", clinicianIds: ["usr_bcba"] },
    { type: "intakeLead", publicId: "lead_1", labelIds: [] },
  ),
  changes(
    ...([1, 2] as const),
    { publicId: "loc_main", name: "Renamed" },
    { publicId: "usr_kid", clinicianIds: ["usr_bcba"] },
    { publicId: "lead_1", labelIds: [] },
  ),
  write({ type: "organization", name: "Renamed" }),
  changes(2, 3),
  changes(3, 3),
]);

const { type, treatmentPlanId, ...hands } = { ...skillGoal, childGoals: [] } as Fields;
const tap = { ...(skillGoal.childGoals as Fields[])[0], type, treatmentPlanId };
practice("a goal that loses a child is told, and as deleted one that becomes a child", [
  write(tap),
  changes(
    ...([1, 2] as const),
    { publicId: "goal_hands", childGoals: [{ publicId: "goal_a_soap" }] },
    { publicId: "goal_z_tap", childGoals: [{ publicId: "goal_handle" }] },
  ),
  write(
    { type: "goal", publicId: "goal_z_tap", childGoals: [hands] },
    { type: "goal", publicId: "goal_hands", deleted: true },
  ),
  changes(
    ...([2, 3] as const),
    { publicId: "goal_z_tap", childGoals: [{ publicId: "goal_hands" }] },
    whole({ type: "goal", publicId: "goal_hands", deleted: true }),
  ),
]);

practice("what is no sequence, or above the last, is refused", [
  ...(
    [
      ["2", "custom"],
      ["9007199254740993", "custom"],
      ["-1", "too_small"],
      ["x", "invalid_type"],
    ] as const
  ).map(([after, code]): Step => [
    ...([`GET practice-file?after=${after}`, 400] as const),
    { validationErrors: [{ code, path: ["after"] }] },
  ]),
]);

const newUser = { firstName: "Ida", lastName: "Newly" };
practice("a created user, and one with the leads of a care team", [
  ["POST users", { ...newUser, role: "CLINICIAN" }, 200, { user: { publicId: "$ida" } }],
  changes(1, 2, { publicId: "$ida", firstName: "Ida" }),
  [
    ...(["POST users", { ...newUser, careTeamLeadIds: ["usr_bcba"] }, 200] as const),
    { user: { publicId: "$ivo" } },
  ],
  changes(
    2,
    3,
    { publicId: "$ivo", role: "TECHNICIAN" },
    { publicId: "usr_bcba", careTeamTechnicianIds: ["$ivo", "usr_tech", "usr_tech2"] },
  ),
]);

practice("a lead with its client and its caregiver", [
  [
    ...(["POST intake-leads", newLead(), 201] as const),
    { client: { publicId: "$client" }, caregiver: { publicId: "$caregiver" } },
  ],
  changes(
    ...([1, 2] as const),
    ...["$client", "$caregiver"].map((publicId) => ({ publicId, isActive: true })),
    { type: "intakeLead", clientId: "$client", caregiverId: "$caregiver" },
  ),
]);

for (const goalType of goalTypes)
  practice(`a ${goalType} goal that is created, changed and deleted`, [
    ["POST goals", bodyOf(goalType), 201, { publicId: "$goal" }],
    changes(1, 2, { publicId: "$goal", goalType }),
    ["PATCH goals/$goal", { status: "MASTERED" }, 200],
    changes(2, 3, { publicId: "$goal", status: "MASTERED" }),
    ["DELETE goals/$goal", 200],
    changes(3, 4, whole({ type: "goal", publicId: "$goal", deleted: true })),
  ]);

practice("a changed child goal, as its top goal", [
  ["PATCH goals/goal_z_tap", { status: "MASTERED" }, 200],
  ["GET practice-file?ids=goal_hands", 200, [{}, "$hands"]],
  changes(1, 2, "$hands"),
  ["DELETE goals/goal_z_tap", 200],
  changes(2, 3, { publicId: "goal_hands", childGoals: [{ publicId: "goal_a_soap" }] }),
]);

practice("a file without changes, a dry run and a refused file do not increase the sequence", [
  write(...fullPractice),
  ["POST practice-file?dryRun=true", [changed], 200],
  ["POST practice-file", [{ ...changed, title: 5 }], 400],
  changes(1, 1),
]);

practice("a sequence before deletions that are no longer known is a 410, and a later one is not", [
  write(gone),
  write({ ...changed, title: "Later" }),
  [
    (database, organizationId) =>
      database.write(
        (trx) => forgetDeletions(trx, organizationId, "2027-04-15T15:00:00.000Z" as Instant),
        { organizationId },
      ),
  ],
  [
    "GET practice-file?after=1",
    410,
    whole({ error: "Changes since 1 are no longer known; export everything", statusCode: 410 }),
  ],
  changes(2, 3, { publicId: "apt_1", title: "Later" }),
  ["GET practice-file?after=0", 200, undefined, { "Caseload-Sequence": "3" }],
]);

const PATH = "/api/v1/practice-file";
const own: Fields = { type: "organization", publicId: "org_maple" };

async function newPractice() {
  const service = new TestService(await databaseOfFullPractice());
  const key = await newApiKey(service.database, "org_maple");
  const changes = async (after: number) => {
    const { headers, text } = await service.call(`GET ${PATH}?after=${after}`, { key });
    return { sequence: Number(headers.get("caseload-sequence")), text };
  };
  return { service, database: service.database, key, changes };
}

test("after the last sequence nothing but the organization is read", async () => {
  const { service, key } = await newPractice();
  const { statements } = await statementsOf(() => service.call(`GET ${PATH}?after=1`, { key }));
  const tables = statements.flatMap((text) => /from "(\w+)"/.exec(text)?.[1] ?? []);
  expect(tables.filter((table) => !/^(api_keys|audit_|key_|users$)/.test(table))).toEqual(
    tables.filter((table) => table === "organizations"),
  );
});

test("the changes, completely or twice imported, bring a copy to the same state, byte for byte", async () => {
  const { database, changes } = await newPractice();
  const copy = (await newService()).database;
  await mustImport(copy, (await changes(0)).text);
  await mustImport(
    database,
    [
      own,
      { type: "user", publicId: patient.publicId, addressLine1: null, firstName: "Leonard" },
      { type: "goal", publicId: behaviorGoal.publicId, deleted: true },
      { type: "encounter", publicId: "enc_1", units: 3 },
      { ...organization, name: "Maple Street" },
    ].filter(({ type }, index) => type !== "organization" || index === 0),
  );
  const { text } = await changes(1);
  for (let times = 0; times < 2; times += 1) {
    await mustImport(copy, text);
    expect(await exportText(copy, "org_maple")).toBe(await exportText(database, "org_maple"));
  }
});

describe("the response", () => {
  test("is compressed if the client accepts gzip", async () => {
    const { service, database, key } = await newPractice();
    for (const [accepted, isCompressed] of [
      ["gzip, deflate, br", true],
      ["GZIP;q=0.5", true],
      ["gzip;q=0, br", false],
      ["identity", false],
    ] as const) {
      const response = await service.app.handle(
        new Request(`http://localhost${PATH}`, {
          headers: { Authorization: `Bearer ${key}`, "Accept-Encoding": accepted },
        }),
      );
      expect(response.headers.get("content-encoding")).toBe(isCompressed ? "gzip" : null);
      expect(response.headers.get("vary")).toBe("Accept-Encoding, Origin");
      const bytes = await response.bytes();
      const text = new TextDecoder().decode(isCompressed ? gunzipSync(bytes) : bytes);
      expect(text).toBe(await exportText(database, "org_maple"));
    }
  });

  test("to HEAD has the sequence and no file", async () => {
    const { service, key } = await newPractice();
    const { status, headers, text } = await service.call(`HEAD ${PATH}?after=1`, { key });
    expect([status, headers.get("caseload-sequence"), text]).toEqual([200, "1", ""]);
  });

  test("holds no snapshot open while the client does not read it", async () => {
    const { service, database, key } = await newPractice();
    const response = await getUnread(service, key);
    await mustImport(database, [own, { type: "session", publicId: "apt_1", title: "Meanwhile" }]);
    expect(database.file?.emptyLog() ?? true).toBe(true);
    expect(await response.text()).not.toContain("Meanwhile");
  });

  test("is limited to two per organization and four in all at the same time; another request responds 429", async () => {
    const { service, database, key } = await newPractice();
    const others = [];
    for (const id of ["org_a", "org_b"]) {
      await mustImport(database, [{ type: "organization", publicId: id, name: "Other" }]);
      others.push(await newApiKey(database, id));
    }
    const [a = "", b = ""] = others;
    const refusal = [429, { error: "Too many requests", statusCode: 429 }];
    const unread = [await getUnread(service, key), await getUnread(service, key)];
    const third = await service.call(`GET ${PATH}`, { key });
    expect([third.status, third.body]).toEqual(refusal as never);
    expect(third.headers.get("retry-after")).toBe("10");
    unread.push(await getUnread(service, a), await getUnread(service, b));
    expect((await service.call(`GET ${PATH}`, { key: a })).status).toBe(429);
    for (const response of unread) await response.text();
    expect((await service.call(`GET ${PATH}`, { key })).status).toBe(200);
    const rows = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select(["status", "patient_ids"])
        .where("organization_id", "=", "org_a")
        .where("key_id", "is not", null)
        .orderBy("sequence")
        .execute(),
    );
    expect(rows).toEqual([
      { status: 200, patient_ids: '"*"' },
      { status: 429, patient_ids: "[]" },
    ]);
    const cancelled = await getUnread(service, key);
    await cancelled.body?.cancel();
    expect((await service.call(`GET ${PATH}`, { key })).status).toBe(200);
  });
});

function getUnread({ app }: TestService, key: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}` };
  return Promise.resolve(app.handle(new Request(`http://localhost${PATH}`, { headers })));
}

test("a clock that went ahead and back loses no change: sequences count writes, not time", async () => {
  const { database, changes } = await newPractice();
  const copy = new RecordMap();
  copy.apply((await changes(0)).text);
  let { sequence } = await changes(0);
  const writes: [now: string, records: Fields[]][] = [
    ["2030-01-01T00:00:00.000Z", [{ type: "user", publicId: "usr_kid", city: "Salem" }]],
    ["2020-01-01T00:00:00.000Z", [{ type: "user", publicId: "usr_kid", city: "Dover" }]],
    ["2030-01-01T00:00:00.000Z", [{ type: "encounter", publicId: "enc_1", deleted: true }]],
    ["2020-01-01T00:00:00.000Z", [{ type: "intakeLead", publicId: "lead_2", deleted: true }]],
  ];
  for (const [now, records] of writes) {
    await mustImport(database, [own, ...records], { now });
    const next = await changes(sequence);
    expect(next.sequence).toBe(sequence + 1);
    copy.apply(next.text);
    copy.expectToEqual(await exportText(database, "org_maple"));
    ({ sequence } = next);
  }
  expect(await recordOf(database, "usr_kid")).toMatchObject({
    city: "Dover",
    updatedAt: "2020-01-01T00:00:00.000Z",
  });
});
