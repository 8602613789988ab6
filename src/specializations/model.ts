import { type Static, Type } from "@sinclair/typebox";
import { IsActiveParameter } from "../schema/fields.ts";
import { MAX_PAGE, Page, pageParameters } from "../schema/pagination.ts";

/** A specialization category. */
export const Specialization = Type.Object(
  {
    publicId: Type.String(),
    name: Type.String(),
    isActive: Type.Boolean(),
  },
  { $id: "Specialization" },
);

export const SpecializationPage = Page(Specialization, "SpecializationPage");

export const SpecializationListQuery = Type.Object({
  ...pageParameters(MAX_PAGE),
  isActive: Type.Optional(IsActiveParameter()),
});

export type SpecializationListQuery = Static<typeof SpecializationListQuery>;
