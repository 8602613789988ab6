import { type Static, Type } from "@sinclair/typebox";
import { FindingChanges } from "../checks/model.ts";
import { EnumField, Nullable } from "../schema/fields.ts";
import { recordTypes } from "../schema/record-types.ts";

/** The response to an import. */

const Count = Type.Integer({ minimum: 0 });

const ImportedRecords = Type.Object(
  {
    created: Count,
    changed: Count,
    unchanged: Count,
    deleted: Count,
    missing: Type.Integer({
      minimum: 0,
      description: "Records that the organization has and the file does not.",
    }),
  },
  {
    $id: "ImportedRecords",
    description: "The number of records of a type by what the import did with them.",
  },
);

const RecordChange = Type.Object(
  {
    line: Nullable(
      Type.Integer({
        minimum: 1,
        description: "The number of the record's line, or of its row in a file of CSV.",
      }),
    ),
    type: EnumField(recordTypes, { description: "The type of the record." }),
    publicId: Type.String({ description: "The id of the record." }),
    change: EnumField(["CREATED", "CHANGED", "DELETED"], {
      description: "What was done with the record.",
    }),
    fields: Type.Array(Type.String(), {
      description:
        "The names of the fields of a changed record that have changed. `updatedAt` is only among them if the line gives it.",
    }),
  },
  { $id: "RecordChange" },
);

export const ImportResult = Type.Object(
  {
    organizationId: Type.String(),
    dryRun: Type.Boolean(),
    sequence: Nullable(
      Type.Integer({
        description: "The sequence of the organization after the import; null for a dry run.",
      }),
    ),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: "Number of lines by type, for the types in the file.",
    }),
    changes: Type.Record(Type.String(), ImportedRecords, {
      description: "What the import did, for the same types.",
    }),
    notes: Type.Array(Type.String(), {
      description:
        "Records that are valid but may be unintended, such as sessions outside the dates of their authorization.",
    }),
    records: Type.Optional(
      Type.Array(RecordChange, {
        description:
          "With `changes=true`: the first 500 records that were created, changed or deleted, in the order of the file.",
      }),
    ),
    recordsTotal: Type.Optional(
      Type.Integer({ minimum: 0, description: "With `changes=true`: the number of all of them." }),
    ),
    findings: Type.Optional(FindingChanges),
  },
  { $id: "ImportResult" },
);

export type ImportResult = Static<typeof ImportResult>;
