import { type Static, Type } from "@sinclair/typebox";
import {
  CalendarDateField,
  EnumField,
  PublicIdField,
  ShortTextField,
} from "../../schema/fields.ts";
import { authorizationMap, authorizationPoolMap } from "../../schema/authorizations.ts";
import { UNIT_FREQUENCIES } from "../../utilization/periods.ts";
import { plainKind } from "./record-kind.ts";

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
  // Members of a pool have the pool's payor.
  payorId: Type.Optional(PublicIdField()),
  authorizationNumber: ShortTextField(),
  authorizationStatus: ShortTextField({ examples: ["AUTHORIZED"] }),
  // Members of a pool use the pool's units.
  authorizedUnitsQuantity: Type.Optional(Type.Number({ minimum: 0 })),
  authorizedUnitFrequency: Type.Optional(EnumField(UNIT_FREQUENCIES)),
  serviceLineId: PublicIdField(),
  authorizationDate: CalendarDateField(),
  authorizationExpirationDate: CalendarDateField(),
});

export type AuthorizationPoolRecord = Static<typeof AuthorizationPoolRecord>;
export type AuthorizationRecord = Static<typeof AuthorizationRecord>;

export const authorizationPool = plainKind(authorizationPoolMap, [AuthorizationPoolRecord]);

export const authorization = plainKind(authorizationMap, [AuthorizationRecord], {
  check(record, refuse) {
    if (record.authorizationExpirationDate < record.authorizationDate)
      refuse({
        path: ["authorizationExpirationDate"],
        message: "is before authorizationDate",
        value: record.authorizationExpirationDate,
      });
    if (record.authorizationPoolId !== undefined) return;
    for (const field of ["authorizedUnitsQuantity", "authorizedUnitFrequency"] as const)
      if (record[field] === undefined)
        refuse({
          path: [field],
          message: "is required unless the authorization is in a pool",
          reason: "required",
        });
  },
});
