import { type Static, Type } from "@sinclair/typebox";
import { CalendarDateField, EnumField, PublicIdField } from "../../schema/fields.ts";
import { UNIT_FREQUENCIES } from "../../utilization/periods.ts";

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
  authorizationNumber: Type.String(),
  authorizationStatus: Type.String({ examples: ["AUTHORIZED"] }),
  // Both are the pool's own where there is a pool.
  authorizedUnitsQuantity: Type.Optional(Type.Number({ minimum: 0 })),
  authorizedUnitFrequency: Type.Optional(EnumField(UNIT_FREQUENCIES)),
  serviceLineId: PublicIdField(),
  authorizationDate: CalendarDateField(),
  authorizationExpirationDate: CalendarDateField(),
});

export type AuthorizationPoolRecord = Static<typeof AuthorizationPoolRecord>;
export type AuthorizationRecord = Static<typeof AuthorizationRecord>;
