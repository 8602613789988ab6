import { roles } from "../../src/callers/roles.ts";
import { problemNames } from "../../src/billing/problems.ts";
import { stateNames } from "../../src/billing/states.ts";
import { checkNames } from "../../src/checks/checks.ts";
import { states } from "../../src/supervision/states.ts";
import { recordTypes } from "../../src/schema/record-types.ts";
import { endpoints } from "./endpoints.ts";
import { statuses } from "./inputs/goals.ts";
import {
  date,
  type Kind,
  month,
  oneOf,
  publicId,
  severalOf,
  text,
  timeZone,
  yesOrNo,
} from "./inputs/kinds.ts";
import {
  goalId,
  integerIn,
  orderBy,
  share,
  shareOfHours,
  someIds,
  unitsSort,
  usersSort,
} from "./inputs/parameters.ts";

/**
 * What tests know of each operation. Refused parameters, isolation, own patients, the permissions matrix, query plans,
 * audit rows, the OpenAPI document, its examples and the types of clients follow from it.
 */

interface Declared {
  /**
   * Requests that succeed, without `/api/v1/`: the first one is an example for all tests, and together they have every
   * parameter. `{patient}` stands for the id of a patient, whichever it is in the practice of a test.
   */
  requests: readonly (string | [path: string, body: object | string])[];
  /** What each parameter refuses: those of the path, then those of the query, in the order of the document. */
  parameters?: Record<string, Kind>;
  /** The statuses that it has besides those of all operations like it. */
  statuses?: readonly number[];
  /** Whether it is computed by a worker, and not the rows of a table. */
  isReport?: true;
}

const pages = { page: integerIn(1, 1_000_000), pageSize: integerIn(1, 100) };
const window = { startDate: date, endDate: date };
const zoned = { ...window, timezone: timeZone };
const named = text(200);
const sequence = integerIn(0);
const sessionStatuses = [
  ...["CONFIRMED", "UNCONFIRMED", "DECLINED", "PATIENT_NO_SHOW", "REQUESTED_TO_CANCEL"],
];

const year = "startDate=2026-01-01&endDate=2026-12-31";
/** A view of the units of an authorization, alone or in a pool, or of a pool. */
const ofUnits = (view = ""): Declared => ({
  requests: ["timezone=America/New_York", year].flatMap((query) =>
    ["{authorization}", "{member}", "{pool}"].map(
      (subject) => `authorization-utilization/${subject}${view}?${query}`,
    ),
  ),
  parameters: { publicId, ...zoned },
  statuses: [422],
});

const declared: Record<string, Declared> = {
  getMe: { requests: ["me"] },
  listUsers: {
    requests: [
      "users",
      "users?search=ana%20ru&role=CAREGIVER&isActive=true",
      "users?email=Noor.Haddad@maple.example",
      ...["createdAt_asc", "createdAt_desc", "updatedAt_asc", "lastName_asc"].flatMap((sort) => [
        `users?sort=${sort}`,
        `users?sort=${sort}&page=12&pageSize=100`,
        `users?sort=${sort}&search=an&page=2`,
        `users?sort=${sort}&search=a&pageSize=1`,
      ]),
      "users?role=CAREGIVER&isActive=true&page=12&pageSize=100",
    ],
    parameters: {
      // The specification states no greatest page.
      ...{ page: integerIn(1, Number.MAX_SAFE_INTEGER), pageSize: integerIn(1, 100) },
      ...{ search: named, role: oneOf(roles), email: text(254), isActive: yesOrNo },
      sort: usersSort,
    },
  },
  getUser: {
    requests: ["users/{patient}", "users/{technician}"],
    parameters: { userId: publicId },
  },
  createUser: {
    requests: [
      ["users", { firstName: "Ida", lastName: "Newly", role: "PATIENT" }],
      [
        "users",
        {
          ...{ firstName: "Ivo", lastName: "Newly", role: "CLINICIAN" },
          ...{ providerPayors: ["{payor}"], specializations: ["{specialization}"] },
          careTeamTechnicianIds: ["{technician}"],
        },
      ],
      [
        "users",
        {
          ...{ firstName: "Ivy", lastName: "Newly", role: "TECHNICIAN" },
          careTeamLeadIds: ["{clinician}"],
        },
      ],
    ],
  },
  listNames: {
    requests: ["names?ids={patient},{clinician},usr_none", "names?ids={patient}&providers=true"],
    parameters: { ids: someIds, providers: yesOrNo },
  },
  listAccess: { requests: ["access", "access?page=2"], parameters: pages, isReport: true },
  inviteUser: {
    requests: ["users/{technician}/invitation"],
    parameters: { userId: publicId },
    statuses: [201, 409],
  },
  revokeAccess: { requests: ["users/{clinician}/access"], parameters: { userId: publicId } },
  listPasskeys: { requests: ["passkeys"] },
  removePasskey: { requests: ["passkeys/{passkey}"], parameters: { passkeyId: publicId } },
  listSpecializations: {
    requests: ["specializations", "specializations?isActive=true"],
    parameters: { ...pages, isActive: yesOrNo },
  },
  listSessions: {
    requests: [
      "sessions",
      "sessions?clientId={patient}&technicianId={technician}&clinicianId={clinician}&authorizationId={authorization}",
      `sessions?${year}`,
      `sessions?${year}&timezone=America/New_York&page=12&pageSize=100`,
      `sessions?status=CONFIRMED,DECLINED&${year}`,
      "sessions?status=CONFIRMED&clientId={patient}",
      "sessions?startDate=2026-01-09&timezone=Asia/Tokyo&goesOn=true&status=CONFIRMED&clientId={patient}",
      "sessions?startDate=2026-01-09&timezone=Asia/Tokyo&goesOn=true&sort=startTime_desc",
      "sessions?page=12&pageSize=100",
      "sessions?page=1000000&pageSize=100",
      "sessions?startDate=2026-01-01&page=12&pageSize=100",
      "sessions?sort=startTime_desc&clientId={patient}",
      "sessions?sort=startTime_desc&status=CONFIRMED,DECLINED",
      "sessions?sort=startTime_desc&endDate=2026-12-31&timezone=America/New_York&page=12&pageSize=100",
      "sessions?sort=startTime_desc&page=1000000&pageSize=100",
    ],
    parameters: {
      ...{ ...pages, clientId: named, technicianId: named, clinicianId: named },
      ...{ authorizationId: named, ...window, status: severalOf(sessionStatuses) },
      ...{ timezone: timeZone, goesOn: yesOrNo, sort: orderBy("startTime_asc", "startTime_desc") },
    },
  },
  getSession: { requests: ["sessions/{session}"], parameters: { sessionId: publicId } },
  readSessionUtilization: {
    requests: ["sessions/{session}/utilization"],
    parameters: { sessionId: publicId },
  },
  listEncounters: {
    requests: [
      "encounters",
      "encounters?authorizationId={authorization}&sessionId={session}&patientId={patient}",
      `encounters?${year}&timezone=America/New_York`,
    ],
    parameters: { ...pages, authorizationId: named, sessionId: named, patientId: named, ...zoned },
  },
  listAuthorizationUtilization: {
    requests: [
      "authorization-utilization",
      "authorization-utilization?date=2026-01-20&patientId={patient}&payorId={payor}",
      "authorization-utilization?date=2026-01-20&sort=endDate",
      "authorization-utilization?date=2026-01-20&timezone=UTC&minShare=0.5&maxShare=2",
    ],
    parameters: {
      ...{ ...pages, date, timezone: timeZone, patientId: named, payorId: named },
      ...{ minShare: share, maxShare: share, sort: unitsSort },
    },
    isReport: true,
  },
  readAuthorizationUtilization: ofUnits(),
  readUtilizationLedger: ofUnits("/ledger"),
  readUtilizationSummary: ofUnits("/summary"),
  askWhatIf: {
    requests: [
      [
        "authorization-utilization/{authorization}/what-if",
        { timezone: "UTC", cancel: ["{session}"] },
      ],
    ],
    parameters: { publicId },
  },
  listFindings: {
    requests: [
      `checks?${year}`,
      `checks?${year}&check=OVER_AUTHORIZED&timezone=UTC`,
      `checks?${year}&patientId={patient}&providerId={technician}&payorId={payor}`,
    ],
    parameters: {
      ...{ ...window, check: severalOf(checkNames), patientId: named, providerId: named },
      ...{ payorId: named, timezone: timeZone, ...pages },
    },
    isReport: true,
  },
  listDelivery: {
    requests: [
      `delivery?${year}&timezone=UTC`,
      "delivery?month=2026-01",
      `delivery?${year}&patientId={patient}&payorId={payor}`,
    ],
    parameters: {
      ...{ ...window, month, patientId: named, payorId: named, timezone: timeZone, ...pages },
    },
    isReport: true,
  },
  listBillingLines: {
    requests: [
      `billing-lines?${year}&timezone=UTC`,
      `billing-lines?${year}&patientId={patient}&providerId={technician}&payorId={payor}`,
      `billing-lines?${year}&state=BILLED&problem=NO_CODE&batch=W2`,
      "billing-lines?batch=W2",
    ],
    parameters: {
      ...{ ...window, state: severalOf(stateNames), problem: severalOf(problemNames) },
      ...{ patientId: named, providerId: named, payorId: named, batch: named, timezone: timeZone },
      ...{ page: integerIn(1, 1_000_000), pageSize: integerIn(1, 1_000) },
    },
    isReport: true,
  },
  listBillingSupport: {
    requests: [
      "billing-support?patientId={patient}&month=2026-01",
      "billing-support?encounterId={encounter}",
    ],
    parameters: { encounterId: named, patientId: named, month, ...pages },
    isReport: true,
  },
  listSupervision: {
    requests: [
      "supervision?month=2026-01&requiredShare=0.1",
      "supervision?month=2026-01&technicianId={technician}&state=SHORT,NO_HOURS",
    ],
    parameters: {
      month,
      requiredShare: shareOfHours,
      technicianId: named,
      state: severalOf(states),
      ...pages,
    },
    isReport: true,
  },
  listIntakeLeads: {
    requests: [
      "intake-leads",
      "intake-leads?stageId={stage}&labelId={label}&clientId={patient}",
      "intake-leads?channel=Direct&source=x",
      "intake-leads?createdFrom=2026-01-01&createdTo=2026-12-31&sort=createdAt_asc",
    ],
    parameters: {
      ...{ ...pages, stageId: named, labelId: named, channel: named, source: text(254) },
      ...{ clientId: named, createdFrom: date, createdTo: date },
      sort: orderBy("createdAt_desc", "createdAt_asc"),
    },
  },
  getIntakeLead: { requests: ["intake-leads/{lead}"], parameters: { leadId: publicId } },
  createIntakeLead: {
    requests: [
      [
        "intake-leads",
        {
          client: {
            ...{ firstName: "Leo", lastName: "Park", birthdate: "2019-04-02" },
            ...{ selectedLocations: ["{location}"], intakeStatusPublicId: "{stage}" },
            labelPublicIds: ["{label}"],
          },
          caregiver: {
            ...{ firstName: "Mina", lastName: "Park", relationship: "MOTHER" },
            ...{ email: "mina.park.{unique}@example.org", phone: "+14155552671" },
          },
        },
      ],
    ],
    statuses: [201, 409],
  },
  listTreatmentPlans: {
    requests: ["treatment-plans", "treatment-plans?patientId={patient}"],
    parameters: { ...pages, patientId: named },
  },
  listGoals: {
    requests: [
      "goals",
      "goals?treatmentPlanId={plan}&patientId={patient}",
      "goals?treatmentPlanId={plan}&type=rating&status=BASELINE",
    ],
    parameters: {
      ...{ ...pages, treatmentPlanId: named, patientId: named },
      type: oneOf(["frequency_duration", "opportunity", "rating", "interval"]),
      status: oneOf(statuses),
    },
  },
  listGoalProgress: {
    requests: [
      "goal-progress?startDate=2026-01-01",
      "goal-progress?patientId={patient}&treatmentPlanId={plan}&goalId={goal}",
      "goal-progress?providerId={technician}&status=BASELINE,IN_PROGRESS&page=1&pageSize=100",
    ],
    parameters: {
      ...pages,
      ...{ patientId: named, treatmentPlanId: named, providerId: named, goalId: named },
      ...{ status: severalOf(statuses, true), startDate: date },
    },
    isReport: true,
  },
  getGoal: { requests: ["goals/{goal}"], parameters: { goalId } },
  createGoal: {
    requests: [["goals", { type: "rating", title: "Calm", treatmentPlanId: "{plan}" }]],
    statuses: [201],
  },
  updateGoal: {
    requests: [
      ["goals/{goal}", { status: "MASTERED" }],
      ["goals/{skill}", { childGoals: [{ publicId: "{step}" }] }],
    ],
    parameters: { goalId, unchangedSince: sequence },
    statuses: [410, 412],
  },
  recordOnGoal: {
    requests: [
      [
        "goals/{skill}/recorded-data",
        {
          entries: [
            // In the practices of tests it is there already.
            { publicId: "{entry}", outcome: "SUCCESS", happenedAt: "2026-02-01T10:00:00.000Z" },
          ],
        },
      ],
    ],
    parameters: { goalId },
    statuses: [201],
  },
  removeRecorded: {
    requests: ["goals/{skill}/recorded-data/{entry}"],
    parameters: { goalId, entryId: publicId },
  },
  deleteGoal: {
    requests: ["goals/{goal}"],
    parameters: { goalId, unchangedSince: sequence },
    statuses: [410, 412],
  },
  listLocations: { requests: ["locations"], parameters: pages },
  listPayors: { requests: ["payors"], parameters: pages },
  listServiceLines: { requests: ["service-lines"], parameters: pages },
  listNonBillableCodes: { requests: ["non-billable-codes"], parameters: pages },
  listIntakeLabels: { requests: ["intake-labels"], parameters: pages },
  listIntakeStages: {
    requests: ["intake-stages", "intake-stages?isActive=true"],
    parameters: { ...pages, isActive: yesOrNo },
  },
  listCalendars: { requests: ["calendars"] },
  createCalendar: {
    requests: [["calendars", { userId: "{technician}" }]],
    statuses: [404, 409],
  },
  revokeCalendar: { requests: ["calendars/{calendar}"], parameters: { calendarId: publicId } },
  exportPracticeFile: {
    requests: [
      "practice-file",
      "practice-file?after=0",
      "practice-file?since=2026-01-01&changes=true",
      "practice-file?ids={patient}",
      "practice-file?types=session,encounter,goal",
      "practice-file?types=user,authorizationPool,authorization,session,encounter,treatmentPlan,goal&ids={patient},{pool},{authorization},{session},{encounter},{plan},{goal}",
    ],
    parameters: {
      ...{ after: sequence, since: date, ids: someIds, changes: yesOrNo },
      types: severalOf(recordTypes),
    },
    statuses: [410],
  },
  importPracticeFile: {
    requests: [
      ["practice-file", '{"type":"organization","publicId":"{organization}"}'],
      [
        "practice-file",
        '{"type":"organization","publicId":"{organization}"}\n{"type":"encounter","publicId":"{encounter}"}',
      ],
      [
        "practice-file?dryRun=true&findings=true",
        '{"type":"organization","publicId":"{organization}"}\n{"type":"session","publicId":"{session}"}',
      ],
    ],
    parameters: {
      ...{
        dryRun: yesOrNo,
        changes: yesOrNo,
        findings: yesOrNo,
        type: oneOf(recordTypes),
        unchangedSince: sequence,
      },
    },
    statuses: [410, 412],
  },
};

/** A request with kinds of records, such as `{patient}`, in the place of ids. */
export interface Request {
  /** Such as `GET /v1/users/{userId}`. */
  operation: string;
  operationId: string;
  /** Such as `GET /api/v1/users/{patient}?page=2`. */
  line: string;
  json?: object;
  raw?: string;
  headers?: Record<string, string>;
}

/** The endpoints of the application with what is declared of each. */
export const operations = endpoints.map((endpoint) => {
  const { operationId, method, path } = endpoint;
  const own = declared[operationId];
  if (own === undefined)
    throw new Error(`Declare the operation ${operationId} in test/support/operations.ts`);
  const operation = `${method} ${path}`;
  const requests = own.requests.map((request): Request => {
    const [target, body] = typeof request === "string" ? [request] : request;
    const line = `${method} /api/v1/${target}`;
    return {
      ...{ operation, operationId, line },
      ...(typeof body === "string"
        ? { raw: body, headers: { "Content-Type": "application/x-ndjson" } }
        : body && { json: body }),
    };
  });
  const [example] = requests as [Request];
  return { parameters: {}, statuses: [], ...endpoint, ...own, operation, requests, example };
});

export type Operation = (typeof operations)[number];

/** The names of an endpoint's parameters: those of its path, then those of its query. */
export const parametersOf = ({ params, query }: (typeof endpoints)[number]) => [
  ...Object.keys(params?.properties ?? {}),
  ...Object.keys(query?.properties ?? {}),
];

/** What is declared of operations that the application does not have. */
export const unknownOperations = Object.keys(declared).filter((id) =>
  endpoints.every(({ operationId }) => operationId !== id),
);

const all = operations.flatMap(({ requests }) => requests);
export const reads = all.filter(({ line }) => line.startsWith("GET "));
/** Deletions last. */
export const writes = all
  .filter(({ line }) => !line.startsWith("GET "))
  .toSorted((a, b) => Number(a.line.startsWith("DELETE")) - Number(b.line.startsWith("DELETE")));

/** The lists and reports, which have no ids in their paths. */
export const lists = operations.filter(
  ({ method, path }) => method === "GET" && !path.includes("{"),
);

/** Says the id of each kind of record. */
export type Ids = (kind: string) => string;

let count = 0;

/** A request with ids. `{unique}` becomes another text each time. */
export function filled(request: Request, ids: Ids): Request {
  count += 1;
  const fill = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (_, kind: string) =>
      kind === "unique" ? String(count) : ids(kind),
    );
  const { line, json, raw } = request;
  return {
    ...{ ...request, line: fill(line) },
    ...(json && { json: JSON.parse(fill(JSON.stringify(json))) as object }),
    ...(raw !== undefined && { raw: fill(raw) }),
  };
}

/** Where a request names a record: the field of the document, and the kind of the record. */
export interface Naming {
  request: Request;
  operation: string;
  field: string;
  kind: string;
}

const KINDS = /\{(\w+)\}/g;

/** All places where a request can name a record: in paths, queries and bodies. Each place and kind once. */
export const namings: Naming[] = [...reads, ...writes]
  .flatMap((request) => {
    const { operation, line, json = {} } = request;
    const [path = "", query = ""] = line.replace(/^\w+ \/api/, "").split("?");
    const names = operation.split("/");
    const parts: [field: string, text: string][] = [
      ...path.split("/").map((text, index): [string, string] => [names[index] ?? "", text]),
      ...new URLSearchParams(query).entries(),
      ...textsIn(json),
    ];
    return parts.flatMap(([field, text]) =>
      [...text.matchAll(KINDS)]
        .map(([, kind = ""]) => ({ request, operation, field: field.replace(/\W/g, ""), kind }))
        .filter(({ kind }) => kind !== "unique"),
    );
  })
  .filter(
    ({ operation, field, kind }, index, before) =>
      before.findIndex(
        (one) => one.operation === operation && one.field === field && one.kind === kind,
      ) === index,
  );

/** Each text in a body, with the name of its field. */
function textsIn(value: unknown, field = ""): [field: string, text: string][] {
  if (typeof value === "string") return [[field, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    textsIn(part, Array.isArray(value) ? field : name),
  );
}

/** The kinds of records that are about a patient. */
export const ABOUT_A_PATIENT = [
  ...["patient", "lead", "goal", "skill", "step", "session", "encounter", "authorization"],
  ...["member", "pool", "plan"],
];
