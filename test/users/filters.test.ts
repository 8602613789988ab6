import { roles } from "../../src/callers/roles.ts";
import { validationBody } from "../support/list-rules.ts";
import { found } from "../support/pages.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";
import { user } from "../support/users/bodies.ts";

/** GET /v1/users: the filters, and the values that they refuse (specification, section 4.5). */

const practice = await transcripts();

const finds = (query: string, ...numbers: (string | number)[]): Step =>
  found(
    `GET users?${query}`,
    numbers.map((number) => `usr_${number}`),
  );
const search = (text: string, ...numbers: number[]): Step =>
  finds(`search=${encodeURIComponent(text)}`, ...numbers);
const refused = (text: string, message: string): Step => [
  ...([`GET users?search=${encodeURIComponent(text)}`, 400] as const),
  validationBody({ code: "too_big", message, path: ["search"] }),
];
const tooLong = "String must contain at most 200 character(s)";
const ten = "j o s e m u n z r x";

practice([
  user("usr_1", "PATIENT", {
    ...{ firstName: "José", lastName: "Muñoz", email: "J.Munoz@maple.example" },
    ...{ phoneNumber: "+12025550123", internalRecordId: "MRN-0042", city: "Springfield" },
    userStatus: "ACTIVE",
  }),
  user("usr_2", "TECHNICIAN", {
    ...{ firstName: "Łucja", lastName: "O'Brien-Straße", email: "100%_sure@maple.example" },
  }),
  user("usr_3", "TECHNICIAN", {
    ...{ firstName: "100 sure", lastName: "back\\slash", phoneNumber: "(202) 555-0199" },
  }),
  user("usr_4", "TECHNICIAN", { firstName: "Нина", lastName: "Й" }),
])("search finds users by all terms of a text", [
  // Each searched field, and fields that are not searched.
  ...["jose", "munoz", "j.munoz@maple", "2025550123", "mrn-0042"].map((text) => search(text, 1)),
  ...["springfield", "usr_1", "PATIENT", "active"].map((text) => search(text)),
  // Letter case and diacritics are ignored, in the term and in the text.
  ...["MUÑOZ", "mun\u0303oz", "josè"].map((text) => search(text, 1)),
  ...["lucja", "Łucja", "STRASSE", "straße", "o’brien"].map((text) => search(text, 2)),
  search("нина", 4),
  // A substring matches.
  search("uño", 1),
  search("555", 1, 3),
  search("maple.example", 1, 2),
  // Every term must match, in any field and in any order.
  search("munoz jose", 1),
  search("  munoz\t2025550123\u00a0\u3000mrn ", 1),
  search("munoz lucja"),
  search("jose jose", 1),
  // Four or more digits match a phone number, whatever its format in the term or in the record.
  search("2025550199", 3),
  search("(202) 555-0123", 1),
  search("202-555-0199", 3),
  search("+1 202 555 0123", 1),
  search("0255", 1, 3),
  search("25550", 1, 3),
  search("２０２５５５", 1, 3),
  search("0199 back", 3),
  search("025", 1),
  search("x2025"),
  search("2025550199x"),
  search("0042", 1),
  search("01230199"),
  // Commas and semicolons at the ends of a term are ignored.
  search("Muñoz, José", 1),
  search(";munoz;,, ,jose", 1),
  search("mun,oz"),
  search(", ;", 1, 2, 3, 4),
  // A term does not match across two fields.
  search("josemunoz"),
  search("josé\nmuñoz", 1),
  // The special characters of LIKE are literal.
  ...["%", "_", "100%", "0%_s", "'"].map((text) => search(text, 2)),
  ...["\\", "k\\s"].map((text) => search(text, 3)),
  ...["100_", "m_noz", "m%z", "\\%", '"', "*", "' or 1=1 --"].map((text) => search(text)),
  // Empty text and white space do not filter.
  ...["", "   ", "\t\n\u00a0\u2003", " ".repeat(199)].map((text) => search(text, 1, 2, 3, 4)),
  // The limit of 200 characters counts an emoji as one unit of two. One character folds to four words.
  ...["x".repeat(200), "🙂".repeat(100), "\ufdfa".repeat(200)].map((text) => search(text)),
  ...["x".repeat(201), "🙂".repeat(101), " ".repeat(201)].map((text) => refused(text, tooLong)),
  // At most ten different terms; repeated ones are counted once.
  search(`${ten} J O S É ñ`, 1),
  refused(`${ten} p`, "Must contain at most 10 different terms"),
  // `+` is a space, and a `%` that is not followed by two hexadecimal digits is literal.
  finds("search=munoz+jose", 1),
  finds("search=100%", 2),
  finds("search=%zz"),
]);

/** One thing as different people, programs and telephones write it. All spellings find all. */
const spellings = {
  phoneNumber: [
    ...["(415) 555-2671", "+14155552671", "4155552671", "415.555.2671", "1-415-555-2671"],
    ...["+1 415 555 2671", "+1 (415) 555-2671", "1 (415) 555-2671", "1 415 555 2671"],
    ...["415‑555–2671", "\u202a+14155552671\u202c"],
  ],
  lastName: ["O'Brien", "O’Brien", "O‘Brien", "OʼBrien", "O´Brien", "O`Brien", "O′Brien"],
  firstName: [
    ...["Ana-Luz", "Ana‐Luz", "Ana‑Luz", "Ana–Luz", "Ana—Luz", "Ana−Luz"],
    "A\u200bna-Lu\u00adz",
  ],
};
for (const [name, texts] of Object.entries(spellings)) {
  const numbers = texts.map((_, index) => index + 10);
  practice(
    texts.map((text, index) => user(`usr_${numbers[index]}`, "TECHNICIAN", { [name]: text })),
  )(
    `search finds a ${name} by each spelling of it`,
    texts.map((text) => search(text, ...numbers)),
  );
}

practice([user("usr_1", "TECHNICIAN", { phoneNumber: "+47 12 34 56 78" })])(
  "+1 does not find numbers of other countries",
  [search("+1 471 234 5678"), search("+4712345678", 1)],
);

practice(
  ["Ana.Ruiz@Maple.example", "ana@maple.example", undefined, "ana+x@maple.example"].map(
    (email, index) => user(`usr_${index + 1}`, "TECHNICIAN", email === undefined ? {} : { email }),
  ),
)("email finds the whole address in any letter case, and no pattern", [
  finds("email=ana.ruiz@maple.example", 1),
  finds("email=ANA.RUIZ@MAPLE.EXAMPLE", 1),
  finds("email=Ana.Ruiz@Maple.example", 1),
  finds("email=ana@maple.example", 2),
  finds("email=ana%2Bx@maple.example", 4),
  ...["ana", "@maple.example", "%25@maple.example", "ana_ruiz@maple.example"].map((text) =>
    finds(`email=${text}`),
  ),
  ...["%20ana@maple.example", "ana+x@maple.example", "none@maple.example", "no%20address"].map(
    (text) => finds(`email=${text}`),
  ),
  // No user has an empty address.
  finds("email="),
]);

const inactive = roles.map((role) => `${role}_0`).toSorted();
practice(
  roles.flatMap((role) =>
    [1, 0].map((is) =>
      user(`usr_${role}_${is}`, role, {
        ...{ isActive: is === 1, email: `${role}.${is}@maple.example` },
      }),
    ),
  ),
)("filters by role and isActive, alone, together and in pages", [
  ...roles.map((role) => finds(`role=${role}`, `${role}_0`, `${role}_1`)),
  finds("isActive=true", ...roles.map((role) => `${role}_1`).toSorted()),
  finds("isActive=false", ...inactive),
  finds("role=PATIENT&isActive=true", "PATIENT_1"),
  finds("role=PATIENT&isActive=false", "PATIENT_0"),
  finds("role=PATIENT&email=patient.0@maple.example", "PATIENT_0"),
  finds("role=PATIENT&email=admin.0@maple.example"),
  finds("isActive=true&email=patient.0@maple.example"),
  finds(
    "search=clinic&isActive=false",
    ...["CLINICAL_ADMIN_0", "CLINICAL_SUPERADMIN_0", "CLINICIAN_0"],
  ),
  finds("search=clinic&role=CLINICIAN", "CLINICIAN_0", "CLINICIAN_1"),
  finds(
    "search=clinic&role=CLINICIAN&isActive=true&email=clinician.1@maple.example",
    "CLINICIAN_1",
  ),
  [
    ...(["GET users?isActive=false&page=2&pageSize=4", 200] as const),
    {
      data: inactive.slice(4, 8).map((id) => ({ publicId: `usr_${id}` })),
      pagination: whole({ page: 2, pageSize: 4, totalCount: 10, totalPages: 3 }),
    },
  ],
]);
