import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { newApiKey } from "../support/factories.ts";
import { expectedList } from "../support/goals/progress-oracle.ts";
import { newWorld, type Random, recordsOf, STAFF } from "../support/goals/random-world.ts";
import { newService, NOW } from "../support/harness.ts";
import { type Fields, mustImport } from "../support/practice-file/practice-file.ts";

/** Which goals GET /v1/goal-progress lists, and which of their points. */

const service = await newService();
const [random] = fc.sample(fc.gen(), { numRuns: 1, seed: 6 }) as [Random];
const world = newWorld(random, NOW);
await mustImport(service.database, recordsOf(world));
const key = await newApiKey(service.database, "org_goals");
const all = expectedList(world);

async function listed(query: string) {
  const { status, body } = await service.call(`GET /api/v1/goal-progress?${query}`, { key });
  expect(status).toBe(200);
  return body as { data: typeof all; pagination: { totalCount: number } };
}

const whole = "pageSize=100&startDate=2020-01-01";

describe("a filter lists", () => {
  const [first] = all as [(typeof all)[number]];
  const child = all.find(({ steps, parentGoalId }) => steps !== null && parentGoalId !== null)!;
  const below = (id: unknown): unknown[] => [
    id,
    ...all.flatMap(({ goalId, parentGoalId }) => (parentGoalId === id ? below(goalId) : [])),
  ];
  const cases: [query: string, isListed: (goal: (typeof all)[number]) => boolean][] = [
    [`patientId=${first.patientId}`, ({ patientId }) => patientId === first.patientId],
    ["treatmentPlanId=tp_1", ({ treatmentPlanId }) => treatmentPlanId === "tp_1"],
    ["status=IN_PROGRESS", ({ status }) => status === "IN_PROGRESS"],
    ["status=ON_HOLD,MASTERED", ({ status }) => ["ON_HOLD", "MASTERED"].includes(String(status))],
    [`goalId=${child.goalId}`, ({ goalId }) => below(child.goalId).includes(goalId)],
    [`goalId=${first.goalId}`, ({ goalId }) => below(first.goalId).includes(goalId)],
    [
      `patientId=${first.patientId}&treatmentPlanId=tp_1&status=BASELINE`,
      (goal) =>
        goal.patientId === first.patientId &&
        goal.treatmentPlanId === "tp_1" &&
        goal.status === "BASELINE",
    ],
    ...["patientId", "treatmentPlanId", "goalId", "providerId"].map(
      (name): (typeof cases)[number] => [`${name}=none`, () => false],
    ),
  ];
  test.each(cases)("%s", async (query, isListed) => {
    expect((await listed(`${query}&${whole}`)).data).toEqual(all.filter(isListed));
  });

  test.each(STAFF)("providerId=%s: the goals of their own patients", async (id) => {
    const since = new Date(Date.parse(NOW) - 90 * 86_400_000).toISOString();
    const own = world.sessions.filter(
      ({ technicianId, clinicianId, startTime }: Fields) =>
        [technicianId, clinicianId].includes(id) && String(startTime) >= since,
    );
    const patients = new Set(own.map(({ clientId }) => clientId));
    expect((await listed(`providerId=${id}&${whole}`)).data).toEqual(
      all.filter(({ patientId }) => patients.has(patientId)),
    );
  });
});

test("startDate cuts what is shown, and never what is judged; by default 182 days are shown", async () => {
  const cut = (start: (goal: (typeof all)[number]) => string) =>
    all.map((goal) => ({
      ...goal,
      points: goal.points.filter(({ endDate }) => String(endDate) >= start(goal)),
    }));
  expect((await listed("pageSize=100&startDate=2026-03-01")).data).toEqual(cut(() => "2026-03-01"));
  const today = (zone: string) => Temporal.Instant.from(NOW).toZonedDateTimeISO(zone).toPlainDate();
  expect((await listed("pageSize=100")).data).toEqual(
    cut(({ timezone }) => String(today(timezone).subtract({ days: 182 }))),
  );
});

test("pages are parts of the list", async () => {
  const { data, pagination } = await listed("page=2&pageSize=2&startDate=2020-01-01");
  expect([data, pagination.totalCount]).toEqual([all.slice(2, 4), all.length]);
});

test("a status that is none, or named twice, is refused", async () => {
  for (const status of ["DONE", "BASELINE,BASELINE", "BASELINE,", ""]) {
    const { status: code, body } = await service.call(
      `GET /api/v1/goal-progress?status=${status}`,
      {
        key,
      },
    );
    const [issue] = (body as { validationErrors: object[] }).validationErrors;
    expect([code, issue]).toMatchObject([400, { code: "invalid_enum_value", path: ["status"] }]);
  }
});
