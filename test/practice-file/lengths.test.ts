import { describe, expect, test } from "bun:test";
import { parseLine, readRecord } from "../../src/practice-file/read-record.ts";
import {
  databaseOfFullPractice,
  fullPractice,
  organization,
  skillGoal,
} from "../support/practice-file/full-practice.ts";
import { type Fields, importFile, mustImport } from "../support/practice-file/practice-file.ts";

/**
 * Maximum lengths of texts, lists and goal trees in a practice file. Requests have the same limits.
 */

/** Texts whose maximum is not 200 characters, by field name. */
const most: Record<string, number> = {
  batch: 100,
  ...Object.fromEntries(
    [
      ...["email", "addressLine1", "addressLine2", "source", "patientAddressLine1"],
      ...["patientAddressLine2", "insuredAddressLine1", "insuredAddressLine2"],
    ].map((name) => [name, 254]),
  ),
  ...Object.fromEntries(
    [
      "goalStatement",
      "definition",
      "instructions",
      "progressSummary",
      "shortDescription",
      "description",
      "antecedent",
      "consequence",
      "notes",
      "referrer",
      "landingPage",
    ].map((name) => [name, 10_000]),
  ),
};

type Path = (string | number)[];

/** Every value in a record, with its path. */
function* valuesIn(value: unknown, path: Path = []): Generator<[Path, unknown]> {
  yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, below] of Object.entries(value))
    yield* valuesIn(below, [...path, Array.isArray(value) ? Number(key) : key]);
}

function replaced(value: unknown, [step, ...below]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  const inner = replaced((value as Record<string | number, unknown>)[step], below, by);
  return Array.isArray(value)
    ? value.with(Number(step), inner)
    : { ...(value as Fields), [step]: inner };
}

const fieldOf = (path: readonly (string | number)[]): string => path.join(".");

function problemsOf(record: unknown): string[] {
  const read = readRecord(parseLine({ number: 2, text: JSON.stringify(record) }));
  return read.problems.map(({ path, message }) => `${fieldOf(path)}: ${message}`);
}

const places = fullPractice.flatMap((record) =>
  [...valuesIn(record)].map(([path, value]) => ({ record, path, value })),
);

/** The last name in a path: for an element, the name of its list. */
const nameOf = (path: Path) => String(path.findLast((step) => typeof step === "string"));

describe("every text of the full practice", () => {
  const texts = places.filter(({ value }) => typeof value === "string");

  test("is refused at 20,000 characters, and accepted at its maximum unless it has a format", () => {
    let measured = 0;
    for (const { record, path } of texts) {
      const field = fieldOf(path);
      expect([
        record.publicId,
        field,
        problemsOf(replaced(record, path, "x".repeat(20_000))),
      ]).toEqual([record.publicId, field, [expect.any(String)]]);
      const limit = most[nameOf(path)] ?? 200;
      const atLimit = problemsOf(replaced(record, path, "x".repeat(limit)));
      expect(atLimit.filter((problem) => problem.includes("at most"))).toEqual([]);
      if (atLimit.length > 0) continue;
      measured += 1;
      expect(problemsOf(replaced(record, path, "x".repeat(limit + 1)))).toEqual([
        `${field}: must have at most ${limit.toLocaleString("en-US")} characters`,
      ]);
    }
    // All others are ids, dates, instants or enumerations.
    expect(measured).toBeGreaterThan(texts.length / 4);
  });
});

test("an id has 1 to 128 characters", () => {
  for (const length of [1, 128])
    expect(problemsOf({ type: "location", publicId: "l".repeat(length), name: "Main" })).toEqual(
      [],
    );
});

describe("every list of the full practice", () => {
  const lists = places.filter(({ value }) => Array.isArray(value) && value.length > 0);

  const recorded = ["behaviorInstances", "skillTrials", "ratingInstances", "intervalSets"];

  const limits: Record<string, number> = { modifiers: 4, phases: 50, billed: 40 };

  test("has at most 500 elements, modifiers 4, phases 50, hand-overs 40; except for data recorded on a goal, and lists of users (limits.test.ts)", () => {
    const others = lists.filter(({ record }) => record.type !== "user");
    expect(others.length).toBeGreaterThan(3);
    for (const { record, path, value } of others) {
      if (recorded.includes(String(path.at(-1)))) continue;
      const [element] = value as unknown[];
      const ofLength = (length: number) =>
        problemsOf(replaced(record, path, Array(length).fill(element)));
      const limit = limits[String(path.at(-1))] ?? 500;
      expect([fieldOf(path), ofLength(limit)]).toEqual([fieldOf(path), []]);
      expect(ofLength(limit + 1)).toEqual([
        `${fieldOf(path)}: must have at most ${limit} elements`,
      ]);
    }
  });
});

describe("a goal", () => {
  const [, soap] = skillGoal.childGoals as Fields[];
  /** A goal tree with `goals` goals on three levels. */
  const tree = (goals: number): Fields => ({
    ...skillGoal,
    publicId: "goal_tree",
    childGoals: [
      {
        ...soap,
        publicId: "goal_tree_first",
        childGoals: Array.from({ length: goals - 3 }, (_, index) => ({
          ...soap,
          publicId: `goal_tree_${index}`,
        })),
      },
      { ...soap, publicId: "goal_tree_last" },
    ],
  });

  test("has at most 100,000 recorded data points, those of its children included", async () => {
    const trials = (length: number, of: string) =>
      Array.from({ length }, (_, index) => ({
        publicId: `trial_${of}_${index}`,
        outcome: "SUCCESS",
        happenedAt: "2026-01-01T00:00:00.000Z",
      }));
    const goal = (length: number): Fields => ({
      ...skillGoal,
      publicId: "goal_trials",
      childGoals: [{ ...soap, publicId: "goal_child", skillTrials: trials(60_000, "child") }],
      skillTrials: trials(length, "own"),
    });
    const database = await databaseOfFullPractice();
    await mustImport(database, [organization, goal(40_000)]);
  }, 60_000);

  test("has at most 500 goals in its tree", async () => {
    const database = await databaseOfFullPractice();
    expect(await importFile(database, [organization, tree(500)])).toMatchObject({
      counts: { goal: 1 },
    });
  });
});
