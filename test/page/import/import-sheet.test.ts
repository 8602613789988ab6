import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { keyOf } from "../../../src/page/app/lib/import/import-choices.ts";
import { groupedMistakes, rowsText } from "../../../src/page/app/lib/import/import-mistakes.ts";
import {
  GUARDIAN,
  guessFields,
  guessRole,
  nameOfRow,
  prepare,
  type Sheet,
  undoOf,
} from "../../../src/page/app/lib/import/import-sheet.ts";
import {
  LEFT_EMPTY,
  matchOf,
  type MatchOption,
  wordsOf,
} from "../../../src/page/app/lib/import/import-words.ts";
import { labelOf } from "../../../src/page/app/lib/base/labels.ts";
import { guessType } from "../../../src/page/app/lib/import/table.ts";
import { csvFiles } from "../../../src/practice-file/csv/columns.ts";

/** An office's own list: what its file, headings and words mean, and the rows that it becomes. */

const columns = Object.fromEntries(
  [...csvFiles].map(([file, fields]) => [file.replace(/\.csv$/, ""), fields]),
);

const patientFields = [
  ...(columns.user ?? []).filter((field) => field !== "role"),
  ...Object.values(GUARDIAN),
];

test.each([
  ["payor.csv", "payor"],
  ["payors 2026.csv", "payor"],
  ["location.csv", "location"],
  ["intakeLabel.csv", "intakeLabel"],
  ["Specializations.csv", "specialization"],
])("with an id and a name alone, the name of the file %s settles the type", (file, type) => {
  expect(guessType(["publicId", "name"], columns, labelOf, file)).toBe(type);
});

test("headings come before the name of the file", () => {
  const headings = ["ID", "First name", "Last name", "DOB", "Phone"];
  expect(guessType(headings, columns, labelOf, "payor.csv")).toBe("user");
});

test("headings of a list of clients", () => {
  const meant = {
    "Client ID": "publicId",
    "Client First Name": "firstName",
    "Client Last Name": "lastName",
    DOB: "birthDate",
    Gender: "sex",
    Status: "userStatus",
    ST: "state",
    Zip: "postalCode",
    BCBA: "primaryClinicianId",
    Office: "locationIds",
    "Guardian Name": GUARDIAN.name,
    "Parent/Guardian Phone": GUARDIAN.phoneNumber,
    "Mother Email": GUARDIAN.email,
    "Shoe size": undefined,
    "Home Phone": undefined,
  };
  expect(guessFields(Object.keys(meant), patientFields, labelOf)).toEqual(Object.values(meant));
});

test("a field is of the first heading that names it", () => {
  expect(guessFields(["DOB", "Birth date"], patientFields, labelOf)).toEqual([
    "birthDate",
    undefined,
  ]);
});

test.each([
  ["Our clients.csv", ["Name"], "PATIENT"],
  ["rbts.csv", ["Name"], "TECHNICIAN"],
  ["BCBA list.csv", ["Name"], "CLINICIAN"],
  ["families.csv", ["Name"], "CAREGIVER"],
  ["export (3).csv", ["First", "DOB"], "PATIENT"],
  ["export (3).csv", ["First", "Last"], "TECHNICIAN"],
] as const)("%s with %j has %s", (file, headings, role) => {
  expect(guessRole(file, headings)).toBe(role);
});

const statuses: MatchOption[] = ["LEAD", "ACTIVE", "INACTIVE", "SERVICES_PAUSED", "DISCHARGED"].map(
  (value) => ({ value, name: value.toLowerCase().replaceAll("_", " ") }),
);
const sexes: MatchOption[] = ["MALE", "FEMALE", "OTHER"].map((value) => ({ value, name: value }));
const people: MatchOption[] = [
  ["usr_roe", "Jane Roe"],
  ["usr_li", "Mia Li"],
  ["usr_lo", "Mía Lindqvist"],
].map(([value = "", name = ""]) => ({ value, name, isPerson: true }));
const services: MatchOption[] = [
  { value: "svc_1", name: "Direct therapy", also: ["97153"] },
  { value: "svc_2", name: "Direct supervision", also: ["97155"] },
  { value: "svc_3", name: "Family guidance" },
];

const options = { statuses, sexes, people, services };

test.each<[string, keyof typeof options, string | undefined]>([
  ["Active", "statuses", "ACTIVE"],
  ["services-paused", "statuses", "SERVICES_PAUSED"],
  ["On hold", "statuses", "SERVICES_PAUSED"],
  ["disch", "statuses", "DISCHARGED"],
  ["gone", "statuses", undefined],
  ["M", "sexes", "MALE"],
  ["girl", "sexes", "FEMALE"],
  ["BCBA Jane Roe", "people", "usr_roe"],
  ["Roe, Jane (M.S.)", "people", "usr_roe"],
  ["usr_li", "people", "usr_li"],
  ["mia lindqvist", "people", "usr_lo"],
  ["Jane", "people", undefined],
  ["Direct therapy", "services", "svc_1"],
  ["97155", "services", "svc_2"],
  ["Direct", "services", undefined],
  ["Fam", "services", "svc_3"],
  ["Fa", "services", undefined],
  ["", "services", undefined],
])("%j among %s means %p", (word, among, expected) => {
  expect(matchOf(word, options[among])).toBe(expected);
});

test("two people with one name are not told apart", () => {
  const twins = [
    { value: "usr_1", name: "Jane Roe", isPerson: true },
    { value: "usr_2", name: "Jane Roe", isPerson: true },
  ];
  expect(matchOf("Jane Roe", twins)).toBeUndefined();
});

test("of a column, words without a value are first; what was chosen counts", () => {
  const cells = ["Active", "Active", "Gone", "Gone; Active", ""];
  expect(wordsOf(cells, statuses)).toEqual([
    { word: "Gone", count: 2, value: undefined },
    { word: "Active", count: 3, value: "ACTIVE" },
  ]);
  expect(wordsOf(["Gone", "Moved", "Moved"], statuses).map(({ word }) => word)).toEqual([
    ...["Moved", "Gone"],
  ]);
  expect(wordsOf(["Gone"], statuses, { Gone: "DISCHARGED" })).toEqual([
    { word: "Gone", count: 1, value: "DISCHARGED" },
  ]);
});

const headings = ["First", "Last", "Status", "Guardian", "Guardian phone", "Guardian email"];
const fields = [
  ...["firstName", "lastName", "userStatus"],
  ...[GUARDIAN.name, GUARDIAN.phoneNumber, GUARDIAN.email],
];

function sheetOf(rows: string[][], given: Partial<Sheet> = {}): Sheet {
  return {
    ...{ name: "clients.csv", type: "user", role: "PATIENT", headings, rows, fields, words: {} },
    ids: rows.map((_, index) => `usr_${index}`),
    ...given,
  };
}

const optionsOf = (field: string) => (field === "userStatus" ? statuses : undefined);

/** The rows as objects, without empty cells. */
function recordsOf(sheet: Sheet, known: Parameters<typeof prepare>[2] = []) {
  const { head, rows, sources } = prepare(sheet, optionsOf, known);
  const records = rows.map((row) =>
    Object.fromEntries(head.map((field, at) => [field, row[at]]).filter(([, cell]) => cell !== "")),
  );
  return { records, sources };
}

describe("a patient's guardian becomes their caregiver", () => {
  test("one for all rows with the same email, else the same name and phone", () => {
    const { records, sources } = recordsOf(
      sheetOf([
        ["Leo", "Park", "Active", "Maria Ruiz Park", "(212) 555-0101", "maria@example.org"],
        ["Mia", "Park", "gone", "M. Park", "", "Maria@Example.org"],
        ["Ida", "Quist", "", "Quist, Bo", "212.555.0102", ""],
        ["Ola", "Quist", "", "Bo Quist", "+1 212 555 0102", ""],
        ["Eva", "Lind", "", "", "", ""],
      ]),
    );
    expect(records).toEqual([
      {
        ...{ publicId: "usr_0", role: "PATIENT", firstName: "Leo", lastName: "Park" },
        ...{ userStatus: "ACTIVE", caregiverId: "usr_0_caregiver" },
      },
      {
        ...{ publicId: "usr_1", role: "PATIENT", firstName: "Mia", lastName: "Park" },
        ...{ userStatus: "gone", caregiverId: "usr_0_caregiver" },
      },
      {
        ...{ publicId: "usr_2", role: "PATIENT", firstName: "Ida", lastName: "Quist" },
        caregiverId: "usr_2_caregiver",
      },
      {
        ...{ publicId: "usr_3", role: "PATIENT", firstName: "Ola", lastName: "Quist" },
        caregiverId: "usr_2_caregiver",
      },
      { publicId: "usr_4", role: "PATIENT", firstName: "Eva", lastName: "Lind" },
      {
        ...{ publicId: "usr_0_caregiver", role: "CAREGIVER", firstName: "Maria Ruiz" },
        ...{ lastName: "Park", phoneNumber: "+12125550101", email: "maria@example.org" },
      },
      {
        ...{ publicId: "usr_2_caregiver", role: "CAREGIVER", firstName: "Bo" },
        ...{ lastName: "Quist", phoneNumber: "+12125550102" },
      },
    ]);
    // Rows as a spreadsheet counts; a caregiver is of the row that names them first.
    expect(sources).toEqual([2, 3, 4, 5, 6, 2, 4]);
  });

  test("two of the same name, of whom nothing else is known, are two; a family name is the child's", () => {
    const { records } = recordsOf(
      sheetOf([
        ["Leo", "Park", "", "Maria", "", ""],
        ["Mia", "Park", "", "Maria", "", ""],
      ]),
    );
    expect(records.slice(2).map(({ firstName, lastName }) => [firstName, lastName])).toEqual([
      ["Maria", "Park"],
      ["Maria", "Park"],
    ]);
  });

  test("who is there already is that caregiver", () => {
    const known = [
      { publicId: "usr_maria", name: "Maria P.", email: "MARIA@example.org", phoneNumber: "" },
      { publicId: "usr_bo", name: "Bo Quist", email: "", phoneNumber: "+12125550102" },
    ];
    const { records } = recordsOf(
      sheetOf([
        ["Leo", "Park", "", "Maria Park", "", "maria@example.org"],
        ["Ida", "Quist", "", "Bo Quist", "2125550102", ""],
        ["Ola", "Quist", "", "Bo Quist", "2125550103", ""],
      ]),
      known,
    );
    expect(records.slice(0, 3).map(({ caregiverId }) => caregiverId)).toEqual([
      ...["usr_maria", "usr_bo"],
      "usr_2_caregiver",
    ]);
  });
});

test("a sheet with ids and roles of its own keeps them, and what was chosen for a word is written", () => {
  const { head, rows } = prepare(
    sheetOf([["7", "technician", "gone"]], {
      ...{ role: undefined, headings: ["ID", "Role", "Status"] },
      fields: ["publicId", "role", "userStatus"],
      words: { userStatus: { gone: "DISCHARGED" } },
    }),
    optionsOf,
  );
  expect([head, rows]).toEqual([
    ["publicId", "role", "userStatus"],
    [["7", "technician", "DISCHARGED"]],
  ]);
});

test("a word that means nothing can be left out, also among others", () => {
  const sheet = sheetOf([["Gone"], ["Active; Gone"]], {
    ...{ headings: ["Status"], fields: ["userStatus"] },
    words: { userStatus: { Gone: LEFT_EMPTY } },
  });
  expect(prepare(sheet, optionsOf).rows.map((row) => row.at(-1))).toEqual(["", "ACTIVE"]);
});

test("mistakes are grouped by the office's heading and in the form's words", () => {
  const at = (row: number, field: string, message: string) => ({ path: [row, field], message });
  const groups = groupedMistakes(
    [
      at(2, "birthDate", "Invalid calendar date"),
      at(3, "lastName", "is missing"),
      ...[4, 5, 6].map((row) => at(row, "birthDate", "Invalid calendar date")),
      { path: [7], message: "occurs twice" },
    ],
    (field) => (field === "birthDate" ? "DOB" : "Last"),
    [2, 3, 4, 5, 6, 2],
  );
  expect(groups.map((group) => [rowsText(group), group.column, group.message])).toEqual([
    ["2, 4, 5 and 1 more", "DOB", "Please enter a date."],
    ["3", "Last", "Please fill this in."],
    ["2", "", "Occurs twice."],
  ]);
});

test("the undo of an import brings back what was there, and removes what was not", () => {
  const before = [{ type: "user", publicId: "usr_1", firstName: "Leo" }];
  expect(undoOf("user", ["usr_2", "usr_1", "usr_2"], before)).toEqual([
    { type: "user", publicId: "usr_2", deleted: true },
    { type: "user", publicId: "usr_1", firstName: "Leo" },
  ]);
});

test("an imported record is called by its name, title or number", () => {
  expect(nameOfRow(["firstName", "lastName"], ["Leo", "Park"])).toBe("Leo Park");
  expect(nameOfRow(["publicId", "title"], ["apt_1", "Therapy"])).toBe("Therapy");
  expect(nameOfRow(["publicId"], ["apt_1"])).toBe("");
});

test("choices are kept under a number of the headings, which says nothing of them", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 5 }), (some) => {
      expect(keyOf("org_maple", some)).toMatch(/^caseload-import-[0-9a-f]{1,16}$/);
      expect(keyOf("org_maple", some)).toBe(keyOf("org_maple", [...some]));
      expect(keyOf("org_maple", [...some, "more"])).not.toBe(keyOf("org_maple", some));
    }),
  );
  expect(keyOf("org_maple", ["a"])).not.toBe(keyOf("org_small", ["a"]));
});

test("a guardian of whom nothing but the name is known is nobody who is there already", () => {
  const fields = ["firstName", "lastName", "guardian.firstName", "guardian.lastName"];
  const sheet = {
    ...{ name: "clients.csv", type: "user", role: "PATIENT" as const, headings: fields, fields },
    ...{ rows: [["Leo", "Ruiz", "Ana", "Ruiz"]], words: {}, ids: ["usr_1"] },
  };
  const known = { publicId: "usr_known", name: "Ana Ruiz", email: "", phoneNumber: "" };
  const { rows } = prepare(sheet, () => undefined, [known]);
  expect(rows[0]).toContain("usr_1_caregiver");
});
