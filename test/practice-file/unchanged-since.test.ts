import { describe, expect, test } from "bun:test";
import { newApiKey } from "../support/factories.ts";
import { type CallOptions, TestService } from "../support/harness.ts";
import {
  fullPractice,
  organization,
  session,
  skillGoal,
  databaseOfFullPractice,
} from "../support/practice-file/full-practice.ts";
import { counters, expectNoLostIncrement, seeded } from "../support/practice-file/increments.ts";
import {
  beginHistoryAt,
  exportText,
  type Fields,
  fileOf,
  importAll,
  mustImport,
} from "../support/practice-file/practice-file.ts";

/** `unchangedSince`: writes of what nobody else has changed since it was read. */

const own: Fields = { type: "organization", publicId: "org_maple" };
const guard: Fields = { type: "session", publicId: "apt_1" };

async function setUp() {
  const database = await databaseOfFullPractice();
  const service = new TestService(database);
  const key = await newApiKey(database, "org_maple");
  const post = (lines: readonly Fields[], query: string, options: CallOptions = {}) =>
    service.call(`POST /api/v1/practice-file?${query}`, {
      key,
      raw: fileOf([own, ...lines]),
      ...options,
      headers: { "Content-Type": "application/x-ndjson", ...options.headers },
    });
  /** Changes records, as somebody else. Returns the sequence before. */
  const change = async (...lines: Fields[]) => {
    const { headers } = await service.call("GET /api/v1/me", { key });
    await mustImport(database, [own, ...lines]);
    return Number(headers.get("caseload-sequence"));
  };
  return { service, database, key, post, change };
}

function changed(...lines: (readonly [line: number, message: string])[]) {
  return {
    message: "Precondition Failed",
    statusCode: 412,
    validationErrors: lines.map(([line, message]) => ({
      ...{ code: "custom", message, path: [line], reason: "changed_since" },
    })),
  };
}

const malformed = (code: string, message: string) => ({
  message: "Validation Error",
  statusCode: 400,
  validationErrors: [{ code, message, path: ["unchangedSince"] }],
});

describe("POST /v1/practice-file?unchangedSince=N", () => {
  test("writes what has not changed, and says the sequence to go on with", async () => {
    const { post } = await setUp();
    const first = await post([{ ...guard, title: "One" }], "unchangedSince=1");
    expect([first.status, first.headers.get("caseload-sequence")]).toEqual([200, "2"]);
    const second = await post([{ ...guard, title: "Two" }], "unchangedSince=2");
    expect([second.status, second.headers.get("caseload-sequence")]).toEqual([200, "3"]);
    const third = await post([{ ...guard, title: "Three" }], "unchangedSince=2");
    expect([third.status, third.body]).toEqual([412, changed([2, "Has changed since 2"])]);
    expect(third.headers.get("caseload-sequence")).toBeNull();
  });

  test("refuses changed, deleted and new records, one issue each in the order of the file", async () => {
    const { database, post, change } = await setUp();
    const location = { type: "location", publicId: "loc_new", name: "New" };
    const since = await change(
      { type: "encounter", publicId: "enc_1", deleted: true },
      { type: "encounter", publicId: "enc_2", units: 3 },
      { ...guard, title: "Theirs" },
      location,
    );
    const before = await exportText(database, "org_maple");
    const { status, body } = await post(
      [
        { type: "encounter", publicId: "enc_2", deleted: true },
        { ...location, name: "Mine" },
        { type: "session", publicId: "apt_2", title: "Not theirs" },
        guard,
        { type: "encounter", publicId: "enc_1", units: 9 },
        { type: "payor", publicId: "pay_new", name: "New to all" },
      ],
      `unchangedSince=${since}`,
    );
    expect([status, body]).toEqual([
      412,
      changed(
        [2, `Has changed since ${since}`],
        [3, `Has changed since ${since}`],
        [5, `Has changed since ${since}`],
        [6, `Has been deleted since ${since}`],
      ),
    ]);
    expect(await exportText(database, "org_maple")).toBe(before);
  });

  test("holds every line against it: guards, lines that change nothing, deletions of what is deleted", async () => {
    const { post, change } = await setUp();
    const since = await change(
      { ...guard, title: "Theirs" },
      { type: "encounter", publicId: "enc_1", deleted: true },
    );
    for (const line of [guard, { ...guard, title: "Theirs" }, { ...guard, deleted: true }])
      expect((await post([line], `unchangedSince=${since}`)).status).toBe(412);
    const gone = { type: "encounter", publicId: "enc_1" };
    for (const line of [gone, { ...gone, deleted: true }]) {
      const { body } = await post([line], `unchangedSince=${since}`);
      expect(body).toEqual(changed([2, `Has been deleted since ${since}`]));
    }
  });

  test("does not hold the organization's line, records made again, or ids that never were", async () => {
    const { database, post, change } = await setUp();
    const encounter = fullPractice.find(({ publicId }) => publicId === "enc_1") as Fields;
    const since = 1;
    await mustImport(database, [{ ...organization, weekStartsOn: "FRIDAY" }]);
    expect((await post([], `unchangedSince=${since}`)).status).toBe(200);
    // The organization's change has a sequence, too.
    const never = { type: "payor", publicId: "pay_new", deleted: true };
    expect((await post([never], `unchangedSince=${since}`)).status).toBe(200);
    await change({ type: "encounter", publicId: "enc_1", deleted: true });
    await change(encounter);
    const { body } = await post([encounter], `unchangedSince=${since}`);
    expect(body).toEqual(changed([2, `Has changed since ${since}`]));
  });

  test("a dry run is checked, too, and says the sequence of what it looked at", async () => {
    const { post, change } = await setUp();
    const since = await change({ ...guard, title: "Theirs" });
    const refused = await post([guard], `dryRun=true&unchangedSince=${since}`);
    expect(refused.status).toBe(412);
    const line = { ...guard, title: "Mine" };
    const accepted = await post([line], `dryRun=true&unchangedSince=${since + 1}`);
    expect([accepted.status, accepted.headers.get("caseload-sequence")]).toEqual([
      200,
      `${since + 1}`,
    ]);
    expect(accepted.body).toMatchObject({ dryRun: true, changes: { session: { changed: 1 } } });
  });

  test("lists the first hundred", async () => {
    const { post, change } = await setUp();
    const lines = Array.from({ length: 700 }, (_, index) => ({
      ...{ type: "location", publicId: `loc_${index}`, name: "Theirs" },
    }));
    const since = await change(...lines);
    const { body } = await post(lines.toReversed(), `unchangedSince=${since}`);
    expect(body).toEqual(
      changed(
        ...Array.from(
          { length: 100 },
          (_, index) => [index + 2, `Has changed since ${since}`] as const,
        ),
      ),
    );
  });

  test("a child goal and recorded data are part of their goal, also of one from which it is taken", async () => {
    const { service, key, post, change } = await setUp();
    const [tap] = skillGoal.childGoals as [Fields];
    const plan = { treatmentPlanId: "tp_1", goalType: "opportunity" };
    const other = { ...skillGoal, ...plan, publicId: "goal_other", childGoals: [] };
    const since = (await change(other)) + 1;
    const goal = { type: "goal", publicId: "goal_hands" };
    expect((await post([goal], `unchangedSince=${since}`)).status).toBe(200);
    await service.call(`PATCH /api/v1/goals/${tap.publicId}`, {
      key,
      json: { instructions: "Twice." },
    });
    for (const line of [goal, { type: "goal", publicId: "goal_other", childGoals: [tap] }]) {
      const { status, body } = await post([line], `unchangedSince=${since}`);
      expect([status, body]).toEqual([412, changed([2, `Has changed since ${since}`])]);
    }
  });

  test("comes behind role and form, and before references and meaning", async () => {
    const { database, post, change } = await setUp();
    const since = await change({ ...guard, title: "Theirs" });
    const query = `unchangedSince=${since}`;
    const scheduler = await newApiKey(database, "org_maple", "SCHEDULING_MANAGER");
    const payor = { type: "payor", publicId: "pay_acme" };
    expect((await post([guard, payor], query, { key: scheduler })).status).toBe(403);
    expect((await post([guard, { ...payor, color: "red" }], query)).status).toBe(400);
    const unknown = { ...session, publicId: "apt_9", locationId: "loc_none" };
    expect((await post([unknown, guard], query)).body).toEqual(
      changed([3, `Has changed since ${since}`]),
    );
    expect((await post([unknown], query)).status).toBe(400);
  });

  test("a retry gets its first response, with its sequence, not a 412 for its own change", async () => {
    const { post, change } = await setUp();
    const options = { headers: { "Idempotency-Key": "once" } };
    const line = { ...guard, title: "Mine" };
    const first = await post([line], "unchangedSince=1", options);
    await change({ ...guard, title: "Theirs" });
    const again = await post([line], "unchangedSince=1", options);
    expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([
      ...[200, first.text, "true"],
    ]);
    expect(again.headers.get("caseload-sequence")).toBe(first.headers.get("caseload-sequence"));
    expect((await post([line], "unchangedSince=2", options)).status).toBe(422);
    // A 412 is not stored.
    const refused = { headers: { "Idempotency-Key": "refused" } };
    expect((await post([line], "unchangedSince=1", refused)).status).toBe(412);
    expect((await post([line], "unchangedSince=3", refused)).status).toBe(200);
  });

  test("names all patients in the audit entry of a 412", async () => {
    const { database, post, change } = await setUp();
    const since = await change({ ...guard, title: "Theirs" });
    await post([guard], `unchangedSince=${since}`);
    const rows = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select(["status", "patient_ids"])
        .where("route", "=", "/v1/practice-file")
        .execute(),
    );
    expect(rows).toEqual([{ status: 412, patient_ids: '"*"' }]);
  });

  test("refuses a sequence above the last one, one that is no longer known, and what is none", async () => {
    const { database, post } = await setUp();
    const above = await post([guard], "unchangedSince=2");
    const message = "Is above the sequence of the last write";
    expect([above.status, above.body]).toEqual([400, malformed("custom", message)]);
    const text = await post([guard], "unchangedSince=x");
    expect(text.body).toEqual(malformed("invalid_type", "Expected integer, received string"));
    expect((await post([guard], "unchangedSince=-1")).status).toBe(400);
    await beginHistoryAt(database, 1_000_000_001);
    for (const since of [0, 1]) {
      const { status, body } = await post([guard], `unchangedSince=${since}`);
      const error = `Changes since ${since} are no longer known; export everything`;
      expect([status, body]).toEqual([410, { error, statusCode: 410 }]);
    }
    expect((await post([guard], "unchangedSince=1000000001")).status).toBe(200);
  });

  test("knows nothing of another organization's records with the same ids", async () => {
    const { database, post } = await setUp();
    const theirs = fullPractice.map((record) =>
      record.type === "organization" ? { ...record, publicId: "org_birch" } : record,
    );
    await mustImport(database, theirs);
    for (let round = 0; round < 3; round += 1)
      await mustImport(database, [
        { type: "organization", publicId: "org_birch" },
        { ...guard, title: `Theirs ${round}` },
      ]);
    expect((await post([guard], "unchangedSince=1")).status).toBe(200);
  });
});

describe("Caseload-Sequence", async () => {
  const reads = [
    ...["me", "users", "users/usr_kid", "sessions", "sessions/apt_1", "encounters"],
    ...["intake-leads", "intake-leads/lead_1", "treatment-plans", "goals", "goals/goal_handle"],
    ...["locations", "payors", "service-lines", "non-billable-codes", "specializations"],
    ...["intake-stages", "intake-labels", "authorization-utilization/auth_1/summary"],
    "practice-file",
  ];
  const { service, key, change } = await setUp();
  await change({ ...guard, title: "Theirs" });

  test.each(reads)("GET and HEAD /v1/%s", async (path) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await service.call(`${method} /api/v1/${path}`, { key });
      expect([status, headers.get("caseload-sequence")]).toEqual([200, "2"]);
    }
  });

  test("writes of goals, and their replays", async () => {
    const json = { type: "rating", title: "Calm", treatmentPlanId: "tp_1" };
    const create = () =>
      service.call("POST /api/v1/goals", { key, json, headers: { "Idempotency-Key": "goal" } });
    const first = await create();
    expect([first.status, first.headers.get("caseload-sequence")]).toEqual([201, "3"]);
    await change({ ...guard, title: "Theirs again" });
    const again = await create();
    expect([again.status, again.text, again.headers.get("caseload-sequence")]).toEqual([
      ...[201, first.text, "3"],
    ]);
  });
});

describe("import --unchanged-since", () => {
  test("tells the changed records, also those that would be deleted as missing", async () => {
    const { database, change } = await setUp();
    const since = await change(
      { ...guard, title: "Theirs" },
      { type: "encounter", publicId: "enc_2", units: 3 },
    );
    const before = await exportText(database, "org_maple");
    const outcome = await importAll(
      database,
      [own, { type: "encounter", publicId: "enc_1" }, { ...guard, title: "Mine" }],
      { unchangedSince: since, deleteMissing: ["encounter"], deleteMany: true },
    );
    if (!("mistakes" in outcome)) throw new Error("It was imported");
    expect([outcome.changedSince, outcome.mistakes.report("f")]).toEqual([
      since,
      [
        `f:3: session apt_1: Has changed since ${since}`,
        `f: encounter enc_2: Has changed since ${since}`,
      ],
    ]);
    expect(await exportText(database, "org_maple")).toBe(before);
    const options = { unchangedSince: since + 1 };
    const again = await importAll(database, [own, { ...guard, title: "Mine" }], options);
    expect("mistakes" in again).toBe(false);
  });
});

test.each(["units", "title"] as const)(
  "no increment of two writers by turns is lost: %s",
  async (name) => {
    const { service, database, key } = await setUp();
    const services = [service, new TestService(database)] as const;
    const options = { key, random: seeded(1), rounds: 40 };
    await expectNoLostIncrement(counters[name], services, options);
  },
);
