import { SESSION_STATUSES, words } from "./format.ts";

/** The names of fields and of types of records, and the values of choices, in the words of an office. */

const LABELS: Record<string, string> = {
  addressLine1: "Address",
  addressLine2: "Apartment, suite",
  authorization: "Authorizations",
  authorizationDate: "First day",
  authorizationExpirationDate: "Last day",
  authorizationNumber: "Number",
  authorizationPool: "Pools",
  authorizationStatus: "Status",
  authorizedUnitFrequency: "Per",
  authorizedUnitsQuantity: "Units",
  birthdate: "Birth date",
  careTeamTechnicianIds: "Supervises",
  clientId: "Patient",
  clinicianIds: "Clinicians",
  complianceCredentials: "Compliance",
  credentialNumber: "Number",
  credentialStatus: "Status",
  credentialType: "Credential",
  effectiveEndDate: "In effect until",
  effectiveStartDate: "In effect from",
  encounter: "Encounters",
  expiresAt: "Expires",
  goal: "Goals",
  groupId: "Group",
  insuredAddress: "Holder’s address",
  insuredBirthDate: "Holder’s birth date",
  internalRecordId: "Record number",
  intakeLabel: "Labels of leads",
  intakeLead: "Leads",
  intakeStage: "Stages of leads",
  intakeStatusPublicId: "Stage",
  isActive: "Active",
  isBillable: "Billable",
  isClientPresent: "Patient is present",
  isSupervision: "Supervision",
  isTelehealth: "Telehealth",
  isUnlimited: "No limit",
  labelIds: "Labels",
  labelPublicIds: "Labels",
  location: "Locations",
  locationIds: "Locations",
  memberId: "Member ID",
  nonBillableCode: "Codes of what is not billed",
  npiNumber: "NPI",
  payor: "Payors",
  payors: "Insurance",
  phoneNumber: "Phone",
  postalCode: "ZIP code",
  primaryLocationId: "Main location",
  providerPayorIds: "Payors",
  relationshipToPatient: "Holder is the patient’s",
  selectedLocations: "Locations",
  serviceLine: "Services",
  serviceLineId: "Service",
  services: "Service",
  session: "Sessions",
  shouldSendSMS: "Text messages",
  specialization: "Specializations",
  specializationIds: "Specializations",
  timezone: "Time zone",
  totalUnits: "Units",
  treatmentPlan: "Treatment plans",
  unitFrequency: "Per",
  user: "People",
  userStatus: "Status",
  zip: "ZIP code",
};

/** `placeOfService` as `Place of service`, `technicianId` as `Technician`. */
export function labelOf(field: string): string {
  return LABELS[field] ?? words(field.replace(/Id$/, "").replace(/[A-Z]/g, "_$&").toUpperCase());
}

/** A value of a choice: `No-show`. */
export function choiceText(value: string): string {
  return (SESSION_STATUSES as Record<string, string>)[value] ?? words(value);
}
