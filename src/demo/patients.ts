import { addDays, type CalendarDate } from "../lib/calendar-date.ts";
import type { CaregiverRecord, PatientRecord, PayorEntry } from "../practice-file/model.ts";
import { DEMO_TIME_ZONE } from "./calendar.ts";
import { caregiverId, patientId } from "./client.ts";
import type { Clinic } from "./clinic.ts";
import { EmailAddresses } from "./contacts.ts";
import { families, type Family } from "./families.ts";
import { numbered } from "./ids.ts";
import type { Person } from "./names.ts";
import { MEDICAID, type Payor, SELF_PAY } from "./payors.ts";
import { Random } from "./random.ts";
import { locationId } from "./reference-data.ts";
import type { Seat } from "./week.ts";

/** Users of the roles `PATIENT` and `CAREGIVER`. */

export function* caregivers(clinic: Clinic): Generator<CaregiverRecord> {
  const emails = new EmailAddresses("family.example");
  for (const family of families(clinic)) {
    const { number, parent } = family;
    const random = new Random(clinic.seed, "caregiver", number);
    yield {
      type: "user",
      publicId: caregiverId(number),
      role: "CAREGIVER",
      firstName: parent.firstName,
      lastName: parent.lastName,
      email: emails.next(parent),
      phoneNumber: family.phoneNumber,
      isActive: family.isActive,
      createdAt: family.inquiredAt,
      updatedAt: family.changedAt,
      shouldSendSMS: random.chance(0.6),
    };
  }
}

export function* patients(clinic: Clinic): Generator<PatientRecord> {
  for (const family of families(clinic)) yield patient(clinic, family);
}

function patient({ seed, locations }: Clinic, family: Family): PatientRecord {
  const { number, child, client, payor } = family;
  const random = new Random(seed, "patient", number);
  const location = locationId(random.whole(1, locations));
  const isInsured = payor !== undefined && payor !== SELF_PAY;
  return {
    type: "user",
    publicId: patientId(number),
    role: "PATIENT",
    firstName: child.firstName,
    lastName: child.lastName,
    isActive: family.isActive,
    createdAt: family.inquiredAt,
    updatedAt: family.changedAt,
    shouldSendSMS: false,
    userStatus: family.userStatus,
    sex: child.sex,
    birthDate: family.birthDate,
    caregiverId: caregiverId(number),
    ...family.address,
    country: "US",
    // Now and then nobody asked for it, and utilization has to be told a time zone.
    ...(!random.chance(0.03) && { timezone: DEMO_TIME_ZONE }),
    internalRecordId: numbered("MRN-", number),
    ...(isInsured && { payors: payorEntries(random, family, payor) }),
    ...(client === undefined ? { locationIds: [location] } : careOf(client.seat)),
  };
}

function careOf({ locationId, clinicianId, speechTherapistId }: Seat) {
  return {
    locationIds: [locationId],
    // In the order of the ids.
    clinicianIds: [clinicianId, ...(speechTherapistId === undefined ? [] : [speechTherapistId])],
    primaryClinicianId: clinicianId,
  };
}

/** The insurance of the parents first; behind it, for some, what the state grants the child itself. */
function payorEntries(random: Random, family: Family, payor: Payor): PayorEntry[] {
  const { parent, child, birthDate } = family;
  const parentBirthDate = addDays(birthDate, -365 * random.whole(21, 42) - random.whole(0, 364));
  const primary = payorEntry(family, payor, {
    priority: "PRIMARY",
    relationshipToPatient: "PARENT",
    insuredBirthDate: parentBirthDate,
    planHolder: fullName(parent),
  });
  if (payor === MEDICAID || !random.chance(0.15)) return [primary];
  const secondary = payorEntry(family, MEDICAID, {
    priority: "SECONDARY",
    relationshipToPatient: "SELF",
    insuredBirthDate: birthDate,
    planHolder: fullName(child),
  });
  return [primary, secondary];
}

function payorEntry(
  { number, address, inquiredAt }: Family,
  { publicId, prefix }: Payor,
  holder: Pick<
    PayorEntry,
    "priority" | "relationshipToPatient" | "insuredBirthDate" | "planHolder"
  >,
): PayorEntry {
  const { priority, relationshipToPatient, insuredBirthDate, planHolder } = holder;
  return {
    payorId: publicId,
    priority,
    relationshipToPatient,
    insuredBirthDate,
    insuredAddress: address,
    memberId: numbered(`${prefix}-`, 100_000 + number),
    groupId: `${prefix}-G${(number % 7) + 1}`,
    planHolder,
    effectiveStartDate: `${inquiredAt.slice(0, 4)}-01-01` as CalendarDate,
  };
}

function fullName({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`;
}
