import type { Insertable } from "kysely";
import { type Database, NO_ORGANIZATION } from "../../db/database.ts";
import type { PasskeyRow, Schema } from "../../db/schema.ts";
import { createKey, type IssuedKey, type NewKey } from "../../src/callers/api-keys.ts";
import type { Role } from "../../src/callers/roles.ts";
import { childRows, goalRow, newDocument, recordedRows } from "../../src/goals/document.ts";
import type { GoalType } from "../../src/goals/models/common.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { highestMidnight } from "../../src/lib/midnights.ts";
import { derivedColumns } from "../../src/users/rows.ts";
import { credentialsIn, entryColumns, payorsIn } from "../../src/users/stored-entries.ts";
import { plant, textsIn } from "./canaries.ts";
import { NOW } from "./harness.ts";

/**
 * Factories of rows for tests. Each inserts one row, with plain defaults for values that a test does not set, and
 * returns its id. Ids ascend, so that tests can rely on their order.
 */

const now = NOW as Instant;

let count = 0;

function nextId(prefix: string): string {
  count += 1;
  return `${prefix}${String(count).padStart(6, "0")}`;
}

type Row<Table extends keyof Schema> = Partial<Insertable<Schema[Table]>>;

/** Inserts a row as it is, for tables without a factory. */
export async function insert<Table extends keyof Schema>(
  database: Database,
  table: Table,
  row: Insertable<Schema[Table]>,
): Promise<void> {
  plant(database, textsIn(row).personal);
  await database.write(
    (trx) =>
      trx
        .insertInto(table)
        .values(row as never)
        .execute(),
    NO_ORGANIZATION,
  );
}

export async function newOrganization(
  database: Database,
  row: Row<"organizations"> = {},
): Promise<string> {
  const public_id = row.public_id ?? nextId("org_");
  await insert(database, "organizations", {
    name: "Maple Street ABA",
    time_zone: "America/New_York",
    week_starts_on: "SUNDAY",
    created_at: now,
    ...row,
    public_id,
  });
  return public_id;
}

/** Creates a key for a role; returns its text. */
export async function newApiKey(
  database: Database,
  organizationId: string,
  role: Role = "ADMIN",
): Promise<string> {
  const { key } = await issueKey(database, organizationId, { holder: { role } });
  return key;
}

/** Creates a key with the given options; returns its id and text. */
export async function issueKey(
  database: Database,
  organizationId: string,
  key: Partial<NewKey> = {},
): Promise<IssuedKey> {
  const full = { holder: { role: "ADMIN" }, name: "test", expiresAt: null, ...key } as const;
  const issued = await database.write((trx) => createKey(trx, { ...full, organizationId }, now), {
    organizationId,
  });
  plant(database, [issued.key]);
  return issued;
}

/** A passkey of a user, which nobody can use. */
export function newPasskeyRow(organization_id: string, user_id: string, id: string): PasskeyRow {
  return {
    ...{ organization_id, user_id, id, credential_id: `credential_${id}`, created_at: now },
    ...{ public_key: "AA", host: "caseload.example", name: "Laptop" },
    ...{ is_synced: 0, signature_count: 0, last_used_at: null },
  };
}

export async function newUser(
  database: Database,
  organization_id: string,
  row: Row<"users"> = {},
): Promise<string> {
  const public_id = row.public_id ?? nextId("usr_");
  const full = {
    role: "TECHNICIAN",
    first_name: "Ana",
    last_name: "Ruiz",
    is_active: 1,
    should_send_sms: 0,
    created_at: now,
    updated_at: now,
    ...row,
    organization_id,
    public_id,
  } as const;
  await insert(database, "users", {
    ...derivedColumns({ email: null, phone_number: null, internal_record_id: null, ...full }),
    ...full,
  });
  const [ofPatient, ofCredentials] = [
    payorsIn({ payors: null, ...full }),
    credentialsIn({ credentials: null, ...full }),
  ];
  plant(database, textsIn([ofPatient, ofCredentials]).personal);
  for (const payor_id of new Set(ofPatient.map(({ payorId }) => payorId)))
    await insert(database, "patient_payors", { organization_id, patient_id: public_id, payor_id });
  const credentialing = ofCredentials.flatMap(({ payorCredentialing }) => payorCredentialing);
  for (const payor_id of new Set(credentialing.map(({ payorId }) => payorId)))
    await insert(database, "credentialing_payors", {
      ...{ organization_id, user_id: public_id, payor_id },
    });
  return public_id;
}

/** The columns of an expiring credential, or of several. */
export function credentialsUntil(...ends: Instant[]) {
  const credential = {
    ...{ credentialType: "BCBA", practiceArea: "ABA" },
    ...{ credentialNumber: "C-1", credentialStatus: "active" },
  };
  return entryColumns({ credentials: ends.map((expiresAt) => ({ ...credential, expiresAt })) });
}

export function newPatient(
  database: Database,
  organizationId: string,
  row: Row<"users"> = {},
): Promise<string> {
  return newUser(database, organizationId, {
    role: "PATIENT",
    first_name: "Leo",
    last_name: "Park",
    user_status: "ACTIVE",
    ...row,
  });
}

/** Makes a factory of rows that refer to no other record. */
function factory<Table extends keyof Schema>(table: Table, prefix: string, defaults: Row<Table>) {
  return async (database: Database, organization_id: string, row: Row<Table> = {}) => {
    const public_id =
      ("public_id" in row ? (row.public_id as string) : undefined) ?? nextId(prefix);
    const whole = { ...defaults, ...row, organization_id, public_id };
    await insert(database, table, whole as unknown as Insertable<Schema[Table]>);
    return public_id;
  };
}

export const newLocation = factory("locations", "loc_", { name: "Main clinic" });
export const newPayor = factory("payors", "pay_", { name: "Acme Health" });
export const newServiceLine = factory("service_lines", "svc_", {
  ...{ name: "Adaptive behavior treatment", billing_unit_minutes: 15, modifiers: "[]" },
});
export const newNonBillableCode = factory("non_billable_codes", "nbc_", { name: "Staff meeting" });
export const newSpecialization = factory("specializations", "spec_", {
  ...{ name: "Early intervention", is_active: 1 },
});
export const newIntakeStage = factory("intake_stages", "stage_", {
  ...{ name: "New leads", position: 1, is_active: 1 },
});
export const newIntakeLabel = factory("intake_labels", "lbl_", { name: "Website" });

/** An authorization pool. By default, its patient and payor are created. */
export async function newAuthorizationPool(
  database: Database,
  organization_id: string,
  row: Row<"authorization_pools"> = {},
): Promise<string> {
  const public_id = row.public_id ?? nextId("apool_");
  await insert(database, "authorization_pools", {
    total_units: 160,
    unit_frequency: "MONTHLY",
    is_unlimited: 0,
    ...row,
    patient_id: row.patient_id ?? (await newPatient(database, organization_id)),
    payor_id: row.payor_id ?? (await newPayor(database, organization_id)),
    organization_id,
    public_id,
  });
  return public_id;
}

/** An authorization, standalone by default. By default, its patient and service line are created. */
export async function newAuthorization(
  database: Database,
  organization_id: string,
  row: Row<"authorizations"> = {},
): Promise<string> {
  const public_id = row.public_id ?? nextId("auth_");
  const isStandalone = (row.authorization_pool_id ?? null) === null;
  await insert(database, "authorizations", {
    authorization_number: "A-100",
    authorization_status: "AUTHORIZED",
    authorized_units_quantity: isStandalone ? 80 : null,
    authorized_unit_frequency: isStandalone ? "WEEKLY" : null,
    authorization_date: "2026-01-07" as CalendarDate,
    authorization_expiration_date: "2026-07-06" as CalendarDate,
    ...row,
    patient_id: row.patient_id ?? (await newPatient(database, organization_id)),
    service_line_id: row.service_line_id ?? (await newServiceLine(database, organization_id)),
    organization_id,
    public_id,
  });
  return public_id;
}

/** An encounter of two units. By default, its authorization is created. */
export async function newEncounter(
  database: Database,
  organization_id: string,
  row: Row<"encounters"> = {},
): Promise<string> {
  const public_id = row.public_id ?? nextId("enc_");
  await insert(database, "encounters", {
    start_time: "2026-03-10T14:00:00.000Z" as Instant,
    units: 2,
    ...row,
    authorization_id: row.authorization_id ?? (await newAuthorization(database, organization_id)),
    organization_id,
    public_id,
  });
  return public_id;
}

/** A lead without attribution. By default, its client and caregiver are created. */
export async function newIntakeLead(
  database: Database,
  organization_id: string,
  row: Row<"intake_leads"> = {},
): Promise<string> {
  const public_id = row.public_id ?? nextId("lead_");
  await insert(database, "intake_leads", {
    relationship: "MOTHER",
    created_at: now,
    ...row,
    client_id: row.client_id ?? (await newPatient(database, organization_id)),
    caregiver_id:
      row.caregiver_id ?? (await newUser(database, organization_id, { role: "CAREGIVER" })),
    organization_id,
    public_id,
  });
  return public_id;
}

/** A billable session of one hour. By default, its location and service line are created. */
export async function newSession(
  database: Database,
  organization_id: string,
  row: Row<"sessions"> = {},
): Promise<string> {
  const public_id = row.public_id ?? nextId("apt_");
  const isBillable = row.is_billable ?? 1;
  const {
    start_time = "2026-03-10T14:00:00.000Z" as Instant,
    end_time = "2026-03-10T15:00:00.000Z" as Instant,
  } = row;
  await insert(database, "sessions", {
    title: "Direct therapy",
    status: "CONFIRMED",
    start_time,
    end_time,
    over_midnight: highestMidnight(start_time, end_time),
    is_supervision: 0,
    is_client_present: 1,
    place_of_service: "OFFICE",
    is_billable: isBillable,
    is_telehealth: isBillable === 1 ? 0 : null,
    ...row,
    location_id: row.location_id ?? (await newLocation(database, organization_id)),
    service_line_id:
      isBillable === 1
        ? (row.service_line_id ?? (await newServiceLine(database, organization_id)))
        : null,
    non_billable_code_id:
      isBillable === 0
        ? (row.non_billable_code_id ?? (await newNonBillableCode(database, organization_id)))
        : null,
    organization_id,
    public_id,
  });
  return public_id;
}

/** A treatment plan. By default, its patient is created. */
export async function newTreatmentPlan(
  database: Database,
  organization_id: string,
  row: Row<"treatment_plans"> = {},
): Promise<string> {
  const public_id = row.public_id ?? nextId("tp_");
  await insert(database, "treatment_plans", {
    ...row,
    patient_id: row.patient_id ?? (await newPatient(database, organization_id)),
    organization_id,
    public_id,
  });
  return public_id;
}

/** Fields of a goal as a practice file has them, its children and recorded data included. */
interface GivenGoal {
  publicId?: string;
  treatmentPlanId?: string;
  goalType?: GoalType;
  childGoals?: readonly object[];
  [field: string]: unknown;
}

/**
 * A goal as stored by an import, by default a rating goal. Types with metrics get three: `metric_baseline` and so on,
 * of 10, 80 and 70 percent.
 */
export async function newGoal(
  database: Database,
  organization_id: string,
  given: GivenGoal = {},
): Promise<string> {
  const treatmentPlanId =
    given.treatmentPlanId ?? (await newTreatmentPlan(database, organization_id));
  const goal = newDocument(completeGoal({ ...given, treatmentPlanId }), now);
  await insert(database, "goals", goalRow(organization_id, goal));
  for (const row of childRows(organization_id, goal)) await insert(database, "child_goals", row);
  for (const row of recordedRows(organization_id, goal))
    await insert(database, "recorded_data", row);
  plant(database, textsIn(goal).personal);
  return goal.publicId;
}

function completeGoal(given: GivenGoal): GivenGoal & { goalType: GoalType } {
  const { goalType = "rating", childGoals = [] } = given;
  const defaults = { publicId: nextId("goal_"), status: "IN_PROGRESS", ...kindsOfGoals[goalType] };
  const children = childGoals.map((child) => completeGoal({ ...child, goalType: "opportunity" }));
  return { ...defaults, ...given, goalType, childGoals: children };
}

const percentages = Object.fromEntries(
  Object.entries({ baseline: 10, success: 80, maintenance: 70 }).map(([purpose, value]) => [
    `${purpose}Metric`,
    { publicId: `metric_${purpose}`, value, unit: "PERCENTAGE" },
  ]),
);

/** The required fields by type of goal. */
const kindsOfGoals = {
  frequency_duration: {
    goalStatement: "Asks for a break.",
    addedToTreatmentPlanAt: "2026-01-05T09:00:00.000Z",
    ...percentages,
  },
  opportunity: {
    goalStatement: "Washes hands.",
    skillAcquisitionGoalType: "SINGLE_TARGET_GOAL",
    enabledOutcomes: ["SUCCESS", "FAILURE"],
    ...percentages,
  },
  rating: { title: "Calm transitions" },
  interval: {
    title: "On task",
    intervalDuration: 30,
    intervalQuantity: 10,
    sets: 3,
    intervalRecordingType: "WHOLE",
  },
};
