import { expect, test } from "bun:test";
import type { RecordDescription } from "../../../src/page/record-description.ts";
import { fieldsThatDiffer, savedOf } from "../../../src/page/app/lib/base/form-values.ts";

/** What of a form is to be saved. */

const description: RecordDescription = {
  city: {},
  tags: { isList: true },
  isActive: { kind: "boolean" },
};
const stored = { publicId: "usr_1", city: "Alder Creek", tags: ["a"], isActive: true };

test("what is as it is stored is no change, whatever was typed meanwhile", () => {
  const typed = { city: "Alder Creek", tags: ["a"], isActive: true };
  expect(savedOf(description, stored, typed)).toEqual({
    values: { city: "Alder Creek", tags: ["a"], isActive: true },
    changed: {},
    before: {},
  });
});

test("what differs is changed, with what it was", () => {
  expect(savedOf(description, stored, { tags: ["a", "b"], isActive: false })).toEqual({
    values: { city: "Alder Creek", tags: ["a", "b"], isActive: false },
    changed: { tags: ["a", "b"], isActive: false },
    before: { tags: ["a"], isActive: true },
  });
});

test("an emptied field is none, and was something; one that was none is none before", () => {
  expect(savedOf(description, stored, { city: null })).toMatchObject({
    ...{ changed: { city: null }, before: { city: "Alder Creek" } },
  });
  expect(savedOf(description, {}, { city: "Fern", tags: null })).toEqual({
    ...{ values: { city: "Fern", tags: null }, changed: { city: "Fern" }, before: { city: null } },
  });
});

test("only fields of the description are saved", () => {
  const typed = { nickname: "Leo", city: "Fern" };
  expect(savedOf(description, stored, typed)).toEqual({
    values: { city: "Fern", tags: ["a"], isActive: true },
    changed: { city: "Fern" },
    before: { city: "Alder Creek" },
  });
});

test("of a form's values, those count as typed that are not as they were", () => {
  const tags = ["a"];
  expect(fieldsThatDiffer({ city: "Fern", tags }, { city: "Alder Creek", tags })).toEqual({
    city: "Fern",
  });
});
