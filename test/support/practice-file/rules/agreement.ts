import {
  authorization,
  clinician,
  patient,
  pool,
  pooledAuthorization,
  skillGoal,
  technician,
} from "../full-practice.ts";
import type { Fields } from "../practice-file.ts";
import { type Mistake, type Rule, rule, without } from "./rule.ts";

/** Fields and records that must agree, also after a change of another record, and deletions. */

const [, soap] = skillGoal.childGoals as [Fields, Fields];
const names = { firstName: "A", lastName: "B" };
const visit: Fields = { type: "session", publicId: "apt_1" };
const granted: Fields = { type: "authorization", publicId: "auth_1" };
const gone = (type: string, publicId: string): Fields => ({ type, publicId, deleted: true });

const NO_POOL = "is required unless the authorization is in a pool";
const NOT_THE_CLIENTS = "is no authorization of the session's client";
const NOT_ITS_SERVICE = "is not the service line of the session's authorization";
const NOT_ITS_SESSION = "is no session of the encounter's authorization";
const OTHER_THAN_SESSION = "has another patient or service line than a session booked on it: apt_1";
const CLINICIANS = "CLINICIAN or CLINICAL_ADMIN or CLINICAL_SUPERADMIN";
const PROVIDERS = "CLINICIAN or TECHNICIAN or CLINICAL_ADMIN or CLINICAL_SUPERADMIN";

const together: Rule[] = [
  rule(
    "an authorization does not expire before it starts",
    { ...granted, authorizationExpirationDate: "2026-01-06" },
    [[2, "authorization auth_1", "authorizationExpirationDate", "is before authorizationDate"]],
  ),
  rule(
    "a standalone authorization has a quantity",
    { ...without(authorization, "authorizedUnitsQuantity"), publicId: "auth_9" },
    [[2, "authorization auth_9", "authorizedUnitsQuantity", NO_POOL]],
  ),
  rule(
    "a standalone authorization has a frequency",
    { ...granted, authorizedUnitFrequency: null },
    [[2, "authorization auth_1", "authorizedUnitFrequency", NO_POOL]],
  ),
  rule(
    "an authorization that leaves its pool has both",
    { type: "authorization", publicId: "auth_2", authorizationPoolId: null },
    [
      [2, "authorization auth_2", "authorizedUnitsQuantity", NO_POOL],
      [2, "authorization auth_2", "authorizedUnitFrequency", NO_POOL],
    ],
  ),
  rule(
    "a member of a pool has the pool's patient",
    { ...pooledAuthorization, publicId: "auth_9", patientId: "usr_kid2" },
    [[2, "authorization auth_9", "authorizationPoolId", "is a pool of another patient"]],
  ),
  rule(
    "a member of a pool has the pool's payor",
    { type: "authorization", publicId: "auth_2", payorId: "pay_birch" },
    [[2, "authorization auth_2", "payorId", "is not the payor of the pool"]],
  ),
  rule("an authorization has no id of a pool", { ...authorization, publicId: "apool_1" }, [
    [2, "authorization apool_1", "publicId", "is also the id of a pool"],
  ]),
  rule("a pool has no id of an authorization", { ...pool, publicId: "auth_1" }, [
    [2, "authorizationPool auth_1", "publicId", "is also the id of an authorization"],
  ]),
  rule(
    "a session does not end before it starts",
    { ...visit, endTime: "2026-01-08T13:59:59.999Z" },
    [[2, "session apt_1", "endTime", "is before startTime"]],
  ),
  rule("a session has the service line of its authorization", { ...visit, services: "svc_visit" }, [
    [2, "session apt_1", "services", NOT_ITS_SERVICE],
  ]),
  rule("a session has the client of its authorization", { ...visit, clientId: "usr_kid2" }, [
    [2, "session apt_1", "authorizationId", NOT_THE_CLIENTS, "auth_1"],
  ]),
  rule("a session of nobody has no authorization", { ...visit, clientId: null }, [
    [2, "session apt_1", "authorizationId", NOT_THE_CLIENTS, "auth_1"],
  ]),
  rule(
    "an encounter's session is bound to the encounter's authorization",
    { type: "encounter", publicId: "enc_1", authorizationId: "auth_2" },
    [[2, "encounter enc_1", "sessionId", NOT_ITS_SESSION, "apt_1"]],
  ),
  rule(
    "an encounter's session is bound to an authorization",
    { type: "encounter", publicId: "enc_1", sessionId: "apt_4" },
    [[2, "encounter enc_1", "sessionId", NOT_ITS_SESSION]],
  ),
  rule(
    "an email is that of one user, in any letters",
    { type: "user", publicId: "usr_tech", email: "NOOR.haddad@MAPLE.example" },
    [[2, "user usr_tech", "email", "is already the email of usr_bcba"]],
  ),
  rule(
    "two users of a file have two emails",
    [
      { type: "user", publicId: "usr_tech", email: "one@maple.example" },
      { type: "user", publicId: "usr_bcba", email: "ONE@maple.example" },
    ],
    [[3, "user usr_bcba", "email", "is also the email of usr_tech on line 2"]],
  ),
  rule(
    "a user whose line has the same email keeps it",
    [{ ...technician, email: clinician.email }, clinician],
    [[3, "user usr_bcba", "email", "is also the email of usr_tech on line 2"]],
  ),
];

const limits: Rule[] = [
  rule(
    "a pool has at most 200 members",
    // The practice has one already.
    Array.from({ length: 200 }, (_, index) => ({
      ...pooledAuthorization,
      publicId: `auth_m${String(index).padStart(3, "0")}`,
    })),
    [[201, "authorization auth_m199", "authorizationPoolId", "is a pool of more than 200 members"]],
  ),
  rule(
    "a patient has at most 200 authorizations in all",
    // The practice has two already, one of them in a pool.
    Array.from({ length: 199 }, (_, index) => ({
      ...authorization,
      publicId: `auth_m${String(index).padStart(3, "0")}`,
    })),
    [
      [
        200,
        "authorization auth_m198",
        "patientId",
        "is a patient with more than 200 authorizations",
      ],
    ],
  ),
  rule(
    "a patient has at most 100 pools",
    // The practice has one already.
    Array.from({ length: 100 }, (_, index) => ({
      ...pool,
      publicId: `apool_m${String(index).padStart(3, "0")}`,
    })),
    [[101, "authorizationPool apool_m099", "patientId", "is a patient with more than 100 pools"]],
  ),
  rule(
    "a goal and the goals below it are at most 500",
    {
      ...skillGoal,
      childGoals: [
        {
          ...soap,
          childGoals: Array.from({ length: 499 }, (_, index) => ({
            ...soap,
            publicId: `goal_m${index}`,
          })),
        },
      ],
    },
    [[2, "goal goal_hands", "childGoals", "must be at most 499 goals, including those below them"]],
  ),
  rule(
    "a goal has at most 100,000 recorded data points, including its children's",
    {
      ...skillGoal,
      childGoals: [{ ...soap, skillTrials: trials(60_000) }],
      skillTrials: trials(40_001),
    },
    [
      [
        2,
        "goal goal_hands",
        "",
        "has more than 100,000 recorded data points, including those of its child goals",
        "",
      ],
    ],
  ),
];

function trials(length: number): Fields[] {
  const trial = { outcome: "SUCCESS", happenedAt: "2026-01-01T00:00:00Z" };
  return Array.from({ length }, (_, index) => ({ publicId: `t${index}`, ...trial }));
}

/** The mistakes of a user whose role changes: the roles needed, and where. */
function roleChange(
  publicId: string,
  role: string,
  ...mistakes: [roles: string, field: string, of: string][]
): Rule {
  return rule(
    `a user who becomes ${role} still fits where ${publicId} is referred to`,
    { type: "user", publicId, role, ...names },
    mistakes.map(([roles, field, of]): Mistake => [
      2,
      `user ${publicId}`,
      "role",
      `must be ${roles} where this user is the ${field} of ${of}`,
      "",
    ]),
  );
}

const afterChanges: Rule[] = [
  roleChange(
    "usr_tech",
    "CAREGIVER",
    [PROVIDERS, "clinicianIds", "user usr_kid"],
    ["TECHNICIAN", "careTeamTechnicianIds", "user usr_bcba"],
    ["TECHNICIAN", "technicianId", "session apt_1"],
  ),
  roleChange(
    "usr_bcba",
    "ADMIN",
    [PROVIDERS, "primaryClinicianId", "user usr_kid"],
    [PROVIDERS, "clinicianIds", "user usr_kid"],
    [CLINICIANS, "clinicianId", "session apt_1"],
  ),
  roleChange(
    "usr_kid",
    "CAREGIVER",
    ["PATIENT", "patientId", "authorizationPool apool_1"],
    ["PATIENT", "patientId", "authorization auth_1"],
    ["PATIENT", "clientId", "session apt_1"],
    ["PATIENT", "clientId", "intakeLead lead_1"],
    ["PATIENT", "patientId", "treatmentPlan tp_1"],
  ),
  roleChange(
    "usr_care",
    "PATIENT",
    ["CAREGIVER", "caregiverId", "user usr_kid"],
    ["CAREGIVER", "caregiverId", "intakeLead lead_1"],
  ),
  rule(
    "a new role is reported at the line of the file that refers to its user, if there is one",
    [{ type: "user", publicId: "usr_care", role: "PATIENT", ...names }, patient],
    [
      [
        2,
        "user usr_care",
        "role",
        "must be CAREGIVER where this user is the caregiverId of intakeLead lead_1",
        "",
      ],
      [3, "user usr_kid", "caregiverId", "has the role PATIENT, and must have CAREGIVER"],
    ],
  ),
  rule("sessions fit an authorization's new patient", { ...granted, patientId: "usr_kid2" }, [
    [2, "authorization auth_1", "", OTHER_THAN_SESSION],
  ]),
  rule(
    "sessions fit an authorization's new service line",
    { ...granted, serviceLineId: "svc_visit" },
    [[2, "authorization auth_1", "", OTHER_THAN_SESSION]],
  ),
  rule(
    "members fit a pool's new patient",
    { type: "authorizationPool", publicId: "apool_1", patientId: "usr_kid2" },
    [[2, "authorizationPool apool_1", "", "has another patient or payor than a member: auth_2"]],
  ),
  rule("encounters fit a session's new authorization", { ...visit, authorizationId: null }, [
    [
      2,
      "session apt_1",
      "authorizationId",
      "is not the authorization of an encounter of this session: enc_1",
    ],
  ]),
];

const deletions: Rule[] = [
  rule(
    "a line that deletes has no other field",
    { ...gone("session", "apt_1"), title: "x" },
    [[2, "session apt_1", "title", "is no field of a line that deletes its record", ""]],
    { cannot: "the other cells of a row that deletes are not looked at" },
  ),
  rule(
    "deleted is not false",
    { ...visit, deleted: false },
    [[2, "session apt_1", "deleted", "must be true, or be left out"]],
    { cannot: "no is the same as an empty cell there" },
  ),
  rule(
    "deleted is no text",
    { ...visit, deleted: "maybe" },
    [[2, "session apt_1", "deleted", "must be true, or be left out"]],
    { reports: ['F/session.csv:2: session apt_1: deleted: "maybe" must be yes or no'] },
  ),
  rule(
    "deleted is not null",
    { ...visit, deleted: null },
    [[2, "session apt_1", "deleted", "must be true, or be left out"]],
    { cannot: "an empty cell deletes nothing" },
  ),
  rule("what a record refers to is not deleted", gone("session", "apt_1"), [
    [2, "session apt_1", "deleted", "is named by encounter enc_1", ""],
  ]),
  rule("a user whose API key works is not deleted", gone("user", "usr_x2"), [
    [2, "user usr_x2", "deleted", "is named by API key key_of_user", ""],
  ]),
  rule("others are counted", gone("authorization", "auth_1"), [
    [2, "authorization auth_1", "deleted", "is named by session apt_1 and 1 other", ""],
  ]),
  rule("others of several types are counted", gone("location", "loc_main"), [
    [2, "location loc_main", "deleted", "is named by user usr_bcba and 6 others", ""],
  ]),
  rule("what an entry refers to is not deleted", gone("intakeLabel", "lbl_web"), [
    [2, "intakeLabel lbl_web", "deleted", "is named by intakeLead lead_1", ""],
  ]),
  rule(
    "what a line of the file refers to is not deleted",
    [
      { ...visit, locationId: "loc_north", providerLocationId: null },
      gone("location", "loc_north"),
    ],
    [[3, "location loc_north", "deleted", "is named by user usr_admin and 4 others", ""]],
  ),
  rule(
    "a new record refers to none that is deleted",
    [
      gone("nonBillableCode", "nbc_meeting"),
      { type: "session", publicId: "apt_3", title: "Meeting" },
    ],
    [[2, "nonBillableCode nbc_meeting", "deleted", "is named by session apt_3", ""]],
  ),
];

export const agreementRules: Rule[] = [...together, ...limits, ...afterChanges, ...deletions];
