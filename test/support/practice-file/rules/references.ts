import {
  clinician,
  patient,
  plan,
  pooledAuthorization,
  session,
  technician,
} from "../full-practice.ts";
import type { Fields } from "../practice-file.ts";
import { type Mistake, NO_ID, nowhere, type Rule, rule } from "./rule.ts";

/** Records that refer to others that do not exist, or have another role. */

const [insurance] = patient.payors as [Fields];
const [credential] = clinician.credentials as [Fields];
const line = (type: string, publicId: string, fields: Fields): Fields => ({
  type,
  publicId,
  ...fields,
});

/** Fields that refer to a record of a type, each with an id that no record has. */
const unknown: [type: string, publicId: string, fields: Fields, mistakes: [string, string][]][] = [
  ["user", "usr_tech", { locationIds: ["loc_main", "loc_x"] }, [["locationIds.1", "location"]]],
  ["user", "usr_tech", { primaryLocationId: "loc_x" }, [["primaryLocationId", "location"]]],
  [
    "user",
    "usr_tech",
    { specializationIds: ["spec_x"] },
    [["specializationIds.0", "specialization"]],
  ],
  ["user", "usr_tech", { providerPayorIds: ["pay_x"] }, [["providerPayorIds.0", "payor"]]],
  [
    "user",
    "usr_kid",
    { payors: [{ ...insurance, payorId: "pay_x" }] },
    [["payors.0.payorId", "payor"]],
  ],
  [
    "user",
    "usr_bcba",
    {
      credentials: [
        {
          ...credential,
          payorCredentialing: [
            { publicId: "pcpay_9", payorId: "pay_x", status: "PENDING", startDate: "2026-01-01" },
          ],
        },
      ],
    },
    [["credentials.0.payorCredentialing.0.payorId", "payor"]],
  ],
  ["user", "usr_kid", { caregiverId: "usr_x" }, [["caregiverId", "user"]]],
  ["user", "usr_kid", { clinicianIds: ["usr_bcba", "usr_x"] }, [["clinicianIds.1", "user"]]],
  ["user", "usr_kid", { primaryClinicianId: "usr_x" }, [["primaryClinicianId", "user"]]],
  ["user", "usr_bcba", { careTeamTechnicianIds: ["usr_x"] }, [["careTeamTechnicianIds.0", "user"]]],
  [
    "authorizationPool",
    "apool_1",
    { patientId: "usr_x", payorId: "pay_x" },
    [
      ["patientId", "user"],
      ["payorId", "payor"],
    ],
  ],
  [
    "authorization",
    "auth_2",
    { patientId: "usr_x", authorizationPoolId: "apool_x", serviceLineId: "svc_x" },
    [
      ["patientId", "user"],
      ["authorizationPoolId", "authorizationPool"],
      ["serviceLineId", "serviceLine"],
    ],
  ],
  ["authorization", "auth_1", { payorId: "pay_x" }, [["payorId", "payor"]]],
  [
    "session",
    "apt_1",
    {
      locationId: "loc_x",
      technicianId: "usr_x",
      clientId: "usr_x",
      clinicianId: "usr_x",
      providerLocationId: "loc_x",
      services: "svc_x",
      authorizationId: "auth_x",
    },
    [
      ["locationId", "location"],
      ["technicianId", "user"],
      ["clientId", "user"],
      ["clinicianId", "user"],
      ["providerLocationId", "location"],
      ["services", "serviceLine"],
      ["authorizationId", "authorization"],
    ],
  ],
  ["session", "apt_3", { nonBillableCode: "nbc_x" }, [["nonBillableCode", "nonBillableCode"]]],
  ["encounter", "enc_1", { authorizationId: "auth_x" }, [["authorizationId", "authorization"]]],
  ["encounter", "enc_1", { sessionId: "apt_x" }, [["sessionId", "session"]]],
  [
    "intakeLead",
    "lead_1",
    { clientId: "usr_x", caregiverId: "usr_x", stageId: "stage_x", labelIds: ["lbl_x"] },
    [
      ["clientId", "user"],
      ["caregiverId", "user"],
      ["stageId", "intakeStage"],
      ["labelIds.0", "intakeLabel"],
    ],
  ],
  ["treatmentPlan", "tp_1", { patientId: "usr_x" }, [["patientId", "user"]]],
  ["goal", "goal_rating", { treatmentPlanId: "tp_x" }, [["treatmentPlanId", "treatmentPlan"]]],
];

const CLINICIANS = "CLINICIAN or CLINICAL_ADMIN or CLINICAL_SUPERADMIN";
const PROVIDERS = "CLINICIAN or TECHNICIAN or CLINICAL_ADMIN or CLINICAL_SUPERADMIN";
const must = (role: string, roles: string) => `has the role ${role}, and must have ${roles}`;

/** Fields that refer to a user, each with a user of another role. */
const otherRoles: [type: string, publicId: string, fields: Fields, ...[string, string][]][] = [
  [
    "user",
    "usr_kid",
    { caregiverId: "usr_tech" },
    ["caregiverId", must("TECHNICIAN", "CAREGIVER")],
  ],
  [
    "user",
    "usr_kid",
    { clinicianIds: ["usr_admin"] },
    ["clinicianIds.0", must("ADMIN", PROVIDERS)],
  ],
  [
    "user",
    "usr_kid",
    { primaryClinicianId: "usr_care" },
    ["primaryClinicianId", must("CAREGIVER", PROVIDERS)],
  ],
  [
    "user",
    "usr_bcba",
    { careTeamTechnicianIds: ["usr_bcba"] },
    ["careTeamTechnicianIds.0", must("CLINICIAN", "TECHNICIAN")],
  ],
  [
    "authorizationPool",
    "apool_1",
    { patientId: "usr_care" },
    ["patientId", must("CAREGIVER", "PATIENT")],
  ],
  [
    "authorization",
    "auth_1",
    { patientId: "usr_care" },
    ["patientId", must("CAREGIVER", "PATIENT")],
  ],
  [
    "session",
    "apt_4",
    { technicianId: "usr_bcba", clientId: "usr_care", clinicianId: "usr_tech" },
    ["technicianId", must("CLINICIAN", "TECHNICIAN")],
    ["clientId", must("CAREGIVER", "PATIENT")],
    ["clinicianId", must("TECHNICIAN", CLINICIANS)],
  ],
  [
    "intakeLead",
    "lead_1",
    { clientId: "usr_care", caregiverId: "usr_kid" },
    ["clientId", must("CAREGIVER", "PATIENT")],
    ["caregiverId", must("PATIENT", "CAREGIVER")],
  ],
  [
    "treatmentPlan",
    "tp_1",
    { patientId: "usr_tech" },
    ["patientId", must("TECHNICIAN", "PATIENT")],
  ],
];

const named = { ...plan, patientId: "Leo Park" };

export const referenceRules: Rule[] = [
  ...unknown.map(([type, publicId, fields, mistakes]) =>
    rule(
      `${type}.${mistakes.map(([field]) => field).join(", ")} refers to a record that exists`,
      line(type, publicId, fields),
      mistakes.map(([field, names]): Mistake => [2, `${type} ${publicId}`, field, nowhere(names)]),
    ),
  ),
  rule("what is referred to has an id", named, [[2, "treatmentPlan tp_1", "patientId", NO_ID]]),
  ...otherRoles.map(([type, publicId, fields, ...mistakes]) =>
    rule(
      `${type}.${mistakes.map(([field]) => field).join(", ")} refers to a user of the right role`,
      line(type, publicId, fields),
      mistakes.map(([field, message]): Mistake => [2, `${type} ${publicId}`, field, message]),
    ),
  ),
  rule(
    "a record of another organization does not exist",
    { ...session, publicId: "apt_new", locationId: "loc_oak", authorizationId: null },
    [[2, "session apt_new", "locationId", nowhere("location")]],
  ),
  rule(
    "a record of the file has the role that the file gives it",
    [
      { type: "user", publicId: "usr_new", role: "ADMIN", firstName: "A", lastName: "B" },
      {
        ...technician,
        publicId: "usr_new2",
        role: "CLINICIAN",
        email: null,
        careTeamTechnicianIds: ["usr_new"],
      },
    ],
    [[3, "user usr_new2", "careTeamTechnicianIds.0", must("ADMIN", "TECHNICIAN")]],
  ),
  rule(
    "an authorization that is a member needs its pool",
    { ...pooledAuthorization, publicId: "auth_new", authorizationPoolId: "auth_1" },
    [[2, "authorization auth_new", "authorizationPoolId", nowhere("authorizationPool")]],
  ),
];
