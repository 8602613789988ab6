import { describe } from "bun:test";
import {
  authorization,
  clinician,
  encounter,
  lead,
  nonBillableSession,
  organization,
  patient,
  plan,
  pool,
  pooledAuthorization,
  ratingGoal,
  session,
  technician,
} from "../support/practice-file/full-practice.ts";
import { type Fields } from "../support/practice-file/practice-file.ts";
import {
  databaseOfFullPractice,
  NO_ID,
  refused,
  without,
} from "../support/practice-file/refusals.ts";

/** References to unknown records, and to records that do not match. */

const database = await databaseOfFullPractice();

describe("a reference to an unknown record", () => {
  const nowhere = (kind: string) => `is no ${kind} of the file or the database`;
  const nobody = "is no user of the file or the database";
  const payor = (patient.payors as Fields[])[0];
  const credential = (clinician.credentials as Fields[])[0];
  refused(database, [
    [
      "of a user's locations",
      { ...technician, locationIds: ["loc_main", "loc_x"] },
      `user usr_tech: locationIds[1]: ${nowhere("location")}`,
    ],
    [
      "of a user's main location",
      { ...technician, primaryLocationId: "loc_x" },
      `user usr_tech: primaryLocationId: ${nowhere("location")}`,
    ],
    [
      "of specializations",
      { ...technician, specializationIds: ["spec_x"] },
      `user usr_tech: specializationIds[0]: ${nowhere("specialization")}`,
    ],
    [
      "of a provider's payors",
      { ...technician, providerPayorIds: ["pay_x"] },
      `user usr_tech: providerPayorIds[0]: ${nowhere("payor")}`,
    ],
    [
      "of a patient's payors",
      { ...patient, payors: [{ ...payor, payorId: "pay_x" }] },
      `user usr_kid: payors[0].payorId: ${nowhere("payor")}`,
    ],
    [
      "of credentialing",
      {
        ...clinician,
        credentials: [
          {
            ...credential,
            payorCredentialing: [
              { publicId: "pcpay_9", payorId: "pay_x", status: "PENDING", startDate: "2026-01-01" },
            ],
          },
        ],
      },
      `user usr_bcba: credentials[0].payorCredentialing[0].payorId: ${nowhere("payor")}`,
    ],
    [
      "of a caregiver",
      { ...patient, caregiverId: "usr_x" },
      `user usr_kid: caregiverId: ${nobody}`,
    ],
    [
      "of a patient's clinicians",
      { ...patient, clinicianIds: ["usr_bcba", "usr_x"] },
      `user usr_kid: clinicianIds[1]: ${nobody}`,
    ],
    [
      "of a patient's main clinician",
      { ...patient, primaryClinicianId: "usr_x" },
      `user usr_kid: primaryClinicianId: ${nobody}`,
    ],
    [
      "of a care team",
      { ...clinician, careTeamTechnicianIds: ["usr_x"] },
      `user usr_bcba: careTeamTechnicianIds[0]: ${nobody}`,
    ],
    [
      "of a pool",
      { ...pool, patientId: "usr_x", payorId: "pay_x" },
      `authorizationPool apool_1: patientId: ${nowhere("user")}`,
      `authorizationPool apool_1: payorId: ${nowhere("payor")}`,
    ],
    [
      "of an authorization",
      {
        ...pooledAuthorization,
        patientId: "usr_x",
        authorizationPoolId: "apool_x",
        serviceLineId: "svc_x",
      },
      `authorization auth_2: patientId: ${nowhere("user")}`,
      `authorization auth_2: authorizationPoolId: ${nowhere("authorizationPool")}`,
      `authorization auth_2: serviceLineId: ${nowhere("serviceLine")}`,
    ],
    [
      "of a billable session",
      {
        ...session,
        locationId: "loc_x",
        technicianId: "usr_x",
        clientId: "usr_x",
        clinicianId: "usr_x",
        providerLocationId: "loc_x",
        services: "svc_x",
        authorizationId: "auth_x",
      },
      `session apt_1: locationId: ${nowhere("location")}`,
      `session apt_1: technicianId: ${nowhere("user")}`,
      `session apt_1: clientId: ${nowhere("user")}`,
      `session apt_1: clinicianId: ${nowhere("user")}`,
      `session apt_1: providerLocationId: ${nowhere("location")}`,
      `session apt_1: services: ${nowhere("serviceLine")}`,
      `session apt_1: authorizationId: ${nowhere("authorization")}`,
    ],
    [
      "of another session",
      { ...nonBillableSession, nonBillableCode: "nbc_x" },
      `session apt_3: nonBillableCode: ${nowhere("nonBillableCode")}`,
    ],
    [
      "of an encounter",
      { ...encounter, authorizationId: "auth_x" },
      `encounter enc_1: authorizationId: ${nowhere("authorization")}`,
    ],
    [
      "of an encounter to its session",
      { ...encounter, sessionId: "apt_x" },
      `encounter enc_1: sessionId: ${nowhere("session")}`,
    ],
    [
      "of a lead",
      { ...lead, clientId: "usr_x", caregiverId: "usr_x", stageId: "stage_x", labelIds: ["lbl_x"] },
      `intakeLead lead_1: clientId: ${nowhere("user")}`,
      `intakeLead lead_1: caregiverId: ${nowhere("user")}`,
      `intakeLead lead_1: stageId: ${nowhere("intakeStage")}`,
      `intakeLead lead_1: labelIds[0]: ${nowhere("intakeLabel")}`,
    ],
    [
      "of a treatment plan",
      { ...plan, patientId: "usr_x" },
      `treatmentPlan tp_1: patientId: ${nowhere("user")}`,
    ],
    [
      "of a goal",
      { ...ratingGoal, treatmentPlanId: "tp_x" },
      `goal goal_rating: treatmentPlanId: ${nowhere("treatmentPlan")}`,
    ],
    [
      "that could be no id",
      { ...plan, patientId: "Leo Park" },
      `treatmentPlan tp_1: patientId: ${NO_ID}`,
    ],
  ]);
});

describe("a reference to a user with a wrong role", () => {
  const must = (role: string, roles: string) => `has the role ${role}, and must have ${roles}`;
  const clinicians = "CLINICIAN or CLINICAL_ADMIN or CLINICAL_SUPERADMIN";
  const providers = "CLINICIAN or TECHNICIAN or CLINICAL_ADMIN or CLINICAL_SUPERADMIN";
  refused(database, [
    [
      "of a caregiver",
      { ...patient, caregiverId: "usr_tech" },
      `user usr_kid: caregiverId: ${must("TECHNICIAN", "CAREGIVER")}`,
    ],
    [
      "of a patient's clinicians",
      { ...patient, clinicianIds: ["usr_admin"] },
      `user usr_kid: clinicianIds[0]: ${must("ADMIN", providers)}`,
    ],
    [
      "of a patient's main clinician",
      { ...patient, primaryClinicianId: "usr_care" },
      `user usr_kid: primaryClinicianId: ${must("CAREGIVER", providers)}`,
    ],
    [
      "of a care team",
      { ...clinician, careTeamTechnicianIds: ["usr_bcba"] },
      `user usr_bcba: careTeamTechnicianIds[0]: ${must("CLINICIAN", "TECHNICIAN")}`,
    ],
    [
      "of a pool's patient",
      { ...pool, publicId: "apool_9", patientId: "usr_care" },
      `authorizationPool apool_9: patientId: ${must("CAREGIVER", "PATIENT")}`,
    ],
    [
      "of an authorization's patient",
      { ...authorization, patientId: "usr_care" },
      `authorization auth_1: patientId: ${must("CAREGIVER", "PATIENT")}`,
    ],
    [
      "of a session's people",
      {
        ...session,
        technicianId: "usr_bcba",
        clientId: "usr_care",
        clinicianId: "usr_tech",
        authorizationId: null,
      },
      `session apt_1: technicianId: ${must("CLINICIAN", "TECHNICIAN")}`,
      `session apt_1: clientId: ${must("CAREGIVER", "PATIENT")}`,
      `session apt_1: clinicianId: ${must("TECHNICIAN", clinicians)}`,
    ],
    [
      "of a lead's people",
      { ...lead, clientId: "usr_care", caregiverId: "usr_kid" },
      `intakeLead lead_1: clientId: ${must("CAREGIVER", "PATIENT")}`,
      `intakeLead lead_1: caregiverId: ${must("PATIENT", "CAREGIVER")}`,
    ],
    [
      "of a plan's patient",
      { ...plan, patientId: "usr_tech" },
      `treatmentPlan tp_1: patientId: ${must("TECHNICIAN", "PATIENT")}`,
    ],
  ]);
});

describe("records that contradict each other", () => {
  refused(database, [
    [
      "an authorization that expires before it starts",
      { ...authorization, authorizationExpirationDate: "2026-01-06" },
      "authorization auth_1: authorizationExpirationDate: is before authorizationDate",
    ],
    [
      "an authorization in no pool without quantity",
      { ...without(authorization, "authorizedUnitsQuantity"), publicId: "auth_9" },
      "authorization auth_9: authorizedUnitsQuantity: is required of an authorization that is in no pool",
    ],
    [
      "an authorization in no pool without frequency",
      { ...authorization, authorizedUnitFrequency: null },
      "authorization auth_1: authorizedUnitFrequency: is required of an authorization that is in no pool",
    ],
    [
      "an authorization in a pool of another patient",
      { ...pooledAuthorization, publicId: "auth_9", patientId: "usr_kid2" },
      "authorization auth_9: authorizationPoolId: is a pool of another patient",
    ],
    [
      "an authorization with the id of a pool",
      { ...authorization, publicId: "apool_1" },
      "authorization apool_1: publicId: is also the id of a pool",
    ],
    [
      "a pool with the id of an authorization",
      { ...pool, publicId: "auth_1" },
      "authorizationPool auth_1: publicId: is also the id of an authorization",
    ],
    [
      "a session that ends before it starts",
      { ...session, endTime: "2026-01-08T13:59:59.999Z" },
      "session apt_1: endTime: is before startTime",
    ],
    [
      "a session of another service line than its authorization's",
      { ...session, services: "svc_visit" },
      "session apt_1: services: is not the service line of the session's authorization",
    ],
    [
      "a session of another client than its authorization's",
      { ...session, clientId: "usr_kid2" },
      "session apt_1: authorizationId: is no authorization of the session's client",
    ],
    [
      "a session of nobody with an authorization",
      { ...session, clientId: null },
      "session apt_1: authorizationId: is no authorization of the session's client",
    ],
    [
      "an encounter of a session that is bound elsewhere",
      { ...encounter, authorizationId: "auth_2" },
      "encounter enc_1: sessionId: is no session of the encounter's authorization",
    ],
    [
      "an encounter of a session that is bound to nothing",
      { ...encounter, sessionId: "apt_4" },
      "encounter enc_1: sessionId: is no session of the encounter's authorization",
    ],
    [
      "an email that somebody else has, in other letters",
      { ...technician, email: "NOOR.haddad@MAPLE.example" },
      "user usr_tech: email: is the email of somebody who keeps it: usr_bcba",
    ],
    [
      "a second organization",
      { type: "organization", publicId: "org_oak", name: "Oak" },
      "organization org_oak: type: stands for the practice itself, which has one line, the first",
    ],
    [
      "the organization again",
      organization,
      "organization org_maple: type: stands for the practice itself, which has one line, the first",
    ],
  ]);
});
