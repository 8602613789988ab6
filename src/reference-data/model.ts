import { Type } from "@sinclair/typebox";
import { EnumField, IsActiveParameter, Nullable } from "../schema/fields.ts";
import { MAX_PAGE, Page, pageParameters } from "../schema/pagination.ts";

/** Reference data: records that an organization sets up once and other records refer to. */

/** What sessions of a service line are. */
export const serviceKinds = ["THERAPY", "ASSESSMENT", "FAMILY", "SUPERVISION"] as const;

const identity = { publicId: Type.String(), name: Type.String() };

const Location = Type.Object(identity, { $id: "Location" });
const Payor = Type.Object(identity, { $id: "Payor" });
export const ServiceLine = Type.Object(
  {
    ...identity,
    billingUnitMinutes: Nullable(Type.Integer()),
    code: Nullable(Type.String()),
    modifiers: Type.Array(Type.String()),
    recordsData: Type.Boolean(),
    isGroup: Type.Boolean(),
    kind: Nullable(EnumField(serviceKinds, { $id: "ServiceKind" })),
  },
  { $id: "ServiceLine" },
);
const NonBillableCode = Type.Object(identity, { $id: "NonBillableCode" });
const IntakeLabel = Type.Object(identity, { $id: "IntakeLabel" });
const IntakeStage = Type.Object(
  {
    publicId: Type.String(),
    key: Nullable(Type.String()),
    name: Type.String(),
    position: Type.Integer(),
    isActive: Type.Boolean(),
  },
  { $id: "IntakeStage" },
);

export const LocationPage = Page(Location, "LocationPage");
export const PayorPage = Page(Payor, "PayorPage");
export const ServiceLinePage = Page(ServiceLine, "ServiceLinePage");
export const NonBillableCodePage = Page(NonBillableCode, "NonBillableCodePage");
export const IntakeLabelPage = Page(IntakeLabel, "IntakeLabelPage");
export const IntakeStagePage = Page(IntakeStage, "IntakeStagePage");

export const PageQuery = Type.Object(pageParameters(MAX_PAGE));

export const IntakeStageListQuery = Type.Object({
  ...pageParameters(MAX_PAGE),
  isActive: Type.Optional(IsActiveParameter()),
});
