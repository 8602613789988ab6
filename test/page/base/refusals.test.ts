import { describe, expect, test } from "bun:test";
import { sortedMistakes } from "../../../src/page/app/lib/base/mistakes.ts";
import type { DescribedType } from "../../../src/page/record-description.ts";
import { recordDescriptions } from "../../../src/page/record-fields.ts";
import { newApiKey } from "../../support/factories.ts";
import { TestService } from "../../support/harness.ts";
import { newCaregiver, newLead } from "../../support/intake-leads/practice.ts";
import {
  fullPractice,
  session,
  databaseOfFullPractice,
} from "../../support/practice-file/full-practice.ts";
import { type Fields, fileOf } from "../../support/practice-file/practice-file.ts";

/** What the API refuses, in the words of the page's forms, at the fields of these. */

const service = new TestService(await databaseOfFullPractice());
const key = await newApiKey(service.database, "org_maple");
const own: Fields = { type: "organization", publicId: "org_maple" };
const descriptions = recordDescriptions();

interface Refusal {
  validationErrors: Parameters<typeof sortedMistakes>[0];
}

/** The messages at the fields of a form, and the others. */
async function wordsOf(type: DescribedType, fields: Fields, since = ""): Promise<unknown[]> {
  const { body } = await service.call(`POST /api/v1/practice-file?dryRun=true${since}`, {
    key,
    raw: fileOf([own, { type, ...fields }]),
    headers: { "Content-Type": "application/x-ndjson" },
  });
  const { validationErrors } = body as Refusal;
  const { fields: description } = descriptions[type];
  const mistakes = sortedMistakes(validationErrors, description, ([, ...path]) => path);
  return [Object.fromEntries(mistakes.atFields), mistakes.others];
}

const FILL_IN = "Please fill this in.";
const GONE = "This is not there any more. Please choose another.";
const NO_FIT = "This person’s role does not fit here. Please choose another.";
const LONG = "x".repeat(201);

describe("people:", () => {
  test.each<[fields: Fields, words: Record<string, string>]>([
    [{ firstName: null }, { firstName: FILL_IN }],
    [{ lastName: LONG }, { lastName: "Must have at most 200 characters." }],
    [{ birthDate: "2026-02-30" }, { birthDate: "Please enter a date." }],
    [{ email: "ana@maple.example" }, { email: "This email address belongs to somebody else." }],
    [{ caregiverId: "usr_none" }, { caregiverId: GONE }],
    [{ caregiverId: "usr_tech" }, { caregiverId: NO_FIT }],
    [{ primaryClinicianId: "usr_care" }, { primaryClinicianId: NO_FIT }],
    [{ locationIds: ["loc_none"] }, { "locationIds.0": GONE }],
    [
      { role: "CAREGIVER" },
      { role: expect.stringMatching(/^Must stay patient: [\w ]+ have this person as patient\.$/) },
    ],
    [
      { payors: [{ payorId: "pay_none", insuredAddress: {} }] },
      Object.fromEntries(
        [
          ...["priority", "relationshipToPatient", "insuredBirthDate", "memberId", "planHolder"],
          "effectiveStartDate",
        ].map((name) => [`payors.0.${name}`, FILL_IN]),
      ),
    ],
  ])("%j", async (fields, words) => {
    expect(await wordsOf("user", { publicId: "usr_kid", ...fields })).toEqual([words, []]);
  });
});

test("what somebody else has written meanwhile", async () => {
  const words = await wordsOf("user", { publicId: "usr_kid" }, "&unchangedSince=0");
  expect(words).toEqual([{}, ["Somebody else has changed this meanwhile."]]);
});

describe("authorizations:", () => {
  const stored = fullPractice.find(({ type }) => type === "authorization");
  test.each<[fields: Fields, words: Record<string, string>]>([
    [{ authorizationNumber: null }, { authorizationNumber: FILL_IN }],
    [{ authorizationNumber: LONG }, { authorizationNumber: "Must have at most 200 characters." }],
    [{ authorizationStatus: null }, { authorizationStatus: FILL_IN }],
    [{ serviceLineId: null }, { serviceLineId: FILL_IN }],
    [{ serviceLineId: "svc_none" }, { serviceLineId: GONE }],
    [{ authorizationDate: null }, { authorizationDate: FILL_IN }],
    [{ authorizationDate: "2026-13-01" }, { authorizationDate: "Please enter a date." }],
    [
      { authorizationExpirationDate: "1999-01-01" },
      { authorizationExpirationDate: "Must not be before “First day”." },
    ],
    [{ authorizedUnitsQuantity: -1 }, { authorizedUnitsQuantity: "Must be 0 or more." }],
    [{ authorizedUnitsQuantity: "many" }, { authorizedUnitsQuantity: "Must be a number." }],
  ])("%j", async (fields, words) => {
    expect(await wordsOf("authorization", { ...stored, ...fields })).toEqual([words, []]);
  });
});

describe("sessions:", () => {
  test.each<[fields: Fields, words: Record<string, string>]>([
    [{ title: null }, { title: FILL_IN }],
    [{ title: LONG }, { title: "Must have at most 200 characters." }],
    [{ startTime: null }, { startTime: FILL_IN }],
    [{ startTime: "at nine" }, { startTime: "Please enter a date." }],
    [{ endTime: "1999-01-01T00:00:00.000Z" }, { endTime: "Must not be before “Start time”." }],
    [{ locationId: null }, { locationId: FILL_IN }],
    [{ locationId: "loc_none" }, { locationId: GONE }],
    [{ technicianId: "usr_none" }, { technicianId: GONE }],
    [{ technicianId: "usr_kid" }, { technicianId: NO_FIT }],
    [{ placeOfService: null }, { placeOfService: FILL_IN }],
  ])("%j", async (fields, words) => {
    expect(await wordsOf("session", { ...session, ...fields })).toEqual([words, []]);
  });
});

describe("a new lead:", () => {
  const short = "Please enter at least 2 characters.";
  test.each<[of: "client" | "caregiver", fields: Fields, words: Record<string, string>]>([
    ["client", { firstName: "" }, { firstName: short }],
    ["client", { lastName: "W" }, { lastName: short }],
    ["client", { birthdate: undefined }, { birthdate: FILL_IN }],
    ["client", { birthdate: "2020-02-30" }, { birthdate: "Please enter a date." }],
    ["client", { sex: "X" }, { sex: "Please choose one of the list." }],
    ["client", { city: LONG }, { city: "Please enter at most 200 characters." }],
    ["caregiver", { relationship: undefined }, { relationship: FILL_IN }],
    ["caregiver", { email: "mina@" }, { email: "Please check this email address." }],
    [
      "caregiver",
      { phone: "+15555550199" },
      { phone: "Please check this phone number: it cannot be called." },
    ],
    ["caregiver", { phone: undefined }, { phone: FILL_IN }],
  ])("%s %j", async (of, fields, words) => {
    const lead =
      of === "client" ? newLead(fields) : { ...newLead(), caregiver: newCaregiver(fields) };
    const { body } = await service.call("POST /api/v1/intake-leads", { key, json: lead });
    const { validationErrors } = body as Refusal;
    const { fields: description } = descriptions.lead;
    const { atFields, others } = sortedMistakes(validationErrors, description, (path) => path);
    const expected = Object.entries(words).map<[string, string]>(([name, text]) => [
      `${of}.${name}`,
      text,
    ]);
    expect([[...atFields], others]).toEqual([expected, []]);
  });
});
