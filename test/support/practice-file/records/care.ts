import { exported } from "../fields.ts";
import type { Fields } from "../practice-file.ts";

/** Authorizations, sessions, a lead and a treatment plan, as an export writes them. */

export const pool: Fields = exported({
  type: "authorizationPool",
  publicId: "apool_1",
  patientId: "usr_kid",
  payorId: "pay_acme",
  totalUnits: 160.5,
  unitFrequency: "MONTHLY",
  isUnlimited: false,
});

export const authorization: Fields = exported({
  type: "authorization",
  publicId: "auth_1",
  patientId: "usr_kid",
  payorId: "pay_acme",
  authorizationNumber: "A-100",
  authorizationStatus: "AUTHORIZED",
  authorizedUnitsQuantity: 80,
  authorizedUnitFrequency: "WEEKLY",
  serviceLineId: "svc_97153",
  authorizationDate: "2026-01-07",
  authorizationExpirationDate: "2026-07-06",
});

export const pooledAuthorization: Fields = exported({
  type: "authorization",
  publicId: "auth_2",
  patientId: "usr_kid",
  authorizationPoolId: "apool_1",
  authorizationNumber: "A-101",
  authorizationStatus: "EXPIRED",
  serviceLineId: "svc_visit",
  authorizationDate: "2026-01-07",
  authorizationExpirationDate: "2026-01-07",
});

export const session: Fields = exported({
  type: "session",
  publicId: "apt_1",
  title: "Direct therapy",
  status: "CONFIRMED",
  startTime: "2026-01-08T14:00:00.000Z",
  endTime: "2026-01-08T16:00:00.000Z",
  isSupervision: false,
  isClientPresent: true,
  placeOfService: "OFFICE",
  locationId: "loc_main",
  technicianId: "usr_tech",
  clientId: "usr_kid",
  isBillable: true,
  isTelehealth: false,
  clinicianId: "usr_bcba",
  providerLocationId: "loc_north",
  services: "svc_97153",
  authorizationId: "auth_1",
});

export const nonBillableSession: Fields = exported({
  type: "session",
  publicId: "apt_3",
  title: "Staff meeting",
  status: "DECLINED",
  startTime: "2026-01-08T14:00:00.000Z",
  endTime: "2026-01-08T14:00:00.000Z",
  isSupervision: true,
  isClientPresent: false,
  placeOfService: "OTHER",
  locationId: "loc_main",
  technicianId: "usr_tech",
  clientId: "usr_kid",
  isBillable: false,
  nonBillableCode: "nbc_meeting",
});

export const encounter: Fields = exported({
  type: "encounter",
  publicId: "enc_1",
  authorizationId: "auth_1",
  sessionId: "apt_1",
  startTime: "2026-01-08T14:00:00.000Z",
  units: 7.25,
});

export const billedEncounter: Fields = exported({
  type: "encounter",
  publicId: "enc_2",
  authorizationId: "auth_2",
  startTime: "2026-01-09T14:00:00.000Z",
  units: 0.5,
  billed: [
    {
      batch: "2026-W01 Acme",
      at: "2026-01-11T15:00:00.000Z",
      takenBackAt: "2026-01-11T16:00:00.000Z",
      line: null,
    },
    {
      batch: "2026-W02 Acme",
      at: "2026-01-12T15:00:00.000Z",
      takenBackAt: null,
      line: {
        date: "2026-01-08",
        timezone: "America/New_York",
        startTime: "2026-01-08T14:00:00.000Z",
        endTime: "2026-01-08T16:00:00.000Z",
        minutes: 120,
        patientId: "usr_kid",
        patientFirstName: "Leo",
        patientLastName: "Park",
        patientBirthDate: "2019-04-02",
        internalRecordId: "MRN-7",
        payorId: "pay_acme",
        payorName: "Acme Health",
        memberId: "M-1",
        groupId: "G-1",
        planHolder: "Mia Park",
        relationshipToPatient: "CHILD",
        priority: "PRIMARY",
        authorizationId: "auth_1",
        authorizationNumber: "A-100",
        poolId: "apool_1",
        serviceLineId: "svc_97153",
        serviceLineName: "Therapy",
        code: "97153",
        modifiers: ["HO"],
        placeOfService: "OFFICE",
        placeOfServiceCode: "11",
        units: 7.25,
        billingUnitMinutes: 15,
        renderedById: "usr_tech",
        renderedByFirstName: "Ana",
        renderedByLastName: "Ruiz",
        renderedByNpi: "1234567893",
        renderedByCredential: "RBT",
        supervisedById: "usr_bcba",
        supervisedByFirstName: "Jo",
        supervisedByLastName: "Lee",
        supervisedByNpi: "1234567802",
        localStart: "2026-01-08T09:00",
        localEnd: "2026-01-08T11:00",
        patientSex: "MALE",
        patientAddressLine1: "1 Elm St",
        patientAddressLine2: "Apt 2",
        patientCity: "Salem",
        patientState: "MA",
        patientPostalCode: "01970",
        insuredBirthDate: "1990-05-06",
        insuredAddressLine1: "1 Elm St",
        insuredAddressLine2: "Apt 2",
        insuredCity: "Salem",
        insuredState: "MA",
        insuredPostalCode: "01970",
        claimFrequencyCode: "1",
        replacesBatch: null,
        replacesUnits: null,
      },
    },
  ],
});

/** After it, the encounter can be deleted. */
export const takenBack: Fields = {
  ...{ type: "encounter", publicId: "enc_2" },
  billed: (billedEncounter.billed as Fields[]).map((one) => ({
    ...one,
    takenBackAt: one.takenBackAt ?? "2026-01-13T15:00:00.000Z",
  })),
};

export const lead: Fields = exported({
  type: "intakeLead",
  publicId: "lead_1",
  clientId: "usr_kid",
  caregiverId: "usr_care",
  relationship: "GUARDIAN",
  stageId: "stage_lead",
  labelIds: ["lbl_urgent", "lbl_web"],
  attribution: {
    utm_source: "google",
    utm_medium: "cpc",
    utm_campaign: "Spring",
    utm_term: "aba",
    utm_content: "ad-2",
    gclid: "g-1",
    gbraid: "gb-1",
    wbraid: "wb-1",
    fbclid: "fb-1",
    referrer: "https://www.google.com/",
    landingPage: "https://maple.example/intake",
  },
  source: "google",
  channel: "Paid Search",
  campaign: "Spring",
  createdAt: "2025-12-01T10:00:00.000Z",
});

export const plan: Fields = exported({
  type: "treatmentPlan",
  publicId: "tp_1",
  patientId: "usr_kid",
  name: "Plan of 2026",
});
