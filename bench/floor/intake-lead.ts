import type { Database } from "bun:sqlite";
import { attribute } from "../../src/intake-leads/attribution.ts";
import type { NewIntakeLead } from "../../src/intake-leads/model.ts";
import { newPublicId } from "../../src/lib/ids.ts";
import type { AuditTrail } from "./audit.ts";
import { groupCommit } from "./group-commit.ts";

const USER_COLUMNS = [
  "organization_id",
  "public_id",
  "role",
  "first_name",
  "last_name",
  "email",
  "email_key",
  "phone_number",
  "is_active",
  "user_status",
  "sex",
  "birth_date",
  "caregiver_id",
  "address_line1",
  "city",
  "state",
  "postal_code",
  "country",
  "time_zone",
  "should_send_sms",
  "search_text",
  "created_at",
  "updated_at",
];

/**
 * Writes the rows of a lead that names a stage by its key, locations and labels; nothing is checked. An audit trail
 * makes it a floor for a write that is recorded.
 */
export function intakeLeadFloor(file: Database, audit: AuditTrail | undefined) {
  const write = groupCommit(file);
  const findStage = file.prepare<{ public_id: string }, [string, string]>(
    `select public_id from intake_stages
     where organization_id = ? and built_in_key = ? and is_active = 1 order by position, public_id`,
  );
  const insertUser = file.prepare(
    `insert into users (${USER_COLUMNS.join(", ")}) values (${USER_COLUMNS.map(() => "?").join(", ")})`,
  );
  const insertLead = file.prepare(
    `insert into intake_leads (organization_id, public_id, client_id, caregiver_id, relationship,
       stage_id, attribution, source, channel, campaign, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertLocation = file.prepare(
    "insert into user_locations (organization_id, user_id, location_id) values (?, ?, ?)",
  );
  const insertLabel = file.prepare(
    "insert into intake_lead_labels (organization_id, lead_id, label_id) values (?, ?, ?)",
  );

  const insert = (organizationId: string, submission: NewIntakeLead): object => {
    const { client, caregiver, attribution } = submission;
    const moment = Date.now();
    const now = new Date(moment).toISOString();
    const clientId = newPublicId("usr_", moment);
    const caregiverId = newPublicId("usr_", moment);
    const leadId = newPublicId("lead_", moment);
    const key = client.intakeStatusKey ?? "";
    const stage = findStage.get(organizationId, key);
    // The caregiver first, whom the patient refers to.
    const email = caregiver.email.toLowerCase();
    insertUser.run(
      organizationId,
      caregiverId,
      "CAREGIVER",
      caregiver.firstName,
      caregiver.lastName,
      caregiver.email,
      email,
      caregiver.phone,
      1,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      0,
      `${caregiver.firstName}\n${caregiver.lastName}\n${email}\n${caregiver.phone}`.toLowerCase(),
      now,
      now,
    );
    insertUser.run(
      organizationId,
      clientId,
      "PATIENT",
      client.firstName,
      client.lastName,
      null,
      null,
      null,
      1,
      key,
      client.sex ?? null,
      client.birthdate,
      caregiverId,
      client.address ?? null,
      client.city ?? null,
      client.state ?? null,
      client.zip ?? null,
      client.country ?? null,
      client.timezone ?? null,
      0,
      `${client.firstName}\n${client.lastName}`.toLowerCase(),
      now,
      now,
    );
    const { source, channel, campaign } = attribute(attribution ?? {});
    insertLead.run(
      organizationId,
      leadId,
      clientId,
      caregiverId,
      caregiver.relationship,
      stage?.public_id ?? null,
      JSON.stringify(attribution),
      source,
      channel,
      campaign,
      now,
    );
    for (const id of client.selectedLocations ?? [])
      insertLocation.run(organizationId, clientId, id);
    for (const id of client.labelPublicIds ?? []) insertLabel.run(organizationId, leadId, id);
    audit?.record(organizationId, clientId, now);
    return { client: { publicId: clientId }, caregiver: { publicId: caregiverId } };
  };

  return (organizationId: string, submission: NewIntakeLead): Promise<object> =>
    write(() => insert(organizationId, submission));
}
