import { describe, expect, test } from "bun:test";
import {
  authorization,
  behaviorGoal,
  encounter,
  organization,
  patient,
  ratingGoal,
  session,
  skillGoal,
} from "../support/practice-file/full-practice.ts";
import { type Fields, importFile } from "../support/practice-file/practice-file.ts";
import {
  databaseOfFullPractice,
  NO_ID,
  refused,
  without,
} from "../support/practice-file/refusals.ts";

/** Lines that are not records, and invalid ids. */

const database = await databaseOfFullPractice();

const location = { type: "location", publicId: "loc_new", name: "New" };
const types =
  "organization, location, payor, serviceLine, nonBillableCode, specialization, intakeStage, intakeLabel, user, authorizationPool, authorization, session, encounter, intakeLead, treatmentPlan, goal";
const GOAL_ID = "must be an id that begins with goal_, of letters, digits, underscores or hyphens";

describe("a line that is not a record", () => {
  refused(database, [
    ["no JSON", "{", "is no valid JSON"],
    ["two records", "{}{}", "is no valid JSON"],
    ["a number", "5", "is no record: {…} is expected"],
    ["a list", "[]", "is no record: {…} is expected"],
    ["null", "null", "is no record: {…} is expected"],
    ["no type", {}, "type: is required"],
    ["a number for a type", { type: 5 }, "type: must be a text"],
    ["an unknown type", { type: "patient", publicId: "usr_1" }, `type: is no type: ${types}`],
    ["a type in other letters", { type: "Location" }, `type: is no type: ${types}`],
    ["an API key", { type: "apiKey" }, `type: is no type: ${types}`],
  ]);
});

describe("an id", () => {
  refused(database, [
    ["that is missing", without(location, "publicId"), "location: publicId: is required"],
    ["that is null", { ...location, publicId: null }, "location: publicId: is required"],
    ["that is empty", { ...location, publicId: "" }, `location: publicId: ${NO_ID}`],
    ["with a slash", { ...location, publicId: "loc/1" }, `location: publicId: ${NO_ID}`],
    ["with a space", { ...location, publicId: "loc 1" }, `location: publicId: ${NO_ID}`],
    [
      "with a letter beyond ASCII",
      { ...location, publicId: "loc_é" },
      `location: publicId: ${NO_ID}`,
    ],
    [
      "of 129 characters",
      { ...location, publicId: "l".repeat(129) },
      `location: publicId: ${NO_ID}`,
    ],
    [
      "of a goal without goal_",
      { ...ratingGoal, publicId: "rating_1" },
      `goal: publicId: ${GOAL_ID}`,
    ],
    [
      "of a child goal without goal_",
      {
        ...skillGoal,
        childGoals: [{ ...(skillGoal.childGoals as Fields[])[1], publicId: "soap" }],
      },
      `goal goal_hands: childGoals[0].publicId: ${GOAL_ID}`,
    ],
    [
      "of a metric that no path could hold",
      {
        ...behaviorGoal,
        successMetric: { ...(behaviorGoal.successMetric as Fields), publicId: "a b" },
      },
      `goal goal_behavior: successMetric.publicId: ${NO_ID}`,
    ],
  ]);

  test("of 1 or of 128 characters is accepted", async () => {
    for (const publicId of ["l", "l".repeat(128)])
      expect(
        await importFile(database, [organization, { ...location, publicId }], { dryRun: true }),
      ).toEqual({ counts: { organization: 1, location: 1 } });
  });
});
