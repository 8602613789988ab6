import { expect, test } from "bun:test";
import { newApiKey } from "../support/factories.ts";
import { TestService } from "../support/harness.ts";
import {
  fullPractice,
  session,
  skillGoal,
  databaseOfFullPractice,
} from "../support/practice-file/full-practice.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";
import { counters, expectNoLostIncrement, seeded } from "../support/practice-file/increments.ts";
import {
  exportText,
  type Fields,
  importAll,
  mustImport,
} from "../support/practice-file/practice-file.ts";

/** `unchangedSince`: writes of what nobody else has changed since it was read. */

const own: Fields = { type: "organization", publicId: "org_maple" };
const guard: Fields = { type: "session", publicId: "apt_1" };

function changed(...lines: (readonly [line: number, message: string])[]) {
  return whole({
    message: "Precondition Failed",
    statusCode: 412,
    validationErrors: lines.map(([line, message]) => ({
      ...{ code: "custom", message, path: [line], reason: "changed_since" },
    })),
  });
}

const malformed = (code: string, message: string) =>
  whole({
    ...{ message: "Validation Error", statusCode: 400 },
    validationErrors: [{ code, message, path: ["unchangedSince"] }],
  });

const practice = (await transcripts())(fullPractice);

/** Lines that are sent as of a sequence; 1 is that of the practice. */
const post = (
  since: number | string,
  lines: readonly Fields[],
  status: number,
  body?: unknown,
  headers: Record<string, string> = {},
): Step => [`POST practice-file?unchangedSince=${since}`, lines, status, body, headers];
const theirs = (...lines: Fields[]): Step => ["POST practice-file", lines, 200];
const gone: Fields = { type: "encounter", publicId: "enc_1" };
const line2 = changed([2, "Has changed since 1"]);

practice("writes what has not changed, and says the sequence to go on with", [
  post(1, [{ ...guard, title: "One" }], 200, { sequence: 2 }),
  post(2, [{ ...guard, title: "Two" }], 200, { sequence: 3 }),
  post(2, [{ ...guard, title: "Three" }], 412, changed([2, "Has changed since 2"])),
]);

const newLocation = { type: "location", publicId: "loc_new", name: "New" };
practice("refuses changed, deleted and new records, one issue each in the order of the file", [
  theirs(
    ...[
      { ...gone, deleted: true },
      { type: "encounter", publicId: "enc_2", units: 3 },
    ],
    ...[{ ...guard, title: "Theirs" }, newLocation],
  ),
  ["GET practice-file", 200, "$file"],
  post(
    1,
    [
      { type: "encounter", publicId: "enc_2", deleted: true },
      { ...newLocation, name: "Mine" },
      { type: "session", publicId: "apt_2", title: "Not theirs" },
      ...[guard, { ...gone, units: 9 }],
      { type: "payor", publicId: "pay_new", name: "New to all" },
    ],
    412,
    changed(
      [2, "Has changed since 1"],
      [3, "Has changed since 1"],
      [5, "Has changed since 1"],
      [6, "Has been deleted since 1"],
    ),
  ),
  ["audit", 412, { patient_ids: '"*"' }],
  ["GET practice-file", 200, "$file"],
  // Guards, lines that change nothing, and deletions of what is deleted are held against it, too.
  ...[guard, { ...guard, title: "Theirs" }, { ...guard, deleted: true }].map((line) =>
    post(1, [line], 412, line2),
  ),
  ...[gone, { ...gone, deleted: true }].map((line) =>
    post(1, [line], 412, changed([2, "Has been deleted since 1"])),
  ),
  // And so is a dry run.
  post("1&dryRun=true", [guard], 412, line2),
  post("2&dryRun=true", [{ ...guard, title: "Mine" }], 200, {
    ...{ dryRun: true, changes: { session: { changed: 1 } } },
  }),
]);

const [tap] = skillGoal.childGoals as [Fields];
const goal = { type: "goal", publicId: "goal_hands" };
const never = { type: "payor", publicId: "pay_new", deleted: true };
const again = fullPractice.find(({ publicId }) => publicId === "enc_1") as Fields;
practice(
  "does not hold ids that never were, or records elsewhere; but records made again",
  [
    ...["One.", "Two.", "Three."].map((instructions): Step => [
      ...([`elsewhere: PATCH goals/${tap.publicId}`, { instructions }, 200] as const),
    ]),
    post(1, [goal, never], 200),
    theirs({ ...gone, deleted: true }),
    theirs(again),
    post(1, [again], 412, line2),
  ],
  { elsewhere: fullPractice },
);

practice("does not hold the organization's line, whose change has a sequence, too", [
  theirs({ type: "organization", weekStartsOn: "FRIDAY" }),
  ...[[], [never]].map((lines) => post(1, lines, 200)),
]);

const many = Array.from({ length: 700 }, (_, index) => ({
  ...{ type: "location", publicId: `loc_${index}`, name: "Theirs" },
}));
practice("lists the first hundred", [
  theirs(...many),
  post(
    1,
    many.toReversed(),
    412,
    changed(...many.slice(0, 100).map((_, index) => [index + 2, "Has changed since 1"] as const)),
  ),
]);

const otherGoal = { ...skillGoal, publicId: "goal_other", childGoals: [] };
practice("a child goal is part of its goal, also of one from which it is taken", [
  theirs(otherGoal),
  post(2, [goal], 200),
  [`PATCH goals/${tap.publicId}`, { instructions: "Twice." }, 200],
  post(2, [goal], 412, changed([2, "Has changed since 2"])),
  post(2, [{ type: "goal", publicId: "goal_other", childGoals: [tap] }], 412, {
    ...changed([2, "Has changed since 2"]),
  }),
]);

const payor = { type: "payor", publicId: "pay_acme" };
const unknown = { ...session, publicId: "apt_9", locationId: "loc_none" };
practice("comes behind role and form, and before references and meaning", [
  theirs({ ...guard, title: "Theirs" }),
  ["SCHEDULING_MANAGER: POST practice-file?unchangedSince=1", [guard, payor], 403],
  post(1, [guard, { ...payor, color: "red" }], 400),
  post(1, [unknown, guard], 412, changed([3, "Has changed since 1"])),
  post(1, [unknown], 400),
]);

practice("refuses a sequence above the last one, and what is none", [
  post(2, [guard], 400, malformed("custom", "Is above the sequence of the last write")),
  post("x", [guard], 400, malformed("invalid_type", "Expected integer, received string")),
  post(-1, [guard], 400),
]);

practice("refuses a sequence that is no longer known", [
  // As a restore does.
  [
    (database, organizationId) =>
      database.write(
        (trx) =>
          trx
            .updateTable("organizations")
            .set({ sequence: 1_000_000_001, changes_known_from: 1_000_000_001 })
            .where("public_id", "=", organizationId)
            .execute(),
        { organizationId },
      ),
  ],
  ...[0, 1].map((since) =>
    post(
      ...([since, [guard], 410] as const),
      whole({
        error: `Changes since ${since} are no longer known; export everything`,
        statusCode: 410,
      }),
    ),
  ),
  post(1_000_000_001, [guard], 200),
]);

const mine = { ...guard, title: "Mine" };
const sequence = (sequence: string) => ({ "Caseload-Sequence": sequence });
const replayed = (of: string) => ({ ...sequence(of), "Idempotency-Replayed": "true" });
practice("a retry gets its first response, with its sequence, not a 412 for its own change", [
  post("1 Idempotency-Key: once", [mine], 200, "$first", sequence("2")),
  theirs({ ...guard, title: "Theirs" }),
  post("1 Idempotency-Key: once", [mine], 200, "$first", replayed("2")),
  post("2 Idempotency-Key: once", [mine], 422),
  // A 412 is not stored.
  post("1 Idempotency-Key: refused", [mine], 412),
  post("3 Idempotency-Key: refused", [mine], 200),
]);

const reads = [
  ...["me", "users", "users/usr_kid", "sessions", "sessions/apt_1", "encounters"],
  ...["intake-leads", "intake-leads/lead_1", "treatment-plans", "goals", "goals/goal_handle"],
  ...["locations", "payors", "service-lines", "non-billable-codes", "specializations"],
  ...["intake-stages", "intake-labels", "authorization-utilization/auth_1/summary"],
  "practice-file",
];
const rating = { type: "rating", title: "Calm", treatmentPlanId: "tp_1" };
practice("Caseload-Sequence is in responses of reads, writes and their replays", [
  theirs({ ...guard, title: "Theirs" }),
  ...["GET", "HEAD"].flatMap((method) =>
    reads.map((path): Step => [`${method} ${path}`, 200, undefined, sequence("2")]),
  ),
  ["POST goals Idempotency-Key: goal", rating, 201, "$goal", sequence("3")],
  theirs({ ...guard, title: "Theirs again" }),
  ["POST goals Idempotency-Key: goal", rating, 201, "$goal", replayed("3")],
]);

test("import --unchanged-since tells the changed records, also those that would be deleted as missing", async () => {
  const database = await databaseOfFullPractice();
  await mustImport(database, [
    ...[own, { ...guard, title: "Theirs" }],
    { type: "encounter", publicId: "enc_2", units: 3 },
  ]);
  const before = await exportText(database, "org_maple");
  const outcome = await importAll(
    database,
    [own, { type: "encounter", publicId: "enc_1" }, { ...guard, title: "Mine" }],
    { unchangedSince: 1, deleteMissing: ["encounter"], deleteMany: true },
  );
  if (!("mistakes" in outcome)) throw new Error("It was imported");
  expect([outcome.changedSince, outcome.mistakes.report("f")]).toEqual([
    1,
    ["f:3: session apt_1: Has changed since 1", "f: encounter enc_2: Has changed since 1"],
  ]);
  expect(await exportText(database, "org_maple")).toBe(before);
  const options = { unchangedSince: 2 };
  const again = await importAll(database, [own, { ...guard, title: "Mine" }], options);
  expect("mistakes" in again).toBe(false);
});

for (const name of ["units", "title"] as const)
  test(`no increment of two writers by turns is lost: ${name}`, async () => {
    const database = await databaseOfFullPractice();
    const key = await newApiKey(database, "org_maple");
    const services = [new TestService(database), new TestService(database)] as const;
    const options = { key, random: seeded(1), rounds: 40 };
    await expectNoLostIncrement(counters[name], services, options);
  });
