import { describe, expect, test } from "bun:test";
import { creatableRoles } from "../../src/access/permissions.ts";
import { roles } from "../../src/access/roles.ts";
import { caregiverRelationships, intakeStageKeys } from "../../src/intake-leads/model.ts";
import {
  type CreationUnderTest,
  describeFieldRefusals,
  describeRandomBodies,
  describeRequests,
  type FieldRefusal,
  plainBody,
  withField,
} from "../support/body-rules.ts";
import {
  newApiKey,
  newIntakeLabel,
  newLocation,
  newOrganization,
  newUser,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { countRows, newCaregiver, newLead } from "../support/intake-leads/practice.ts";

/**
 * POST /v1/intake-leads: roles, and invalid bodies that respond 400 (specification, section 4.2).
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database, { time_zone: "America/New_York" });
const other = await newOrganization(database);
const key = await newApiKey(database, organization);
for (const public_id of ["loc_a", "loc_b"])
  await newLocation(database, organization, { public_id });
await newIntakeLabel(database, organization, { public_id: "lbl_a" });

const create = (json: unknown, callersKey = key) =>
  service.call("POST /api/v1/intake-leads", { key: callersKey, json });

const creation: CreationUnderTest = {
  service,
  path: "/api/v1/intake-leads",
  key,
  allow: "GET, HEAD, POST",
  created: 201,
  newBody: newLead,
};

describeRequests(creation);

const required = ["invalid_type", "Required"] as const;
const forbiddenCharacters = ["custom", "Must not contain U+0000 or an unpaired surrogate"] as const;
const tooShort = ["too_small", "String must contain at least 2 character(s)"] as const;
const invalidDate = ["custom", "Must be a calendar date that exists, written YYYY-MM-DD"] as const;
const invalidTimeZone = [
  "custom",
  "Must be an IANA time zone identifier, such as America/New_York",
] as const;
const invalidPhone = [
  "custom",
  "Must be a deliverable US phone number in E.164 format, such as +14155552671",
] as const;
const notOneOf = (...values: readonly string[]) =>
  [
    "invalid_enum_value",
    `Invalid enum value. Expected ${values.map((value) => `'${value}'`).join(" | ")}`,
  ] as const;
const notA = (expected: string, received: string) =>
  ["invalid_type", `Expected ${expected}, received ${received}`] as const;

const names = (person: string) =>
  ["firstName", "lastName"].flatMap((name): FieldRefusal[] => [
    [[person, name], undefined, ...required],
    [[person, name], null, ...notA("string", "null")],
    [[person, name], 5, ...notA("string", "number")],
    [[person, name], "", ...tooShort],
    [[person, name], "L", ...tooShort],
    [[person, name], "  L \n", ...tooShort],
    [[person, name], "ñ", ...tooShort],
    [[person, name], "Le\0", ...forbiddenCharacters],
    [[person, name], "Le\ud800", ...forbiddenCharacters],
  ]);

const texts = ["address", "city", "state", "zip", "country"].flatMap((name): FieldRefusal[] => [
  [["client", name], 5, ...notA("string", "number")],
  [["client", name], "a\0", ...forbiddenCharacters],
]);

const lists = (name: string): FieldRefusal[] => [
  [["client", name], "loc_a", ...notA("array", "string")],
  [["client", name], ["a", null], ...notA("string", "null"), ["client", name, 1]],
  [["client", name], ["a", "b", "\udc00"], ...forbiddenCharacters, ["client", name, 2]],
];

const refusals: FieldRefusal[] = [
  ...names("client"),
  [["client", "birthdate"], undefined, ...required],
  [["client", "birthdate"], null, ...notA("string", "null")],
  [["client", "birthdate"], 20190402, ...notA("string", "number")],
  [["client", "birthdate"], "", ...invalidDate],
  [["client", "birthdate"], "2019-02-29", ...invalidDate],
  [["client", "birthdate"], "2019-4-2", ...invalidDate],
  [["client", "birthdate"], "0000-01-01", ...invalidDate],
  [["client", "birthdate"], "2019-04-02T00:00:00Z", ...invalidDate],
  [["client", "birthdate"], "04/02/2019", ...invalidDate],
  [["client", "sex"], "male", ...notOneOf("MALE", "FEMALE", "OTHER")],
  [["client", "sex"], "", ...notOneOf("MALE", "FEMALE", "OTHER")],
  ...texts,
  [["client", "timezone"], "", ...invalidTimeZone],
  [["client", "timezone"], "america/new_york", ...invalidTimeZone],
  [["client", "timezone"], "+05:00", ...invalidTimeZone],
  [["client", "timezone"], "GMT+5", ...invalidTimeZone],
  [["client", "timezone"], "America/New_York ", ...invalidTimeZone],
  [["client", "timezone"], "\0", ...forbiddenCharacters],
  ...lists("selectedLocations"),
  [["client", "intakeStatusPublicId"], 5, ...notA("string", "number")],
  [["client", "intakeStatusPublicId"], "\0", ...forbiddenCharacters],
  [["client", "intakeStatusKey"], "lead", ...notOneOf(...intakeStageKeys)],
  [["client", "intakeStatusKey"], "NEW", ...notOneOf(...intakeStageKeys)],
  ...lists("labelPublicIds"),
  ...names("caregiver"),
  [["caregiver", "relationship"], undefined, ...required],
  [["caregiver", "relationship"], "AUNT", ...notOneOf(...caregiverRelationships)],
  [["caregiver", "email"], undefined, ...required],
  [["caregiver", "email"], "", "invalid_string", "Invalid email"],
  [["caregiver", "email"], "mina@", "invalid_string", "Invalid email"],
  [["caregiver", "phone"], undefined, ...required],
  [["caregiver", "phone"], 14155552671, ...notA("string", "number")],
  [["caregiver", "phone"], "4155552671", ...invalidPhone],
  [["caregiver", "phone"], "+1 415 555 2671", ...invalidPhone],
  [["caregiver", "phone"], "+16042345678", ...invalidPhone],
  [["caregiver", "phone"], "+12025550123", ...invalidPhone],
  [["caregiver", "phone"], "+18005551234", ...invalidPhone],
  [["caregiver", "phone"], "+12345678901", ...invalidPhone],
  [["caregiver", "phone"], "+12222222222", ...invalidPhone],
  [["attribution", "utm_source"], 5, ...notA("string", "number")],
  [["attribution", "gclid"], ["x"], ...notA("string", "array")],
  [["attribution", "referrer"], "\0", ...forbiddenCharacters],
];

describeFieldRefusals(creation, refusals);

describe("client, caregiver or attribution of the wrong type responds 400", () => {
  test.each([
    ["client", null, ...notA("object", "null")],
    ["client", [], ...notA("object", "array")],
    ["caregiver", "Mina", ...notA("object", "string")],
    ["attribution", "google", ...notA("object", "string")],
  ] as const)("%s: %p", async (name, value, code, message) => {
    const answer = await create(withField(newLead(), [name], value));
    expect([answer.status, answer.body]).toEqual([
      400,
      validationBody({ code, message, path: [name] }),
    ]);
  });
});

test.each([
  ["client", ["firstName", "lastName", "birthdate"]],
  ["caregiver", ["firstName", "lastName", "relationship", "email", "phone"]],
])("without %s, its required fields are listed at once", async (name, fields) => {
  const { status, body } = await create(withField(newLead(), [name], undefined));
  const [code, message] = required;
  const issues = [[name], ...fields.map((field) => [name, field])].map((path) => ({
    ...{ code, message, path },
  }));
  expect([status, body]).toEqual([400, validationBody(...issues)]);
});

describe("client.birthdate must not be in the future", () => {
  const future = validationBody({
    code: "custom",
    message: "Must not be in the future",
    path: ["client", "birthdate"],
  });
  // 15:00 UTC on 2026-03-11 is 2026-03-12 in Auckland and 2026-03-11 in New York.
  test.each([
    ["2026-03-11", "America/New_York", 201],
    ["2026-03-12", "America/New_York", 400],
    ["2026-03-12", "Pacific/Auckland", 201],
    ["2026-03-13", "Pacific/Auckland", 400],
    ["9999-12-31", "Pacific/Auckland", 400],
    ["0001-01-01", "UTC", 201],
  ])("%s in the time zone of the request, %s: %p", async (birthdate, timezone, status) => {
    const answer = await create(newLead({ birthdate, timezone }));
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toEqual(future);
  });

  test.each([
    ["2026-03-11", "Pacific/Honolulu", "2026-03-11T09:59:59.999Z", 400],
    ["2026-03-11", "Pacific/Honolulu", "2026-03-11T10:00:00.000Z", 201],
    ["2026-03-12", "Pacific/Auckland", "2026-03-11T15:00:00.000Z", 201],
    ["2026-03-12", null, "2026-03-11T23:59:59.999Z", 400],
    ["2026-03-12", null, "2026-03-12T00:00:00.000Z", 201],
    // An unsupported time zone from an old system counts as UTC.
    ["2026-03-12", "EST5EDT4", "2026-03-11T23:59:59.999Z", 400],
  ])(
    "%s in the organization's time zone, %p, at %s: %p",
    async (birthdate, time_zone, now, status) => {
      const organization = await newOrganization(database, { time_zone });
      const organizationsKey = await newApiKey(database, organization);
      service.clock.set(now);
      const answer = await create(newLead({ birthdate }), organizationsKey);
      service.clock.set("2026-03-11T15:00:00.000Z");
      expect(answer.status).toBe(status);
      if (status === 400) expect(answer.body).toEqual(future);
    },
  );
});

describe("unknown locations and labels respond 400", () => {
  test.each([
    [{ selectedLocations: ["loc_none"] }, "Unknown selectedLocations: 'loc_none'"],
    [{ selectedLocations: [""] }, "Unknown selectedLocations: ''"],
    [
      { selectedLocations: ["loc_a", "loc_y", "LOC_B", "loc_b", "loc_y"] },
      "Unknown selectedLocations: 'loc_y', 'LOC_B'",
    ],
    [{ labelPublicIds: ["lbl_a", "lbl_none"] }, "Unknown labelPublicIds: 'lbl_none'"],
    // The id of a location is not the id of a label.
    [{ labelPublicIds: ["loc_a"] }, "Unknown labelPublicIds: 'loc_a'"],
    [
      {
        selectedLocations: ["loc_none"],
        intakeStatusKey: "LEAD",
        labelPublicIds: ["lbl_none"],
      },
      "Unknown selectedLocations: 'loc_none'. No active intake stage has the intakeStatusKey 'LEAD'. Unknown labelPublicIds: 'lbl_none'",
    ],
  ])("%p: every unknown id is named, and nothing is written", async (client, sentence) => {
    const before = await countRows(service, organization);
    const answer = await create(newLead(client));
    expect([answer.status, answer.body]).toEqual([400, plainBody(400, sentence)]);
    expect(await countRows(service, organization)).toEqual(before);
  });

  test("ids of another organization get the same response as unknown ids, byte for byte", async () => {
    const json = newLead({ selectedLocations: ["loc_twin"], labelPublicIds: ["lbl_twin"] });
    const never = await create(json);
    await newLocation(database, other, { public_id: "loc_twin" });
    await newIntakeLabel(database, other, { public_id: "lbl_twin" });
    const theirs = await create(json);
    expect([never.status, theirs.status, theirs.text]).toEqual([400, 400, never.text]);
  });
});

describe("roles that may create a PATIENT; others respond 403", () => {
  test.each(roles)("%s", async (role) => {
    const callersKey = await newApiKey(database, organization, role);
    const [good, malformed] = [await create(newLead(), callersKey), await create([], callersKey)];
    if (creatableRoles[role].includes("PATIENT"))
      expect([good.status, malformed.status]).toEqual([201, 400]);
    else
      for (const { status, body } of [good, malformed])
        expect([status, body]).toEqual([
          403,
          plainBody(403, "Insufficient permissions for this action"),
        ]);
  });
});

describe("several errors at once", () => {
  test("are reported in the order: shape, birthdate, unknown ids, email", async () => {
    await newUser(database, organization, { email: "order@example.com" });
    const caregiver = newCaregiver({ email: "order@example.com" });
    const wrong = {
      ...newLead({ birthdate: "2026-03-12", selectedLocations: ["loc_none"] }),
      caregiver,
    };
    const statuses = [];
    for (const json of [
      withField(wrong, ["client", "sex"], "x"),
      wrong,
      withField(wrong, ["client", "birthdate"], "2020-01-01"),
      withField({ ...newLead(), caregiver }, ["client", "selectedLocations"], ["loc_a"]),
    ]) {
      const { status, body } = await create(json);
      const { validationErrors, error } = body as {
        validationErrors?: { path: string[] }[];
        error?: string;
      };
      statuses.push([status, error ?? validationErrors?.map(({ path }) => path.join("."))]);
    }
    expect(statuses).toEqual([
      [400, ["client.sex"]],
      [400, ["client.birthdate"]],
      [400, "Unknown selectedLocations: 'loc_none'"],
      [409, "A record with this email already exists"],
    ]);
  });
});

describeRandomBodies(creation, [
  ["client"],
  ["caregiver"],
  ["attribution"],
  ["__proto__"],
  ...[
    ...["firstName", "lastName", "birthdate", "sex", "address", "city", "state", "zip", "country"],
    ...["timezone", "selectedLocations", "intakeStatusPublicId", "intakeStatusKey"],
    ...["labelPublicIds", "isActive"],
  ].map((name) => ["client", name]),
  ...["firstName", "lastName", "relationship", "email", "phone", "role"].map((name) => [
    "caregiver",
    name,
  ]),
  ...["utm_source", "utm_campaign", "gclid", "referrer", "landingPage", "other"].map((name) => [
    "attribution",
    name,
  ]),
]);
