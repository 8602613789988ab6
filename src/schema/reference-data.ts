import { bit, field, recordMap, text } from "./record-map.ts";

/** The organization and its reference data. */

export const organizationMap = recordMap("organizations", {
  publicId: field("public_id"),
  name: field("name"),
  timezone: field("time_zone"),
  weekStartsOn: field("week_starts_on", text, "SUNDAY"),
});

const named = { publicId: field("public_id"), name: field("name") };

export const locationMap = recordMap("locations", named);
export const payorMap = recordMap("payors", named);
export const nonBillableCodeMap = recordMap("non_billable_codes", named);
export const intakeLabelMap = recordMap("intake_labels", named);

export const serviceLineMap = recordMap("service_lines", {
  ...named,
  billingUnitMinutes: field("billing_unit_minutes"),
});

export const specializationMap = recordMap("specializations", {
  ...named,
  isActive: field("is_active", bit, true),
});

export const intakeStageMap = recordMap("intake_stages", {
  ...named,
  key: field("built_in_key"),
  position: field("position"),
  isActive: field("is_active", bit, true),
});
