import { expect, test } from "bun:test";
import { sql } from "kysely";
import { goalMap, metricMap, recordedMaps } from "../../src/schema/goals.ts";
import type { RecordMap } from "../../src/schema/record-map.ts";
import { encounterMap, sessionMap } from "../../src/schema/sessions.ts";
import { newService } from "../harness.ts";

/** The map of a record knows every column of its table, so that nothing that is stored is forgotten on the way. */

const { database } = await newService();

/** The columns that say to whom or what a row belongs, and are no field of the record. */
const maps: [RecordMap, belongsTo: string[]][] = [
  [sessionMap, []],
  [encounterMap, []],
  [goalMap, []],
  [metricMap, ["goal_id", "purpose"]],
  [recordedMaps.behaviorInstances, ["goal_id"]],
  [recordedMaps.skillTrials, ["goal_id"]],
  [recordedMaps.ratingInstances, ["goal_id"]],
  [recordedMaps.intervalSets, ["goal_id"]],
];

test.each(maps.map(([map, belongsTo]) => [map.table, map, belongsTo] as const))(
  "%s",
  async (table, { fields }, belongsTo) => {
    const columns = sql<{ name: string }>`select name from pragma_table_info(${table})`;
    const { rows } = await database.read((db) => columns.execute(db));
    const mapped = Object.values(fields).map(({ column }): string => column);
    expect(mapped.concat("organization_id", belongsTo).sort()).toEqual(
      rows.map(({ name }) => name).sort(),
    );
  },
);
