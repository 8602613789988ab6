import type { Static, TObject } from "@sinclair/typebox";
import { exporter, type RecordMap, storer } from "../schema/record-map.ts";
import type { RecordKind, RecordTable } from "./record-kind.ts";

/** A type whose records are single rows. */
export function plainKind<Map extends RecordMap<RecordTable>, Schema extends TObject>(
  map: Map,
  schema: Schema,
  rules: Partial<Pick<RecordKind<Static<Schema>>, "facts" | "check" | "agree">> = {},
): RecordKind<Static<Schema>> {
  const columns = storer(map);
  const present = exporter(map, schema) as unknown as (row: object) => object;
  return {
    table: map.table,
    lists: [],
    facts: [],
    ...rules,
    rows: (record, { organizationId }) => ({
      row: { ...columns(record as object), organization_id: organizationId },
      lists: {},
    }),
    present: ({ row }) => present(row),
  };
}
