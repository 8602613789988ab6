import { expect, test } from "bun:test";
import { join } from "node:path";
import { meaningOf } from "../../src/schema/meanings.ts";
import { type Table, tables } from "../support/documentation/practice-file-tables.ts";

/** docs/practice-file.md documents every field of the schemas, with its purpose. */

const text = await Bun.file(join(import.meta.dir, "../../docs/practice-file.md")).text();

/** The tables of the page, each with the heading above it. */
function documented(): { table: Table; purposes: string[] }[] {
  return text
    .split(/^#{3,4} /m)
    .slice(1)
    .map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      const cells = lines
        .filter((line) => line.startsWith("|"))
        .slice(2)
        .map((line) =>
          line
            .slice(1, -1)
            .split(" | ")
            .map((cell) => cell.trim()),
        );
      return {
        table: { name: heading.replaceAll("`", ""), rows: cells.map((row) => row.slice(0, 3)) },
        purposes: cells.map((row) => row[3] ?? ""),
      };
    });
}

test("the tables have every type, variant and field of the schemas, and no others", () => {
  expect(documented().map(({ table }) => table)).toEqual(
    tables.filter(({ rows }) => rows.length > 0),
  );
});

test("every field has the description of the OpenAPI document (schema/meanings.ts)", () => {
  const descriptions = documented().map(({ table: { name, rows }, purposes }) => ({
    name,
    descriptions: rows.map(([field = ""], index) => [field, purposes[index]]),
  }));
  expect(descriptions.flatMap((table) => table.descriptions).length).toBeGreaterThan(100);
  expect(descriptions).toEqual(
    descriptions.map(({ name, descriptions }) => ({
      name,
      descriptions: descriptions.map(([field = ""]) => [
        field,
        meaningOf(name, field.replaceAll("`", "")) ?? "a meaning in schema/meanings.ts",
      ]),
    })),
  );
});
