import type { TObject, TSchema } from "@sinclair/typebox";
import { NewIntakeLead } from "../intake-leads/model.ts";
import { variantsOf } from "../practice-file/model.ts";
import { valuesOf } from "../practice-file/kinds/record-kind.ts";
import { references } from "../practice-file/kinds/references.ts";
import { type RecordType, recordTypes } from "../schema/record-types.ts";
import { MAX_SHORT_TEXT } from "../schema/fields.ts";
import type {
  DescribedType,
  FieldDescription,
  FormedType,
  RecordDescription,
  TypeDescription,
} from "./record-description.ts";

/**
 * Descriptions of the fields of records, for the page's forms. They are derived from the schemas that validate the
 * records, and included in the script of the page when it is bundled.
 */

function isFormed(type: RecordType): type is FormedType {
  return type !== "encounter" && type !== "treatmentPlan" && type !== "goal";
}

/** The descriptions by type. */
export function recordDescriptions(): Record<DescribedType, TypeDescription> {
  const described = recordTypes.filter(isFormed).map((type) => [type, describeType(type)] as const);
  const { attribution, ...lead } = describeFields(NewIntakeLead, ["lead"]);
  return {
    ...(Object.fromEntries(described) as Record<FormedType, TypeDescription>),
    lead: { fields: lead, kinds: [] },
  };
}

function describeType(type: FormedType): TypeDescription {
  const { variants, discriminator } = variantsOf(type);
  const described = variants.map((variant) => {
    const all = describeFields(variant, [type]);
    // Nobody types these.
    const { type: _, publicId, createdAt, updatedAt, attribution, ...own } = all;
    return { variant, own };
  });
  const fields: RecordDescription = Object.assign({}, ...described.map(({ own }) => own));
  if (discriminator === undefined) return { fields, kinds: [] };
  const names = Object.keys(fields);
  const kinds = described.map(({ variant, own }) => ({
    of: valuesOf(variant, discriminator).map(String),
    fields: Object.keys(own).map((name) => names.indexOf(name)),
  }));
  return { fields, kinds };
}

/** @param path the type and the names of the fields around these, as in the table of references. */
function describeFields(schema: TObject, path: readonly string[]): RecordDescription {
  const { properties, required = [] } = schema;
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      { ...describe(field, [...path, name]), ...(required.includes(name) && { isRequired: true }) },
    ]),
  );
}

function describe(schema: TSchema, path: readonly string[]): FieldDescription {
  if (schema.type === "array") return { ...describe(schema.items, path), isList: true };
  if (schema.type === "object") return { fields: describeFields(schema as TObject, path) };
  // A value or null.
  const [value, none] = schema.anyOf ?? [];
  if (none?.type === "null") return describe(value, path);
  const reference = references.find(
    ({ type, field }) => [type, ...field].join(".") === path.join("."),
  );
  if (reference !== undefined) {
    const { names, roles } = reference;
    return { names, ...(roles && { roles }) };
  }
  if (schema.enum !== undefined) return { kind: "choice", values: schema.enum };
  if (schema.type === "boolean") return { kind: "boolean" };
  const { type, maxLength, examples, format } = schema;
  if (type === "number" || type === "integer") return { kind: "number" };
  if (format === "date") return { kind: "date" };
  if (format === "date-time") return { kind: "instant" };
  return {
    ...(maxLength !== undefined && maxLength !== MAX_SHORT_TEXT && { maxLength }),
    ...(examples !== undefined && { values: examples }),
  };
}
