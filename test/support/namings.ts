import { type Json, withField } from "./body-rules.ts";
import type { Answer } from "./harness.ts";
import { newLead } from "./intake-leads/practice.ts";

/** Wherever a request can name a record: paths, queries and bodies of all operations. */

export interface Naming {
  /** The operation and the field, as documented. */
  operation: string;
  field: string;
  /** The ids that the field can contain, without the suffix. */
  names: string[];
  /** Sends the request with an id in the field. */
  send(id: string): Promise<Answer>;
}

/**
 * @param call sends a request, such as `GET /v1/users`.
 * @param ours the suffix of the caller's own records, which `fillOrganization` made.
 */
export function namingsOf(
  call: (line: string, json?: Json) => Promise<Answer>,
  ours: string,
): Naming[] {
  const get = (path: string) => call(`GET ${path}`);
  const post = (path: string, json: Json) => call(`POST ${path}`, json);
  const newUserOf = (role: string, more: Json) =>
    post("/v1/users", { firstName: "Ida", lastName: "Newly", role, ...more });
  const lead = (field: string, value: unknown) =>
    post("/v1/intake-leads", withField(newLead(), ["client", field], value));

  /** The ids in the paths of operations, with the body of those that take one. */
  const subjects = "auth_alone auth_member apool_main";
  const inPaths: [operation: string, names: string, json?: Json][] = [
    ["GET /v1/users/{userId}", "usr_client usr_technician"],
    ["POST /v1/users/{userId}/invitation", "usr_technician"],
    ["DELETE /v1/users/{userId}/access", "usr_clinician"],
    ["DELETE /v1/passkeys/{passkeyId}", "passkey_main"],
    ["GET /v1/intake-leads/{leadId}", "lead_main"],
    ["GET /v1/goals/{goalId}", "goal_main"],
    ["PATCH /v1/goals/{goalId}", "goal_main", { title: "Changed" }],
    ["DELETE /v1/goals/{goalId}", "goal_main"],
    ["GET /v1/sessions/{sessionId}", "apt_main"],
    ["GET /v1/sessions/{sessionId}/utilization", "apt_main"],
    ["GET /v1/authorization-utilization/{publicId}", subjects],
    ["GET /v1/authorization-utilization/{publicId}/ledger", subjects],
    ["GET /v1/authorization-utilization/{publicId}/summary", subjects],
    ["POST /v1/authorization-utilization/{publicId}/what-if", subjects, {}],
    ["DELETE /v1/calendars/{calendarId}", "key_calendar"],
  ];

  /** The filters of lists, with what else their queries need. */
  const march = "&startDate=2026-03-01&endDate=2026-03-31";
  const filters: [path: string, filters: Record<string, string>, more?: string][] = [
    [
      "/v1/sessions",
      {
        ...{ clientId: "usr_client", technicianId: "usr_technician", clinicianId: "usr_clinician" },
        authorizationId: "auth_alone",
      },
    ],
    [
      "/v1/encounters",
      { authorizationId: "auth_alone", sessionId: "apt_main", patientId: "usr_client" },
    ],
    ["/v1/names", { ids: "usr_client" }],
    ["/v1/practice-file", { ids: "usr_client" }],
    ["/v1/intake-leads", { stageId: "stage_main", labelId: "lbl_main", clientId: "usr_client" }],
    ["/v1/treatment-plans", { patientId: "usr_client" }],
    ["/v1/goals", { treatmentPlanId: "tp_main", patientId: "usr_client" }],
    ["/v1/authorization-utilization", { patientId: "usr_client", payorId: "pay_main" }],
    [
      "/v1/checks",
      { patientId: "usr_client", payorId: "pay_main", providerId: "usr_technician" },
      march,
    ],
    ["/v1/delivery", { patientId: "usr_client", payorId: "pay_main" }, march],
    [
      "/v1/billing-lines",
      { patientId: "usr_client", payorId: "pay_main", providerId: "usr_technician" },
      march,
    ],
    ["/v1/supervision", { technicianId: "usr_technician" }, "&month=2026-03"],
  ];

  /** The fields of bodies. */
  const inBodies: [operation: string, field: string, name: string, Naming["send"]][] = [
    [
      "POST /v1/users",
      "providerPayors",
      "pay_main",
      (id) => newUserOf("CLINICIAN", { providerPayors: [id] }),
    ],
    [
      "POST /v1/users",
      "specializations",
      "spec_main",
      (id) => newUserOf("CLINICIAN", { specializations: [id] }),
    ],
    [
      "POST /v1/users",
      "careTeamTechnicianIds",
      "usr_technician",
      (id) => newUserOf("CLINICIAN", { careTeamTechnicianIds: [id] }),
    ],
    [
      "POST /v1/users",
      "careTeamLeadIds",
      "usr_clinician",
      (id) => newUserOf("TECHNICIAN", { careTeamLeadIds: [id] }),
    ],
    [
      "POST /v1/intake-leads",
      "selectedLocations",
      "loc_main",
      (id) => lead("selectedLocations", [id]),
    ],
    [
      "POST /v1/intake-leads",
      "intakeStatusPublicId",
      "stage_main",
      (id) => lead("intakeStatusPublicId", id),
    ],
    ["POST /v1/intake-leads", "labelPublicIds", "lbl_main", (id) => lead("labelPublicIds", [id])],
    [
      "POST /v1/goals",
      "treatmentPlanId",
      "tp_main",
      (id) => post("/v1/goals", { type: "rating", title: "Calm", treatmentPlanId: id }),
    ],
    [
      "PATCH /v1/goals/{goalId}",
      "publicId",
      "goal_step",
      (id) => call(`PATCH /v1/goals/goal_skill${ours}`, { childGoals: [{ publicId: id }] }),
    ],
    [
      "POST /v1/calendars",
      "userId",
      "usr_technician",
      (id) => post("/v1/calendars", { userId: id }),
    ],
  ];

  return [
    ...inPaths.map(([operation, names, json]) => ({
      operation,
      field: /\{(\w+)\}/.exec(operation)?.[1] ?? "",
      names: names.split(" "),
      send: (id: string) => call(operation.replace(/\{\w+\}/, id), json),
    })),
    ...filters.flatMap(([path, fields, more = ""]) =>
      Object.entries(fields).map(([field, name]) => ({
        ...{ operation: `GET ${path}`, field, names: [name] },
        send: (id: string) => get(`${path}?${field}=${id}${more}`),
      })),
    ),
    ...inBodies.map(([operation, field, name, send]) => ({
      operation,
      field,
      names: [name],
      send,
    })),
  ];
}
