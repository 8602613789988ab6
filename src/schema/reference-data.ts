import { bit, field, list, recordMap, text } from "./record-map.ts";

/** The organization and its reference data. */

export const organizationMap = recordMap("organizations", {
  publicId: field("public_id"),
  name: field("name"),
  timezone: field("time_zone"),
  weekStartsOn: field("week_starts_on", text, "SUNDAY"),
  ownPatientsOnly: field("own_patients_only"),
  goalDaysInARow: field("goal_days_in_a_row"),
});

const identity = { publicId: field("public_id"), name: field("name") };

export const locationMap = recordMap("locations", identity);
export const payorMap = recordMap("payors", identity);
export const nonBillableCodeMap = recordMap("non_billable_codes", identity);
export const intakeLabelMap = recordMap("intake_labels", identity);

export const serviceLineMap = recordMap("service_lines", {
  ...identity,
  billingUnitMinutes: field("billing_unit_minutes"),
  code: field("code"),
  modifiers: field("modifiers", list, []),
  recordsData: field("records_data", bit, false),
  isGroup: field("is_group", bit, false),
  kind: field("kind"),
});

export const specializationMap = recordMap("specializations", {
  ...identity,
  isActive: field("is_active", bit, true),
});

export const intakeStageMap = recordMap("intake_stages", {
  ...identity,
  key: field("built_in_key"),
  position: field("position"),
  isActive: field("is_active", bit, true),
});
