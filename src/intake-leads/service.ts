import type { Db } from "../../db/database.ts";
import type { UserRow } from "../../db/schema.ts";
import { DomainError, invalid } from "../lib/errors.ts";
import { newPublicId } from "../lib/ids.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { patientsOf } from "../lib/patients.ts";
import { quoted } from "../lib/text.ts";
import { localDate, UTC } from "../lib/time-zone.ts";
import { findTimeZone, nextSequence } from "../organizations/repository.ts";
import { storer } from "../schema/record-map.ts";
import { intakeLeadMap } from "../schema/intake-leads.ts";
import { findUserWithEmail, insertUser, linkUser } from "../users/creation-repository.ts";
import { userRow } from "../users/rows.ts";
import { attribute } from "./attribution.ts";
import type { Client, IntakeLeadCreation, NewIntakeLead } from "./model.ts";
import { findIds, insertLead, linkLabels } from "./repository.ts";
import { chooseStage, type Stage } from "./stages.ts";

/**
 * Checks a lead against the current date and the organization's data, and returns its first stage; undefined if the
 * board has no stages.
 *
 * @throws InvalidInput for a birthdate in the future.
 * @throws DomainError that names all unknown ids and keys; or if a user of any role, active or not, has the caregiver's
 * email address.
 */
export async function checkIntakeLead(
  db: Db,
  organizationId: string,
  { client, caregiver }: NewIntakeLead,
  now: Instant,
): Promise<Stage | undefined> {
  const zone = client.timezone ?? (await findTimeZone(db, organizationId)) ?? UTC;
  if (client.birthdate > localDate(now, zone))
    throw invalid(["client", "birthdate"], "Must not be in the future");
  const stage = await requireReferences(db, organizationId, client);
  await requireFreeEmail(db, organizationId, caregiver, "A record with this email already exists");
  return stage;
}

/** @throws DomainError with the message if a user has the caregiver's email address. */
async function requireFreeEmail(
  db: Db,
  organizationId: string,
  { email }: NewIntakeLead["caregiver"],
  message: string,
): Promise<void> {
  const holder = await findUserWithEmail(db, organizationId, email);
  if (holder !== undefined)
    throw new DomainError("conflict", message).withPatientIds(patientsOf(holder));
}

/** Checks all references of the client's fields, and returns the stage of the new lead. */
async function requireReferences(
  db: Db,
  organizationId: string,
  client: Client,
): Promise<Stage | undefined> {
  const { stage, problem } = await chooseStage(db, organizationId, client);
  const problems = [
    await unknownIds(db, organizationId, client, "selectedLocations"),
    problem,
    await unknownIds(db, organizationId, client, "labelPublicIds"),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new DomainError("unknownReference", problems.join(". "));
  return stage;
}

/** The tables of the client's lists of ids. */
const tables = { selectedLocations: "locations", labelPublicIds: "intake_labels" } as const;

/** An error message that names the unknown ids of a field; none if all exist. */
async function unknownIds(
  db: Db,
  organizationId: string,
  client: Client,
  field: keyof typeof tables,
): Promise<string | undefined> {
  const ids = client[field] ?? [];
  if (ids.length === 0) return undefined;
  const existing = await findIds(db, tables[field], organizationId, ids);
  const unknown = ids.filter((id) => !existing.has(id));
  return unknown.length === 0 ? undefined : `Unknown ${field}: ${quoted(unknown)}`;
}

/** A submission that `checkIntakeLead` has checked, with its stage and organization. */
interface CheckedLead {
  organizationId: string;
  submission: NewIntakeLead;
  stage: Stage | undefined;
  now: Instant;
}

/**
 * Writes a checked lead: the patient, the caregiver, and the lead with its labels. Sends no notification.
 *
 * @throws DomainError if the caregiver's email address was taken after the check.
 */
export async function createIntakeLead(
  trx: Db,
  { organizationId, submission, stage, now }: CheckedLead,
): Promise<IntakeLeadCreation> {
  const { client, attribution } = submission;
  await requireFreeEmail(
    trx,
    organizationId,
    submission.caregiver,
    "The caregiver could not be created. Review the submission and try again.",
  );
  const { patient, caregiver } = newUsers(organizationId, submission, stage, now);
  const sequence = await nextSequence(trx, organizationId);
  const written = { sequence, first_sequence: sequence };
  // The patient refers to the caregiver, so the caregiver comes first: with an unresolved foreign key, SQLite would
  // scan all users of the organization.
  for (const person of [caregiver, patient]) await insertUser(trx, { ...person, ...written });
  const lead = {
    organization_id: organizationId,
    ...written,
    ...leadColumns({
      publicId: newPublicId("lead_", epochMilliseconds(now)),
      clientId: patient.public_id,
      caregiverId: caregiver.public_id,
      relationship: submission.caregiver.relationship,
      stageId: stage?.public_id,
      attribution,
      ...attribute(attribution ?? {}),
      createdAt: now,
    }),
  };
  await insertLead(trx, lead);
  await linkUser(trx, patient, "locations", client.selectedLocations);
  const { labelPublicIds: labelIds = [] } = client;
  if (labelIds.length > 0)
    await linkLabels(trx, { organizationId, leadId: lead.public_id, labelIds });
  return {
    client: { publicId: patient.public_id },
    caregiver: { publicId: caregiver.public_id },
  };
}

const leadColumns = storer(intakeLeadMap);

function newUsers(
  organizationId: string,
  { client, caregiver }: NewIntakeLead,
  stage: Stage | undefined,
  now: Instant,
): { patient: UserRow; caregiver: UserRow } {
  const [patientId, caregiverId] = [newUserId(now), newUserId(now)];
  const times = { createdAt: now, updatedAt: now };
  return {
    patient: userRow(organizationId, {
      ...times,
      publicId: patientId,
      role: "PATIENT",
      firstName: client.firstName,
      lastName: client.lastName,
      userStatus: stage?.built_in_key,
      sex: client.sex,
      birthDate: client.birthdate,
      caregiverId,
      // Forms also send empty fields: an empty address line means none.
      addressLine1: client.address || null,
      city: client.city || null,
      state: client.state || null,
      postalCode: client.zip || null,
      country: client.country || null,
      timezone: client.timezone,
    }),
    caregiver: userRow(organizationId, {
      ...times,
      publicId: caregiverId,
      role: "CAREGIVER",
      firstName: caregiver.firstName,
      lastName: caregiver.lastName,
      email: caregiver.email,
      phoneNumber: caregiver.phone,
    }),
  };
}

function newUserId(now: Instant): string {
  return newPublicId("usr_", epochMilliseconds(now));
}
