import { expect, test } from "bun:test";
import { KnownRecords } from "../../src/practice-file/known-records.ts";
import { ImportStatements } from "../../src/practice-file/repository.ts";
import { newLocation, newOrganization } from "../factories.ts";
import { newDatabase } from "../harness.ts";
import { statementsOf } from "../statements.ts";

test("records that an import knows are asked for once, as long as there is room for them", async () => {
  const database = await newDatabase();
  const organizationId = await newOrganization(database);
  const id = await newLocation(database, organizationId);
  await database.write(
    async (trx) => {
      const known = new KnownRecords(new ImportStatements(trx, organizationId));
      const queriesFor = async (id: string) => {
        const { result, statements } = await statementsOf(() => known.find("location", id));
        return { isKnown: result !== undefined, queries: statements.length };
      };
      expect(await queriesFor(id)).toEqual({ isKnown: true, queries: 1 });
      expect(await queriesFor(id)).toEqual({ isKnown: true, queries: 0 });
      expect(await queriesFor("loc_x")).toEqual({ isKnown: false, queries: 1 });

      for (let index = 0; index < 60_000; index++) known.remember("location", `loc_${index}`, {});
      expect(await queriesFor("loc_59999")).toEqual({ isKnown: true, queries: 0 });
      expect(await queriesFor("loc_0")).toEqual({ isKnown: false, queries: 1 });
      expect(await queriesFor(id)).toEqual({ isKnown: true, queries: 1 });
    },
    { organizationId },
  );
});
