import { describe, expect, test } from "bun:test";
import { variantOf } from "../../src/practice-file/model.ts";
import { type RecordType, recordTypes } from "../../src/schema/record-types.ts";
import { fieldTable as table, rowOf } from "../support/practice-file/fields.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";

/** The fields of each schema, in its order. */
function schemaRows(): [string, string][] {
  return Object.keys(table).map((row) => {
    const [type = "", kind] = row.split(" ");
    const schema =
      type === type.toUpperCase()
        ? variantOf("user", { role: type })
        : variantOf(type as RecordType, { isBillable: kind === "true", goalType: kind });
    return [row, Object.keys(schema?.properties ?? {}).join(" ")];
  });
}

describe("the fields of a practice file", () => {
  test("are those of the documented table, in its order", () => {
    expect(Object.fromEntries(schemaRows())).toEqual(table);
    const types = new Set(fullPractice.map((record) => record.type));
    expect([...types]).toEqual([...recordTypes]);
  });

  test("all occur in the full practice of these tests", () => {
    const missing = Object.entries(table).flatMap(([row, fields]) => {
      // Roles of the same variant have the same fields; one of them has all.
      const given = fullPractice.filter((record) => table[rowOf(record)] === fields);
      const names = new Set(given.flatMap(Object.keys));
      return fields.split(" ").flatMap((field) => (names.has(field) ? [] : `${row} ${field}`));
    });
    expect(missing).toEqual([]);
  });
});
