import type { Database } from "../../db/database.ts";
import type { Instant } from "../../src/lib/instant.ts";
import type { Ids } from "./operations.ts";
import {
  insert,
  issueKey,
  newAuthorization,
  newAuthorizationPool,
  newEncounter,
  newGoal,
  newIntakeLabel,
  newIntakeLead,
  newIntakeStage,
  newLocation,
  newNonBillableCode,
  newPasskeyRow,
  newPatient,
  newPayor,
  newServiceLine,
  newSession,
  newSpecialization,
  newTreatmentPlan,
  newUser,
} from "./factories.ts";

/** The id of each kind of record that `fillOrganization` inserts, without the suffix. */
const idOf: Record<string, string> = {
  ...{ patient: "usr_client", technician: "usr_technician", clinician: "usr_clinician" },
  ...{ passkey: "passkey_main", calendar: "key_calendar", location: "loc_main", payor: "pay_main" },
  ...{ specialization: "spec_main", stage: "stage_main", label: "lbl_main", lead: "lead_main" },
  ...{ authorization: "auth_alone", member: "auth_member", pool: "apool_main", plan: "tp_main" },
  ...{ session: "apt_main", encounter: "enc_main" },
  ...{ goal: "goal_main", skill: "goal_skill", step: "goal_step" },
  entry: "trial_main",
};

/** The ids of an organization that `fillOrganization` filled. */
export function idsOf(organization: string, suffix: string): Ids {
  return (kind) => (kind === "organization" ? organization : `${idOf[kind]}${suffix}`);
}

/** Inserts one record of each type that requests can refer to; ids end with `suffix`. */
export async function fillOrganization(
  database: Database,
  organization: string,
  suffix: string,
): Promise<void> {
  const row = (prefix: string) => ({ public_id: prefix + suffix });
  const client_id = await newPatient(database, organization, {
    ...row("usr_client"),
    time_zone: "America/Denver",
    email: `client${suffix}@isolation.example`,
    internal_record_id: `record${suffix}`,
  });
  const technician_id = await newUser(database, organization, row("usr_technician"));
  const clinician = { ...row("usr_clinician"), role: "CLINICIAN" } as const;
  const clinician_id = await newUser(database, organization, clinician);
  await insert(
    database,
    "passkeys",
    newPasskeyRow(organization, technician_id, `passkey_main${suffix}`),
  );
  await insert(database, "care_team_links", {
    organization_id: organization,
    clinician_id,
    technician_id,
  });
  const location_id = await newLocation(database, organization, row("loc_main"));
  const payor_id = await newPayor(database, organization, row("pay_main"));
  await newSpecialization(database, organization, row("spec_main"));
  const stage = { ...row("stage_main"), built_in_key: "LEAD" };
  const stage_id = await newIntakeStage(database, organization, stage);
  const label_id = await newIntakeLabel(database, organization, row("lbl_main"));
  const lead = { ...row("lead_main"), client_id, stage_id };
  const lead_id = await newIntakeLead(database, organization, lead);
  await insert(database, "intake_lead_labels", {
    organization_id: organization,
    lead_id,
    label_id,
  });
  await newServiceLine(database, organization, row("svc_main"));
  await newNonBillableCode(database, organization, row("nbc_main"));
  const patient_id = client_id;
  const pool = { ...row("apool_main"), patient_id, payor_id };
  const authorization_pool_id = await newAuthorizationPool(database, organization, pool);
  await newAuthorization(database, organization, {
    ...row("auth_member"),
    patient_id,
    authorization_pool_id,
  });
  const authorization_id = await newAuthorization(database, organization, {
    ...row("auth_alone"),
    patient_id,
    payor_id,
  });
  const start_time = "2026-01-20T14:00:00.000Z" as Instant;
  const at = { start_time, end_time: "2026-01-20T15:00:00.000Z" as Instant };
  const session_id = await newSession(database, organization, {
    ...row("apt_main"),
    ...at,
    client_id,
    technician_id,
    clinician_id,
    location_id,
    authorization_id,
  });
  // A session without encounter.
  await newSession(database, organization, {
    ...row("apt_open"),
    ...at,
    ...{ client_id, technician_id, location_id, authorization_id },
  });
  await newEncounter(database, organization, {
    ...row("enc_main"),
    authorization_id,
    session_id,
    start_time,
  });
  const treatment_plan_id = await newTreatmentPlan(database, organization, {
    ...row("tp_main"),
    patient_id,
  });
  const goal = (name: string) => ({ publicId: row(name).public_id });
  const onPlan = { treatmentPlanId: treatment_plan_id };
  await newGoal(database, organization, { ...goal("goal_main"), ...onPlan });
  await newGoal(database, organization, {
    ...{ ...goal("goal_skill"), ...onPlan, goalType: "opportunity" },
    childGoals: [goal("goal_step")],
    skillTrials: [
      {
        publicId: row("trial_main").public_id,
        ...{ outcome: "SUCCESS", happenedAt: "2026-02-01T10:00:00.000Z" },
      },
    ],
  });
  const holder = { userId: technician_id };
  const calendar = await issueKey(database, organization, { holder, kind: "CALENDAR" });
  const id = row("key_calendar").public_id;
  await database.write(
    async (trx) => {
      await trx.updateTable("api_keys").set({ id }).where("id", "=", calendar.id).execute();
      await trx
        .updateTable("key_organizations")
        .set({ key_id: id })
        .where("key_id", "=", calendar.id)
        .execute();
    },
    { organizationId: organization },
  );
}
