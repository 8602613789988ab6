import { expect, test } from "bun:test";
import { newDatabase } from "../support/harness.ts";
import { importFile } from "../support/practice-file/practice-file.ts";

/** `-` stands for no organization in commands. No organization may have this id. */

test.each([
  ["-", false],
  ["--", true],
  ["-a", true],
  ["a-", true],
])("an organization with the id %s", async (publicId, isTaken) => {
  const database = await newDatabase();
  const file = JSON.stringify({ type: "organization", publicId, name: "Maple" });
  const report = JSON.stringify(await importFile(database, `${file}\n`));
  expect(report.includes('\\"-\\" must not be -, which stands for no organization')).toBe(!isTaken);
  const organizations = await database.read((db) =>
    db.selectFrom("organizations").select("public_id").execute(),
  );
  expect(organizations.map(({ public_id }) => public_id)).toEqual(isTaken ? [publicId] : []);
});
