import { describe, expect, test } from "bun:test";
import { problemNames } from "../../src/billing/problems.ts";
import { stateNames } from "../../src/billing/states.ts";
import { checkNames } from "../../src/checks/checks.ts";
import { roles } from "../../src/access/roles.ts";
import { recordTypes } from "../../src/schema/record-types.ts";
import type { Issue, IssueCode } from "../../src/lib/errors.ts";
import { type Endpoint, endpoints } from "../support/endpoints.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { refusedBody } from "../support/goals/bodies.ts";
import { newService } from "../support/harness.ts";
import {
  date,
  FORBIDDEN,
  type Kind,
  matching,
  month,
  oneOf,
  publicId,
  severalOf,
  text,
  timeZone,
  yesOrNo,
} from "../support/inputs/kinds.ts";
import { statuses } from "../support/inputs/goals.ts";
import { validationBody } from "../support/list-rules.ts";

/** Each parameter of each operation refuses values that it does not take, with 400 and the parameter's name. */

/** Texts that are no integer. */
const noInteger = [
  ...["", "abc", "1.5", "1.0", "1e3", "0x10", " 5", "5 ", "+5", "--5", "-", "5n", "1_000", "1,000"],
  ...["NaN", "Infinity", "null", "true", "٣", "\0", "5\0", "%"],
];

type Refusal = readonly [code: IssueCode, message: string];

const noIntegerIssue: Refusal = ["invalid_type", "Expected integer, received string"];

function integerIn(least: number, most = Infinity): Kind {
  const tooSmall = [`${least - 1}`, "-1", "-00001", `-${"9".repeat(400)}`];
  const tooBig = most === Infinity ? [] : [`${most + 1}`, "9".repeat(400)];
  return {
    type: "integer",
    refused: [
      ...noInteger.map((value) => [value, ...noIntegerIssue] as const),
      ...tooSmall.map(
        (value) =>
          [value, "too_small", `Number must be greater than or equal to ${least}`] as const,
      ),
      ...tooBig.map(
        (value) => [value, "too_big", `Number must be less than or equal to ${most}`] as const,
      ),
    ],
  };
}

const goalId = matching('Must be a goal id: "goal_" and letters, digits, underscores or hyphens', [
  ...["gol_1", "1", "goal", "goal-1", "GOAL_1", "Goal_1", "tp_1", "_goal_1", "agoal_1", "goal_/1"],
  ...["goal_ ", " goal_1", "goal_1\n", "goal_a.b", "goal_../", "goal_%", "goal_ü", "goal_*"],
  `goal_${"x".repeat(124)}`,
]);
const someIds: Kind = {
  type: "string",
  refused: [
    ...["a,", ",", ",a", "a,,b", "a b", "a, b", "a;b", "é", "x".repeat(129)].map(
      (value) =>
        [
          ...[value, "custom"],
          "Must be ids of 1 to 128 letters, digits, underscores or hyphens, with commas between them",
        ] as const,
    ),
    ["", "invalid_type", "Required"],
    [
      Array.from({ length: 101 }, (_, index) => `a${index}`).join(),
      ...(["too_big", "Must have at most 100 different ids"] as const),
    ],
  ],
};
const share = matching("Must be a decimal number, 0 or more, such as 0.85", [
  ...["", "-1", "-0", "+1", ".5", "1.", "1e3", "0x10", "NaN", "Infinity", "1,5", " 1", "1 ", "1\n"],
  ...["٣", "null", "1.2.3"],
]);
const shareOfHours = matching("Must be a decimal number from 0 to 1, such as 0.05", [
  ...["1.01", "2", "-0.1", ".5", "1.", "5%", "0,1", "1e-1", ""],
]);
const orderBy = (first: string, second: string) =>
  matching(`Must be ${first} or ${second}`, [
    ...[
      "",
      first.slice(0, first.indexOf("_")),
      `${first}_up`,
      `${first},${second}`,
      "publicId_asc",
    ],
  ]);
const usersSort = matching(
  "Must be createdAt, updatedAt or lastName, each at most once, with _asc or _desc, such as createdAt_desc,updatedAt_asc",
  [
    ...[
      "",
      ",",
      "createdAt",
      "createdAt_",
      "_asc",
      "createdAt-asc",
      "createdAt_asc,",
      "createdat_asc",
    ],
    ...[",createdAt_asc", "createdAt_asc,,updatedAt_asc", "createdAt_asc ,updatedAt_asc"],
    ...["createdAt_asc;updatedAt_asc", "createdAt_asc\n", "createdAt_ASC", "createdAt_asc_asc"],
    ...["firstName_asc", "created_at_asc", "createdAt_asc,firstName_desc", "__proto___asc"],
    ...["createdAt_asc,createdAt_asc", "createdAt_asc,updatedAt_asc,createdAt_desc"],
  ],
);
const unitsSort = matching("Must be one of share, -share, endDate and -endDate", [
  ...["", "Share", "+share", "--share", "enddate", "share,endDate", "share_asc", "publicId"],
]);
const sessionStatuses = [
  ...["CONFIRMED", "UNCONFIRMED", "DECLINED", "PATIENT_NO_SHOW", "REQUESTED_TO_CANCEL"],
];

const pages = { page: integerIn(1, 1_000_000), pageSize: integerIn(1, 100) };
const days = { startDate: date, endDate: date };
const zoned = { ...days, timezone: timeZone };
const units = { publicId: publicId, ...zoned };
const named = text(200);
const sequence = integerIn(0);

/** The parameters of all operations that have any; those of the path first. */
const parameters: Record<string, Record<string, Kind>> = {
  listUsers: {
    // The specification states no greatest page.
    ...{ page: integerIn(1, Number.MAX_SAFE_INTEGER), pageSize: integerIn(1, 100) },
    ...{ search: named, role: oneOf(roles), email: text(254), isActive: yesOrNo, sort: usersSort },
  },
  getUser: { userId: publicId },
  listNames: { ids: someIds },
  listAccess: pages,
  inviteUser: { userId: publicId },
  revokeAccess: { userId: publicId },
  removePasskey: { passkeyId: publicId },
  listSpecializations: { ...pages, isActive: yesOrNo },
  listSessions: {
    ...{ ...pages, clientId: named, technicianId: named, clinicianId: named },
    ...{ authorizationId: named, ...days, status: severalOf(sessionStatuses), timezone: timeZone },
    goesOn: yesOrNo,
    sort: orderBy("startTime_asc", "startTime_desc"),
  },
  getSession: { sessionId: publicId },
  readSessionUtilization: { sessionId: publicId },
  listEncounters: {
    ...pages,
    authorizationId: named,
    sessionId: named,
    patientId: named,
    ...zoned,
  },
  listAuthorizationUtilization: {
    ...{ ...pages, date, timezone: timeZone, patientId: named, payorId: named },
    ...{ minShare: share, maxShare: share, sort: unitsSort },
  },
  readAuthorizationUtilization: units,
  readUtilizationLedger: units,
  readUtilizationSummary: units,
  askWhatIf: { publicId: publicId },
  listFindings: {
    ...{ ...days, check: severalOf(checkNames), patientId: named, providerId: named },
    ...{ payorId: named, timezone: timeZone, ...pages },
  },
  listDelivery: {
    ...{ ...days, month, patientId: named, payorId: named, timezone: timeZone, ...pages },
  },
  listBillingLines: {
    ...{ ...days, state: severalOf(stateNames), problem: severalOf(problemNames) },
    ...{ patientId: named, providerId: named, payorId: named, batch: named, timezone: timeZone },
    ...{ page: integerIn(1, 1_000_000), pageSize: integerIn(1, 1_000) },
  },
  listSupervision: { month, requiredShare: shareOfHours, technicianId: named, ...pages },
  listIntakeLeads: {
    ...{ ...pages, stageId: named, labelId: named, channel: named, source: text(254) },
    ...{
      clientId: named,
      createdFrom: date,
      createdTo: date,
      sort: orderBy("createdAt_desc", "createdAt_asc"),
    },
  },
  getIntakeLead: { leadId: publicId },
  listTreatmentPlans: { ...pages, patientId: named },
  listGoals: {
    ...{ ...pages, treatmentPlanId: named, patientId: named },
    type: oneOf(["frequency_duration", "opportunity", "rating", "interval"]),
    status: oneOf(statuses),
  },
  getGoal: { goalId },
  updateGoal: { goalId, unchangedSince: sequence },
  deleteGoal: { goalId, unchangedSince: sequence },
  listLocations: pages,
  listPayors: pages,
  listServiceLines: pages,
  listNonBillableCodes: pages,
  listIntakeLabels: pages,
  listIntakeStages: { ...pages, isActive: yesOrNo },
  revokeCalendar: { calendarId: publicId },
  exportPracticeFile: {
    ...{ after: sequence, since: date, ids: someIds, changes: yesOrNo },
    types: severalOf(recordTypes),
  },
  importPracticeFile: {
    ...{ dryRun: yesOrNo, changes: yesOrNo, type: oneOf(recordTypes), unchangedSince: sequence },
  },
};

const service = await newService();
const key = await newApiKey(service.database, await newOrganization(service.database));

const namesOf = ({ params, query }: Endpoint) => [
  ...Object.keys(params?.properties ?? {}),
  ...Object.keys(query?.properties ?? {}),
];

test("the table has the parameters of all operations, in their order", () => {
  const declared = endpoints.map((endpoint) => [endpoint.operationId, namesOf(endpoint)]);
  expect(
    Object.entries(parameters).map(([operation, kinds]) => [operation, Object.keys(kinds)]),
  ).toEqual(declared.filter(([, names]) => names?.length));
});

/** Bytes that are not UTF-8, among them half of a character. */
const oddBytes = ["%FF", "%C3", "a%C3%28", "%ED%A0%80", "a%ED%B0%80"];

const notUtf8: Refusal = ["custom", FORBIDDEN];

/** Each refused text of a parameter, as in a URL, and its issue. */
function refusedTexts(
  { type, refused }: Kind,
  isInPath: boolean,
): (readonly [string, ...Refusal])[] {
  const [, ...own] = refused.at(-1) as Kind["refused"][number];
  const texts = refused
    .filter(([value]) => String(value).isWellFormed())
    .map(([value, code, message]) => [encodeURIComponent(String(value)), code, message] as const);
  // In a path, these are characters like others.
  const odd = isInPath ? own : type === "integer" ? noIntegerIssue : notUtf8;
  return [...texts, ...oddBytes.map((bytes) => [bytes, ...odd] as const)];
}

const operations = endpoints.filter((endpoint) => namesOf(endpoint).length > 0);

describe.each(operations.map((one) => [one.operationId, one] as const))("%s", (operation, one) => {
  const { method, path, params, body, errorStyle } = one;
  const kinds = parameters[operation] ?? {};
  const inPath = Object.keys(params?.properties ?? {});
  const withId = (text: string) => path.replaceAll(/\{\w+\}/g, text);
  const valid = withId(inPath.includes("goalId") ? "goal_1" : "x_1");

  /** Sends a body that is no JSON, because parameters are checked before. */
  const send = async (target: string) => {
    const mediaType = body?.type === "Uint8Array" ? "application/x-ndjson" : "application/json";
    const response = await service.call(`${method} /api${target}`, {
      key,
      ...(body !== undefined && { raw: "{", headers: { "Content-Type": mediaType } }),
    });
    return [target, response.status, response.body];
  };
  const refusal = (target: string, ...issues: Issue[]) => [
    ...[target, 400],
    errorStyle === "goal" ? refusedBody(...issues) : validationBody(...issues),
  ];

  test.each(Object.entries(kinds))("%s", async (name, kind) => {
    const isInPath = inPath.includes(name);
    for (const [text, code, message] of refusedTexts(kind, isInPath)) {
      const target = isInPath ? withId(text) : `${valid}?${name}=${text}`;
      expect(await send(target)).toEqual(refusal(target, { code, message, path: [name] }));
    }
    if (isInPath) return;
    const message = `Expected ${kind.type}, received array`;
    for (const value of ["1", ""]) {
      const target = `${valid}?${name}=${value}&${name}=${value}`;
      const issue: Issue = { code: "invalid_type", message, path: [name] };
      expect(await send(target)).toEqual(refusal(target, issue));
    }
    if (kind.longest !== undefined)
      expect(JSON.stringify(await send(`${valid}?${name}=${kind.longest}`))).not.toContain(
        "at most",
      );
  });

  test("all invalid ones at once, in the order of the schema; one of the path alone", async () => {
    const inQuery = Object.entries(kinds).filter(([name]) => !inPath.includes(name));
    const firsts = inQuery.map(([name, kind]) => [name, ...refusedTexts(kind, false)[0]!] as const);
    const query = firsts.map(([name, text]) => `${name}=${text}`);
    const target = `${valid}?${query.toReversed().join("&")}`;
    const issues = firsts.map(([name, , code, message]): Issue => ({
      code,
      message,
      path: [name],
    }));
    if (issues.length > 0) expect(await send(target)).toEqual(refusal(target, ...issues));
    if (inPath.length === 0) return;
    const malformed = `${withId("a.b")}?${query.join("&")}`;
    const issue = { code: "custom", message: expect.any(String) as never, path: inPath } as const;
    expect(await send(malformed)).toEqual(refusal(malformed, issue));
  });
});
