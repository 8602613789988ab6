import { toBit } from "../../../db/schema.ts";
import type { ImportContext } from "../import-context.ts";
import type {
  IntakeLabelRecord,
  IntakeStageRecord,
  LocationRecord,
  NonBillableCodeRecord,
  OrganizationRecord,
  PayorRecord,
  ServiceLineRecord,
  SpecializationRecord,
} from "../model.ts";
import type { RecordLine } from "../record-line.ts";
import { updateOrganization } from "../repository.ts";

/** The organization, and records that refer to nothing. */

export async function importOrganization(
  { publicId, name, timezone, weekStartsOn = "SUNDAY" }: OrganizationRecord,
  line: RecordLine,
  { organizationLine, statements }: ImportContext,
): Promise<void> {
  if (line.number !== organizationLine)
    return line.refuse("type", "A file holds one organization, on its first line");
  await updateOrganization(statements.trx, {
    public_id: publicId,
    name,
    time_zone: timezone ?? null,
    week_starts_on: weekStartsOn,
  });
}

const tables = {
  location: "locations",
  payor: "payors",
  nonBillableCode: "non_billable_codes",
  intakeLabel: "intake_labels",
} as const;

type NamedRecord = LocationRecord | PayorRecord | NonBillableCodeRecord | IntakeLabelRecord;

export async function importNamed(
  { type, publicId, name }: NamedRecord,
  { statements, known }: ImportContext,
): Promise<void> {
  await statements.upsert(tables[type], { public_id: publicId, name });
  known.remember(type, publicId, {});
}

export async function importServiceLine(
  { type, publicId, name, billingUnitMinutes }: ServiceLineRecord,
  { statements, known }: ImportContext,
): Promise<void> {
  await statements.upsert("service_lines", {
    public_id: publicId,
    name,
    billing_unit_minutes: billingUnitMinutes,
  });
  known.remember(type, publicId, {});
}

export async function importSpecialization(
  { type, publicId, name, isActive = true }: SpecializationRecord,
  { statements, known }: ImportContext,
): Promise<void> {
  await statements.upsert("specializations", {
    public_id: publicId,
    name,
    is_active: toBit(isActive),
  });
  known.remember(type, publicId, {});
}

export async function importIntakeStage(
  { type, publicId, key, name, position, isActive = true }: IntakeStageRecord,
  { statements, known }: ImportContext,
): Promise<void> {
  await statements.upsert("intake_stages", {
    public_id: publicId,
    name,
    built_in_key: key ?? null,
    position,
    is_active: toBit(isActive),
  });
  known.remember(type, publicId, {});
}
