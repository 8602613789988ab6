import { expect, test } from "bun:test";
import { expectedList, type World } from "../support/goals/progress-oracle.ts";
import { tryWorlds } from "../support/goals/random-world.ts";
import { newService, NOW } from "../support/harness.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";

/**
 * The checks of goals in random practices, compared with what follows from their progress as the oracle of it has it
 * (progress-oracle.ts).
 */

type Progress = ReturnType<typeof expectedList>[number];

const TAUGHT = ["BASELINE", "IN_PROGRESS"];
const KEPT_UP = ["IN_MAINTENANCE", "MASTERED"];

/** The day of a goal's patient. */
const today = (goal: Progress): string =>
  String(Temporal.Instant.from(NOW).toZonedDateTimeISO(goal.timezone).toPlainDate());

const rules: Record<string, (goal: Progress) => boolean> = {
  GOAL_MET: ({ status, isMet }) => TAUGHT.includes(String(status)) && isMet === true,
  GOAL_SILENT: ({ status, sessionsSince, steps, lastRecordedAt }) =>
    TAUGHT.includes(String(status)) &&
    sessionsSince >= 6 &&
    !(steps !== null && lastRecordedAt === null),
  GOAL_NO_LONGER_MET: ({ status, points }) => {
    const last = points.filter(({ state }) => state === "COUNTS").slice(-2);
    return (
      KEPT_UP.includes(String(status)) &&
      last.length === 2 &&
      last.every(({ meets }) => meets === false)
    );
  },
  GOAL_PAST: (goal) =>
    TAUGHT.includes(String(goal.status)) &&
    goal.targetDate !== null &&
    goal.targetDate < today(goal),
};

const NAMES = Object.keys(rules).join(",");

/** The practice of a patient with a clinician, in each fourth one of an inactive one. */
function withClinician({ users }: World, count: number): void {
  const kid = kidOf(users);
  kid.primaryClinicianId = "usr_bcba";
  if (count % 4 === 0) kid.isActive = false;
}

const kidOf = (users: readonly Fields[]) => users.find(({ role }) => role === "PATIENT") as Fields;

test("goals are found that are met, silent, no longer met, or past their date", async () => {
  const seen = new Set<string>();
  const compare = async (world: World, read: (path: string) => Promise<Fields[]>) => {
    const kid = kidOf(world.users);
    const find = (query: string) => read(`checks?check=${NAMES}&pageSize=100${query}`);
    const found = await find("");
    const expected = Object.entries(rules).flatMap(([check, rule]) =>
      expectedList(world)
        .filter((goal) => rule(goal))
        .filter(({ patientId }) => patientId !== kid.publicId || kid.isActive !== false)
        .map((goal) => ({
          ...{ check, date: today(goal), timezone: goal.timezone, patientId: goal.patientId },
          providerId: goal.patientId === kid.publicId ? "usr_bcba" : null,
          ...{ sessionIds: [], encounterIds: [], authorizationId: null, poolId: null },
          ...{ payorId: null, units: null, goalId: goal.goalId },
        })),
    );
    for (const { check } of expected) seen.add(check);
    const order = (one: Fields) =>
      [one.date, Object.keys(rules).indexOf(String(one.check)), one.providerId ?? "", one.goalId]
        .map(String)
        .join(" ");
    const sorted = expected.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
    expect(found).toEqual(sorted.map((each) => expect.objectContaining(each)));
    expect(await find("&providerId=usr_bcba")).toEqual(
      found.filter(({ providerId }) => providerId === "usr_bcba"),
    );
    expect(await find("&endDate=2026-03-08&startDate=2026-03-01")).toEqual([]);
    expect(await find("&payorId=pay_1")).toEqual([]);
  };
  await tryWorlds(await newService(), compare, withClinician);
  expect(seen).toEqual(new Set(Object.keys(rules)));
});
