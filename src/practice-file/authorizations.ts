import { type Static, Type } from "@sinclair/typebox";
import { CalendarDateField, EnumField, PublicIdField, ShortTextField } from "../schema/fields.ts";
import { authorizationMap, authorizationPoolMap } from "../schema/authorizations.ts";
import { exporter, storer } from "../schema/record-map.ts";
import { UNIT_FREQUENCIES } from "../utilization/periods.ts";
import { exportRows, type RecordKind } from "./record-kind.ts";
import type { RecordLine } from "./record-line.ts";

export const AuthorizationPoolRecord = Type.Object({
  type: Type.Literal("authorizationPool"),
  publicId: PublicIdField(),
  patientId: PublicIdField(),
  payorId: PublicIdField(),
  totalUnits: Type.Number({ minimum: 0 }),
  unitFrequency: EnumField(UNIT_FREQUENCIES),
  isUnlimited: Type.Boolean(),
});

export const AuthorizationRecord = Type.Object({
  type: Type.Literal("authorization"),
  publicId: PublicIdField(),
  patientId: PublicIdField(),
  authorizationPoolId: Type.Optional(PublicIdField()),
  authorizationNumber: ShortTextField(),
  authorizationStatus: ShortTextField({ examples: ["AUTHORIZED"] }),
  // Both are the pool's own where there is a pool.
  authorizedUnitsQuantity: Type.Optional(Type.Number({ minimum: 0 })),
  authorizedUnitFrequency: Type.Optional(EnumField(UNIT_FREQUENCIES)),
  serviceLineId: PublicIdField(),
  authorizationDate: CalendarDateField(),
  authorizationExpirationDate: CalendarDateField(),
});

export type AuthorizationPoolRecord = Static<typeof AuthorizationPoolRecord>;
export type AuthorizationRecord = Static<typeof AuthorizationRecord>;

const poolColumns = storer(authorizationPoolMap);

export const authorizationPool: RecordKind<AuthorizationPoolRecord> = {
  check(record, line, { known }) {
    line.referToUser("patientId", record.patientId);
    line.refer("payorId", "payor", record.payorId);
    if (known.facts("authorization", record.publicId) !== undefined)
      line.refuse("publicId", "Is the id of an authorization, and a pool needs its own");
  },

  write(record, batch, line, { known, late }) {
    const earlier = known.facts("authorizationPool", record.publicId);
    if (earlier !== undefined && earlier.patient_id !== record.patientId)
      late.poolChanged(record.publicId, line.number);
    const row = poolColumns(record);
    batch.upsert("authorization_pools", row);
    return row;
  },

  export: exportRows(
    "authorization_pools",
    exporter(authorizationPoolMap, AuthorizationPoolRecord),
  ),
};

const authorizationColumns = storer(authorizationMap);

export const authorization: RecordKind<AuthorizationRecord> = {
  check(record, line, { known }) {
    line.referToUser("patientId", record.patientId);
    checkPool(record, line);
    line.refer("serviceLineId", "serviceLine", record.serviceLineId);
    if (record.authorizationExpirationDate < record.authorizationDate)
      line.refuse("authorizationExpirationDate", "Is before authorizationDate");
    if (known.facts("authorizationPool", record.publicId) !== undefined)
      line.refuse("publicId", "Is the id of a pool, and an authorization needs its own");
  },

  write(record, batch, line, { known, late }) {
    const row = authorizationColumns(record);
    const earlier = known.facts("authorization", record.publicId);
    if (
      earlier !== undefined &&
      (earlier.patient_id !== row.patient_id || earlier.service_line_id !== row.service_line_id)
    )
      late.authorizationChanged(record.publicId, line.number);
    batch.upsert("authorizations", row);
    return row;
  },

  export: exportRows("authorizations", exporter(authorizationMap, AuthorizationRecord)),
};

function checkPool(record: AuthorizationRecord, line: RecordLine): void {
  const id = record.authorizationPoolId;
  const pool = line.refer("authorizationPoolId", "authorizationPool", id);
  if (pool !== undefined && pool.patient_id !== record.patientId)
    line.refuse(
      "authorizationPoolId",
      `${id} is a pool of another patient`,
      "Is a pool of another patient",
    );
  if (id !== undefined) return;
  for (const field of ["authorizedUnitsQuantity", "authorizedUnitFrequency"] as const)
    if (record[field] === undefined)
      line.refuse(field, "Required of an authorization that is in no pool");
}
