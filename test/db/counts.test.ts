import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Db, NO_ORGANIZATION } from "../../db/database.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newLocation, newNonBillableCode, newOrganization } from "../support/factories.ts";
import { newDatabase } from "../support/harness.ts";

/**
 * The counts that triggers maintain equal the number of rows after random inserts, updates and
 * deletes.
 */

const database = await newDatabase();
const organizations = [await newOrganization(database), await newOrganization(database)] as const;
for (const organization of organizations) {
  await newLocation(database, organization, { public_id: "loc_1" });
  await newNonBillableCode(database, organization, { public_id: "nbc_1" });
}

/** A random change of one of a few rows. `put` inserts the row or updates the existing one. */
interface Change<Values> {
  kind: "put" | "update" | "delete";
  organization: string;
  id: string;
  values: Values;
}

function changes<Values>(values: fc.Arbitrary<Values>): fc.Arbitrary<Change<Values>[]> {
  const change = fc.record({
    kind: fc.constantFrom("put", "put", "update", "delete"),
    organization: fc.constantFrom(...organizations),
    id: fc.constantFrom("row_1", "row_2", "row_3", "row_4", "row_5"),
    values,
  });
  return fc.array(change, { maxLength: 40 });
}

const where = ({ organization, id }: Change<unknown>) =>
  ({ organization_id: organization, public_id: id }) as const;

async function changeSession(db: Db, change: Change<string>): Promise<void> {
  const counted = { start_time: `2026-${change.values}.000Z` as Instant };
  if (change.kind === "update")
    await db
      .updateTable("sessions")
      .set(counted)
      .where((row) => row.and(where(change)))
      .execute();
  if (change.kind === "delete")
    await db
      .deleteFrom("sessions")
      .where((row) => row.and(where(change)))
      .execute();
  if (change.kind === "put")
    await db
      .insertInto("sessions")
      .values({
        ...where(change),
        ...counted,
        end_time: "2026-04-01T00:00:00.000Z" as Instant,
        title: "Staff meeting",
        status: "CONFIRMED",
        is_supervision: 0,
        is_client_present: 0,
        place_of_service: "OFFICE",
        location_id: "loc_1",
        is_billable: 0,
        non_billable_code_id: "nbc_1",
      })
      .onConflict((conflict) =>
        conflict.columns(["organization_id", "public_id"]).doUpdateSet(counted),
      )
      .execute();
}

test("session_counts has the number of sessions by UTC day of their start", async () => {
  const values = fc.constantFrom(
    "03-10T00:00:00",
    "03-10T23:59:59",
    "03-11T00:00:00",
    "03-11T12:30:00",
    "02-28T00:00:00",
  );
  await fc.assert(
    fc.asyncProperty(changes(values), async (sequence) => {
      const { kept, starts } = await database.write(async (trx) => {
        for (const change of sequence) await changeSession(trx, change);
        return {
          kept: await trx
            .selectFrom("session_counts")
            .selectAll()
            .where("sessions", "<>", 0)
            .orderBy("organization_id")
            .orderBy("day")
            .execute(),
          starts: await trx
            .selectFrom("sessions")
            .select(["organization_id", "start_time"])
            .orderBy("organization_id")
            .orderBy("start_time")
            .execute(),
        };
      }, NO_ORGANIZATION);
      const days = Map.groupBy(starts, (row) =>
        JSON.stringify([row.organization_id, row.start_time.slice(0, 10)]),
      );
      const counted = [...days].map(([key, rows]) => {
        const [organization_id, day] = JSON.parse(key);
        return { organization_id, day, sessions: rows.length };
      });
      expect(kept).toEqual(counted);
    }),
    { numRuns: 60 },
  );
});
