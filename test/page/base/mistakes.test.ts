import { expect, test } from "bun:test";
import { mistakeAt, plainText, sortedMistakes } from "../../../src/page/app/lib/base/mistakes.ts";
import type { RecordDescription } from "../../../src/page/record-description.ts";

/** Where in a form a mistake stands, and its words; test/page/refusals.test.ts has what the API says. */

test("what is required is to be filled in, whatever the API's words", () => {
  expect(plainText({ path: [2, "name"], message: "Has no value", reason: "required" })).toBe(
    "Please fill this in.",
  );
  expect(plainText({ path: [2, "name"], message: "has no value" })).toBe("Has no value.");
});

test("a mistake stands at its field, within entries too; of what the form does not have, below it", () => {
  const description: RecordDescription = {
    city: {},
    payors: { isList: true, fields: { memberId: {} } },
  };
  const issue = (...path: (string | number)[]) => ({ path, message: "is wrong" });
  const { atFields, others } = sortedMistakes(
    [
      ...[issue(2, "city"), issue(2, "payors", 1, "memberId"), issue(2, "payors")],
      ...[issue(2, "payors", 0, "other"), issue(2, "city", "street"), issue(2)],
    ],
    description,
    ([, ...path]) => path,
  );
  expect([...atFields.keys()]).toEqual(["city", "payors.1.memberId", "payors"]);
  expect(mistakeAt(atFields, ["payors", 1, "memberId"])).toBe("Is wrong.");
  expect(mistakeAt(atFields, ["payors", 0, "memberId"])).toBeUndefined();
  expect(others).toHaveLength(3);
});
