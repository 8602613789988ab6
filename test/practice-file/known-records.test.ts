import { afterAll, expect, test } from "bun:test";
import type { Database } from "../../db/database.ts";
import { Batch } from "../../src/practice-file/batch.ts";
import { Gathered } from "../../src/practice-file/gathered-repository.ts";
import { KnownRecords } from "../../src/practice-file/known-records.ts";
import { newLocation, newOrganization } from "../support/factories.ts";
import { newDatabase } from "../support/harness.ts";
import { statementsOf } from "../support/statements.ts";

/** What an import knows of records: of the lines of a piece of the file, all is looked up at once. */

const database = await newDatabase();
const organizationId = await newOrganization(database);
const ids = [
  await newLocation(database, organizationId),
  await newLocation(database, organizationId),
];

const gathered = new Gathered(database.openScratch());
afterAll(() => gathered.close());
const known = new KnownRecords(gathered, { id: organizationId, isNew: false });

/** How many statements the database is asked, and which of some locations are known then. */
async function lookUp(database: Database, locations: string[]) {
  const look = () => {
    for (const id of locations) known.facts("location", id);
  };
  const { statements } = await statementsOf(() => known.rehearse(database, look));
  const ofDatabase = statements.filter((text) => text.includes('from "locations"'));
  const found = locations.filter((id) => known.facts("location", id) !== undefined);
  return { queries: ofDatabase.length, found };
}

test("records are asked for in one statement, and once as long as there is room for them", async () => {
  const both = [...ids, "loc_x"];
  expect(await lookUp(database, both)).toEqual({ queries: 1, found: ids });
  expect(await lookUp(database, both)).toEqual({ queries: 0, found: ids });
});

test("records of the file are kept where there is room for all of them", async () => {
  const ofFile = Array.from({ length: 60_000 }, (_, index) => `loc_${index}`);
  await lookUp(database, ofFile);
  const batch = new Batch();
  for (const [index, id] of ofFile.entries()) {
    batch.line = index + 2;
    expect(known.standsInFile("location", id, batch.line)).toBe(true);
    known.remember("location", id, {});
    batch.upsert("locations", { public_id: id, name: "" });
  }
  known.keep();
  gathered.addBatches(new Map([["location", batch]]));
  const asked = ["loc_0", "loc_59999"];
  expect(await lookUp(database, asked)).toEqual({ queries: 0, found: asked });
  expect(known.lineOf("location", "loc_59999")).toBe(60_001);
  expect(await lookUp(database, ids)).toEqual({ queries: 1, found: ids });
});
