import { describe, expect, test } from "bun:test";
import type { Database } from "../../db/database.ts";
import { newDatabase } from "../support/harness.ts";
import {
  clinician,
  fullPractice,
  pool,
  technician,
} from "../support/practice-file/full-practice.ts";
import {
  changesAfter,
  exportText,
  type Fields,
  mustImport,
  RecordMap,
} from "../support/practice-file/practice-file.ts";

/**
 * Two copies follow a practice by its changes: a map of records, as other systems keep it, and
 * another Caseload, which imports each delta. After every change, both equal the practice.
 */

const own: Fields = { type: "organization", publicId: "org_maple" };

class Followed {
  #sequence = 0;
  readonly #map = new RecordMap();

  private constructor(
    readonly practice: Database,
    readonly mirror: Database,
  ) {}

  static async new(): Promise<Followed> {
    const followed = new Followed(await newDatabase(), await newDatabase());
    await followed.after(fullPractice);
    return followed;
  }

  /** Imports lines into the practice, then imports the changes into both copies, twice. */
  async after(lines: readonly Fields[]): Promise<void> {
    await mustImport(this.practice, lines);
    const { file, sequence } = await changesAfter(this.practice, this.#sequence);
    this.#sequence = sequence;
    for (let times = 0; times < 2; times += 1) {
      await mustImport(this.mirror, file);
      this.#map.apply(file);
    }
    const expected = await exportText(this.practice, "org_maple");
    expect(await exportText(this.mirror, "org_maple")).toBe(expected);
    this.#map.expectToEqual(expected);
  }
}

function gone(type: string, publicId: unknown): Fields {
  return { type, publicId, deleted: true };
}

test("a copy follows an email address that moves from one user to another", async () => {
  const followed = await Followed.new();
  const line = { type: "user", publicId: technician.publicId };
  await followed.after([
    own,
    { ...line, email: null },
    { type: "user", publicId: "usr_care", email: technician.email },
  ]);
  await followed.after([
    own,
    { type: "user", publicId: "usr_care", email: clinician.email },
    { type: "user", publicId: clinician.publicId, email: technician.email },
  ]);
});

describe("a copy follows goals", () => {
  const hands = fullPractice.find(({ publicId }) => publicId === "goal_hands") as Fields;
  const { treatmentPlanId } = hands;
  const [tap] = hands.childGoals as [Fields];
  const asChild = (goal: Fields) => {
    const { type: _, treatmentPlanId: __, ...child } = goal;
    return child;
  };

  test("that move between records", async () => {
    const followed = await Followed.new();
    // A child becomes a record, and its former parent, deleted as a record, a child of it. Then both are records again.
    await followed.after([own, { type: "goal", treatmentPlanId, ...tap }]);
    await followed.after([
      own,
      gone("goal", "goal_hands"),
      { type: "goal", publicId: tap.publicId, childGoals: [asChild({ ...hands, childGoals: [] })] },
    ]);
    await followed.after([own, { ...hands, childGoals: [] }]);
    await followed.after([
      own,
      gone("goal", String(tap.publicId)),
      { type: "goal", publicId: "goal_hands", childGoals: [tap] },
    ]);
    await followed.after([own, gone("goal", "goal_hands")]);
  });

  test("that are deleted and come back as children of another goal", async () => {
    const followed = await Followed.new();
    const other = { ...tap, publicId: "goal_other" };
    await followed.after([own, { ...other, type: "goal", treatmentPlanId }]);
    await followed.after([own, gone("goal", "goal_other")]);
    await followed.after([own, { type: "goal", publicId: "goal_hands", childGoals: [other] }]);
    await followed.after([own, { ...other, type: "goal", treatmentPlanId }]);
  });
});

test("a copy follows an id that moves from a pool to an authorization", async () => {
  const followed = await Followed.new();
  const { authorizationPoolId: _, ...alone } = fullPractice.find(
    ({ publicId }) => publicId === "auth_2",
  ) as Fields;
  await followed.after([
    own,
    {
      ...alone,
      authorizationPoolId: null,
      authorizedUnitsQuantity: 5,
      authorizedUnitFrequency: "TOTAL",
      serviceLineId: "svc_visit",
    },
    gone("authorizationPool", pool.publicId),
  ]);
  await followed.after([
    own,
    {
      ...alone,
      publicId: pool.publicId,
      authorizationPoolId: null,
      authorizedUnitsQuantity: 5,
      authorizedUnitFrequency: "TOTAL",
    },
  ]);
  await followed.after([own, gone("authorization", pool.publicId)]);
  await followed.after([own, pool]);
});
