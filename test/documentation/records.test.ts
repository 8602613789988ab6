import { describe, expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { textFormats } from "../../src/schema/fields.ts";
import { recordTypes } from "../../src/schema/record-types.ts";
import type { ResponseObject } from "../../src/http/document/error-responses.ts";
import { document } from "../support/endpoints.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";

/** The records of practice files are components of the OpenAPI document, although no operation has them as JSON. */

const formats = Object.fromEntries(
  Object.entries(textFormats).map(([name, { accepts }]) => [name, accepts]),
);
const ajv = new Ajv2020({ strict: false, formats });
ajv.addSchema(JSON.parse(JSON.stringify(document).replaceAll('"#/', '"document#/')), "document");

const nameOf = (type: string) => `PracticeFile${type.charAt(0).toUpperCase()}${type.slice(1)}`;
const isValid = (type: string, record: Fields): boolean =>
  ajv.compile({ $ref: `document#/components/schemas/${nameOf(type)}` })(record) === true;

test.each(recordTypes)(
  "%s: each record of an export is valid, and none with another value",
  (type) => {
    const records = fullPractice.filter((record) => record.type === type);
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) {
      expect([record.publicId, isValid(type, record)]).toEqual([record.publicId, true]);
      expect(isValid(type, { ...record, publicId: 1 })).toBe(false);
      expect(isValid(type, { ...record, type: "nothing" })).toBe(false);
    }
  },
);

test("a deletion is valid", () => {
  const deletion = { type: "session", publicId: "apt_1", deleted: true };
  expect(isValid("deletion", deletion)).toBe(true);
  expect(isValid("deletion", { ...deletion, deleted: false })).toBe(false);
  expect(isValid("deletion", { ...deletion, type: "organization" })).toBe(false);
});

test("every line of an export is a record, and what changes one is a change", () => {
  const validates = (name: string, line: Fields) =>
    ajv.compile({ $ref: `document#/components/schemas/${name}` })(line) === true;
  for (const record of fullPractice) expect(validates("PracticeFileRecord", record)).toBe(true);
  const change = { type: "session", publicId: "apt_1", status: "DECLINED" };
  const deletion = { type: "session", publicId: "apt_1", deleted: true };
  expect(validates("PracticeFileRecord", change)).toBe(false);
  expect(validates("PracticeFileRecord", deletion)).toBe(true);
  expect(validates("PracticeFileChange", change)).toBe(true);
  expect(validates("PracticeFileChange", deletion)).toBe(true);
  expect(validates("PracticeFileChange", { ...change, type: "none" })).toBe(false);
});

describe("the operations name the records in words:", () => {
  test.each([
    ["get", "responses/200/content"],
    ["post", "requestBody/content"],
  ])("%s", (method, place) => {
    const operation = document.paths["/v1/practice-file"]?.[method] as never as Fields;
    const content = place.split("/").reduce((part, step) => part[step] as Fields, operation);
    const { schema } = content["application/x-ndjson"] as { schema: { description: string } };
    for (const name of ["PracticeFileSession", "PracticeFileDeletion"])
      expect(schema.description).toContain(`\`${name}\``);
  });
});

test("the operations name the types of the lines", () => {
  const { get, post } = document.paths["/v1/practice-file"] ?? {};
  const [read, written] = [get?.responses[200], post?.requestBody].map(
    (part) => (part as ResponseObject).content["application/x-ndjson"]?.schema.contentSchema,
  );
  const line = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  expect(read).toEqual(line("PracticeFileRecord"));
  expect(written).toEqual({ anyOf: [line("PracticeFileRecord"), line("PracticeFileChange")] });
});
