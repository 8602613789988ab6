import { describe, expect, test } from "bun:test";
import { roles } from "../../src/callers/roles.ts";
import type { Issue } from "../../src/lib/errors.ts";
import { newApiKey, newOrganization, newPatient, newUser } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { idsIn, totalIn, validationBody } from "../support/list-rules.ts";

/** GET /v1/users: the filters, and the values that they refuse (specification, section 4.5). */

const path = "/api/v1/users";
const service = await newService();
const { database } = service;

async function keyOfNewOrganization(): Promise<{ organization: string; key: string }> {
  const organization = await newOrganization(database);
  return { organization, key: await newApiKey(database, organization) };
}

async function expectUsers(key: string, query: string, expected: readonly string[]): Promise<void> {
  const answer = await service.call(`GET ${path}?${query}`, { key });
  expect([answer.status, idsIn(answer), totalIn(answer)]).toEqual([
    200,
    [...expected],
    expected.length,
  ]);
}

async function expectRefusal(key: string, query: string, ...issues: Issue[]): Promise<void> {
  const { status, body } = await service.call(`GET ${path}?${query}`, { key });
  expect([status, body]).toEqual([400, validationBody(...issues)]);
}

describe("search", async () => {
  const { organization, key } = await keyOfNewOrganization();
  await newPatient(database, organization, {
    public_id: "usr_1",
    first_name: "José",
    last_name: "Muñoz",
    email: "J.Munoz@maple.example",
    phone_number: "+12025550123",
    internal_record_id: "MRN-0042",
    city: "Springfield",
  });
  await newUser(database, organization, {
    public_id: "usr_2",
    first_name: "Łucja",
    last_name: "O'Brien-Straße",
    email: "100%_sure@maple.example",
  });
  await newUser(database, organization, {
    public_id: "usr_3",
    first_name: "100 sure",
    last_name: "back\\slash",
    phone_number: "(202) 555-0199",
  });
  await newUser(database, organization, { public_id: "usr_4", first_name: "Нина", last_name: "Й" });
  const everyone = ["usr_1", "usr_2", "usr_3", "usr_4"];
  const query = (text: string) => `search=${encodeURIComponent(text)}`;

  test.each([
    // Each searched field, and fields that are not searched.
    ["jose", ["usr_1"]],
    ["munoz", ["usr_1"]],
    ["j.munoz@maple", ["usr_1"]],
    ["2025550123", ["usr_1"]],
    ["mrn-0042", ["usr_1"]],
    ["springfield", []],
    ["usr_1", []],
    ["PATIENT", []],
    ["active", []],
    // Letter case and diacritics are ignored, in the term and in the text.
    ["MUÑOZ", ["usr_1"]],
    ["mun\u0303oz", ["usr_1"]],
    ["josè", ["usr_1"]],
    ["lucja", ["usr_2"]],
    ["Łucja", ["usr_2"]],
    ["STRASSE", ["usr_2"]],
    ["straße", ["usr_2"]],
    ["o’brien", ["usr_2"]],
    ["нина", ["usr_4"]],
    // A substring matches.
    ["uño", ["usr_1"]],
    ["555", ["usr_1", "usr_3"]],
    ["maple.example", ["usr_1", "usr_2"]],
    // Every term must match, in any field and in any order.
    ["munoz jose", ["usr_1"]],
    ["  munoz\t2025550123\u00a0\u3000mrn ", ["usr_1"]],
    ["munoz lucja", []],
    ["jose jose", ["usr_1"]],
    // Four or more digits match a phone number, whatever its format in the term or in the record.
    ["2025550199", ["usr_3"]],
    ["(202) 555-0123", ["usr_1"]],
    ["202-555-0199", ["usr_3"]],
    ["+1 202 555 0123", ["usr_1"]],
    ["0255", ["usr_1", "usr_3"]],
    ["25550", ["usr_1", "usr_3"]],
    ["２０２５５５", ["usr_1", "usr_3"]],
    ["0199 back", ["usr_3"]],
    ["025", ["usr_1"]],
    ["x2025", []],
    ["2025550199x", []],
    ["0042", ["usr_1"]],
    ["01230199", []],
    // Commas and semicolons at the ends of a term are ignored.
    ["Muñoz, José", ["usr_1"]],
    [";munoz;,, ,jose", ["usr_1"]],
    ["mun,oz", []],
    [", ;", everyone],
    // A term does not match across two fields.
    ["josemunoz", []],
    ["josé\nmuñoz", ["usr_1"]],
    // The special characters of LIKE are literal.
    ["%", ["usr_2"]],
    ["_", ["usr_2"]],
    ["100%", ["usr_2"]],
    ["100_", []],
    ["0%_s", ["usr_2"]],
    ["m_noz", []],
    ["m%z", []],
    ["\\", ["usr_3"]],
    ["k\\s", ["usr_3"]],
    ["\\%", []],
    ["'", ["usr_2"]],
    ['"', []],
    ["*", []],
    ["' or 1=1 --", []],
    // Empty text and white space do not filter.
    ["", everyone],
    ["   ", everyone],
    ["\t\n\u00a0\u2003", everyone],
    // The limit of 200 characters counts an emoji as one.
    ["x".repeat(200), []],
    ["🙂".repeat(100), []],
    [" ".repeat(199), everyone],
    // One character that folds to four words.
    ["\ufdfa".repeat(200), []],
  ] as const)("finds %p", (text, expected) => expectUsers(key, query(text), expected));

  test("+ in a query is a space", () => expectUsers(key, "search=munoz+jose", ["usr_1"]));

  test("a % that is not followed by two hexadecimal digits is literal", async () => {
    await expectUsers(key, "search=100%", ["usr_2"]);
    await expectUsers(key, "search=%zz", []);
  });

  test.each([
    ["201 characters", "x".repeat(201)],
    ["101 emoji, each of two units", "🙂".repeat(101)],
    ["201 spaces", " ".repeat(201)],
  ])("refuses %s", (_, text) =>
    expectRefusal(key, query(text), {
      code: "too_big",
      message: "String must contain at most 200 character(s)",
      path: ["search"],
    }),
  );

  /** One thing as different people, programs and telephones write it. All spellings find all. */
  const spellings: Record<string, readonly string[]> = {
    phone: [
      "(415) 555-2671",
      "+14155552671",
      "4155552671",
      "415.555.2671",
      "1-415-555-2671",
      "+1 415 555 2671",
      "+1 (415) 555-2671",
      "1 (415) 555-2671",
      "1 415 555 2671",
      "415‑555–2671",
      "\u202a+14155552671\u202c",
    ],
    last_name: ["O'Brien", "O’Brien", "O‘Brien", "OʼBrien", "O´Brien", "O`Brien", "O′Brien"],
    first_name: [
      "Ana-Luz",
      "Ana‐Luz",
      "Ana‑Luz",
      "Ana–Luz",
      "Ana—Luz",
      "Ana−Luz",
      "A\u200bna-Lu\u00adz",
    ],
  };

  test.each(Object.keys(spellings))("finds a %s by each spelling of it", async (name) => {
    const { organization, key } = await keyOfNewOrganization();
    const ids: string[] = [];
    for (const [index, text] of spellings[name]!.entries()) {
      ids.push(`usr_${String(index).padStart(2, "0")}`);
      const column = name === "phone" ? "phone_number" : name;
      await newUser(database, organization, { public_id: ids.at(-1)!, [column]: text });
    }
    for (const text of spellings[name]!) await expectUsers(key, query(text), ids);
  });

  test("+1 does not find numbers of other countries", async () => {
    const { organization, key } = await keyOfNewOrganization();
    await newUser(database, organization, { public_id: "usr_1", phone_number: "+47 12 34 56 78" });
    await expectUsers(key, query("+1 471 234 5678"), []);
    await expectUsers(key, query("+4712345678"), ["usr_1"]);
  });

  test("accepts ten different terms, repeated ones counted once, and refuses eleven", async () => {
    const ten = "j o s e m u n z r x";
    await expectUsers(key, query(`${ten} J O S É ñ`), ["usr_1"]);
    await expectRefusal(key, query(`${ten} p`), {
      code: "too_big",
      message: "Must contain at most 10 different terms",
      path: ["search"],
    });
  });
});

describe("email", async () => {
  const { organization, key } = await keyOfNewOrganization();
  const add = (public_id: string, email: string | null) =>
    newUser(database, organization, { public_id, email });
  await add("usr_1", "Ana.Ruiz@Maple.example");
  await add("usr_2", "ana@maple.example");
  await add("usr_3", null);
  await add("usr_4", "ana+x@maple.example");

  test.each([
    ["ana.ruiz@maple.example", ["usr_1"]],
    ["ANA.RUIZ@MAPLE.EXAMPLE", ["usr_1"]],
    ["Ana.Ruiz@Maple.example", ["usr_1"]],
    ["ana@maple.example", ["usr_2"]],
    ["ana%2Bx@maple.example", ["usr_4"]],
    // The whole address must be equal; patterns are not supported.
    ["ana", []],
    ["@maple.example", []],
    ["%25@maple.example", []],
    ["ana_ruiz@maple.example", []],
    ["%20ana@maple.example", []],
    ["ana+x@maple.example", []],
    ["none@maple.example", []],
    ["no address at all".replaceAll(" ", "%20"), []],
    // No user has an empty address.
    ["", []],
  ])("%s", (text, expected) => expectUsers(key, `email=${text}`, expected));
});

describe("role, isActive, and filters together", async () => {
  const { organization, key } = await keyOfNewOrganization();
  for (const role of roles)
    for (const is_active of [1, 0] as const)
      await newUser(database, organization, {
        public_id: `usr_${role}_${is_active}`,
        role,
        is_active,
        email: `${role}.${is_active}@maple.example`,
      });

  test.each(roles)("role=%s finds active and inactive users of that role", (role) =>
    expectUsers(key, `role=${role}`, [`usr_${role}_0`, `usr_${role}_1`]),
  );

  const inactive = roles.map((role) => `usr_${role}_0`).sort();
  test.each([
    ["isActive=true", inactive.map((id) => id.replace("_0", "_1")).sort()],
    ["isActive=false", inactive],
    ["role=PATIENT&isActive=true", ["usr_PATIENT_1"]],
    ["role=PATIENT&isActive=false", ["usr_PATIENT_0"]],
    ["role=PATIENT&email=patient.0@maple.example", ["usr_PATIENT_0"]],
    ["role=PATIENT&email=admin.0@maple.example", []],
    ["isActive=true&email=patient.0@maple.example", []],
    [
      "search=clinic&isActive=false",
      ["usr_CLINICAL_ADMIN_0", "usr_CLINICAL_SUPERADMIN_0", "usr_CLINICIAN_0"],
    ],
    ["search=clinic&role=CLINICIAN", ["usr_CLINICIAN_0", "usr_CLINICIAN_1"]],
    [
      "search=clinic&role=CLINICIAN&isActive=true&email=clinician.1@maple.example",
      ["usr_CLINICIAN_1"],
    ],
  ])("%s", (query, expected) => expectUsers(key, query, expected));

  test("pages and totals cover the filtered users only", async () => {
    const answer = await service.call(`GET ${path}?isActive=false&page=2&pageSize=4`, { key });
    expect([idsIn(answer), answer.body]).toEqual([
      inactive.slice(4, 8),
      expect.objectContaining({
        pagination: { page: 2, pageSize: 4, totalCount: 10, totalPages: 3 },
      }),
    ]);
  });
});
