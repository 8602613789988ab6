import { describe, expect, test } from "bun:test";
import { importOf, practiceOf } from "./sheets.ts";
import type { Fields } from "./expected.ts";

/** Each kind of cell that spreadsheets spoil: what is stored of it, and what is said. */

const practice = practiceOf(
  [
    { type: "organization", publicId: "org_1" },
    { type: "location", publicId: "loc_1", name: "Main clinic" },
    { type: "payor", publicId: "pay_1", name: "Fairwind" },
    {
      type: "serviceLine",
      publicId: "svc_1",
      name: "Therapy",
      code: "97153",
      billingUnitMinutes: 15,
    },
    {
      type: "user",
      publicId: "usr_ida",
      role: "PATIENT",
      firstName: "Ida",
      lastName: "Quist",
      birthDate: "2019-01-02",
      internalRecordId: "1",
    },
  ],
  "America/New_York" as never,
);

/** The patient of a sheet with one more column. */
async function patientWith(heading: string, cell: string, chosen: object = {}) {
  const quoted = `"${cell.replaceAll('"', '""')}"`;
  const text = `Chart,First,Last,DOB,State,${heading}\n77,Ola,Roe,3/4/2018,VT,${quoted}`;
  const { changed, said, mistakes } = await importOf(practice, [["clients.csv", text]], chosen);
  const [patient] = changed.filter(({ role }) => role === "PATIENT");
  return { patient: patient as Fields, said: said.map(([, note]) => note), mistakes };
}

describe("a cell that is not what it was", () => {
  test.each([
    ["City", "#N/A", undefined, "City: error of a formula, #N/A → empty (row 2)"],
    ["City", "#REF!", undefined, "City: error of a formula, #REF! → empty (row 2)"],
    ["City", "#NV", undefined, "City: error of a formula, #NV → empty (row 2)"],
    ["City", "#VALEUR!", undefined, "City: error of a formula, #VALEUR! → empty (row 2)"],
    ["City", "#¿NOMBRE?", undefined, "City: error of a formula, #¿NOMBRE? → empty (row 2)"],
    ["City", "########", undefined, "City: error of a formula, ######## → empty (row 2)"],
    ["City", "n/a", undefined, "City: stands for nothing, n/a → empty (row 2)"],
    ["City", "--", undefined, "City: stands for nothing, -- → empty (row 2)"],
    ["City", "TBD", undefined, "City: stands for nothing, TBD → empty (row 2)"],
    ["City", "—", undefined, "City: stands for nothing, — → empty (row 2)"],
    ["City", '="00123"', "00123", 'City: formula around a text, ="00123" → 00123 (row 2)'],
    ["City", "'00123", "00123", "City: formula around a text, '00123 → 00123 (row 2)"],
    ["City", "1.2E9", undefined, "City: shortened number, 1.2E9 → empty (row 2)"],
    ["City", "4E12", "4E12", undefined],
    ["City", "JosÃ©", "José", "City: wrong letters, JosÃ© → José (row 2)"],
    ["City", "MarÃ\u00ada", "María", "City: wrong letters, MarÃ\u00ada → María (row 2)"],
    ["City", "voilÃ\u00a0", "voilà", "City: wrong letters, voilÃ\u00a0 → voilà (row 2)"],
    ["City", "dadâ€™s", "dad’s", "City: wrong letters, dadâ€™s → dad’s (row 2)"],
    ["City", "Barre\u200b", "Barre", "City: invisible characters, Barre (row 2)"],
    ["City", "Barre\u00a0Town", "Barre Town", undefined],
    ["City", "Barre\ufffdTown", "Barre\ufffdTown", "City: lost letters, Barre\ufffdTown (row 2)"],
  ])("%s %p is %p", async (heading, cell, city, note) => {
    const { patient, said } = await patientWith(heading, cell);
    expect([patient.city, said]).toEqual([city, note === undefined ? [] : [note]]);
  });

  test.each([
    ["Zip", "5641", "05641", "Zip: ZIP code that lost its zero, 5641 → 05641 (row 2)"],
    ["Zip", "5641.0", "05641", "Zip: ZIP code that lost its zero, 5641.0 → 05641 (row 2)"],
    [
      "Zip",
      "56411234",
      "05641-1234",
      "Zip: ZIP code that lost its zero, 56411234 → 05641-1234 (row 2)",
    ],
    ["Zip", "05641", "05641", undefined],
    ["Zip", "12345.0", "12345", "Zip: number with .0, 12345.0 → 12345 (row 2)"],
  ])("%s %p of Vermont is %p", async (heading, cell, postalCode, note) => {
    const { patient, said } = await patientWith(heading, cell);
    expect([patient.postalCode, said]).toEqual([postalCode, note === undefined ? [] : [note]]);
  });

  test("a ZIP code of another state is kept; Puerto Rico's lost two zeros", async () => {
    const rows =
      "First,Last,DOB,State,Zip\nA,B,1/2/2019,NM,8710\nC,D,1/3/2019,PR,901\nE,F,1/4/2019,Massachusetts,2134";
    const { changed } = await importOf(practice, [["clients.csv", rows]]);
    expect(changed.map(({ postalCode }) => postalCode)).toEqual(["8710", "00901", "02134"]);
  });

  test.each([
    ["Phone", "(505) 555-0112", "+15055550112", undefined],
    ["Phone", "1-505-555-0112", "+15055550112", undefined],
    [
      "Phone",
      "5055550112.0",
      "+15055550112",
      "Phone: number with .0, 5055550112.0 → 5055550112 (row 2)",
    ],
    ["Phone", "505‑555–0112", "+15055550112", undefined],
    ["Phone", "+44 20 7946 0958", "+44 20 7946 0958", undefined],
    ["Phone", "505-555-0112 ext. 4", "505-555-0112 ext. 4", undefined],
    ["Phone", "5.0556E+09", undefined, "Phone: shortened number, 5.0556E+09 → empty (row 2)"],
    ["Phone", "unknown", undefined, "Phone: stands for nothing, unknown → empty (row 2)"],
  ])("%s %p is %p", async (heading, cell, phoneNumber, note) => {
    const { patient, said } = await patientWith(heading, cell);
    expect([patient.phoneNumber, said]).toEqual([phoneNumber, note === undefined ? [] : [note]]);
  });

  test.each([
    ["x@x.com", undefined],
    ["none@none.com", undefined],
    ["na", undefined],
    ["ola‐roe@home.example", "ola-roe@home.example"],
  ])("an email %p is %p", async (cell, email) => {
    expect((await patientWith("Email", cell)).patient.email).toBe(email);
  });

  test.each([
    ["1/2/2019 0:00", "2019-01-02"],
    ["2019-01-02T00:00:00.000Z", "2019-01-02"],
    ["3/4/19", "2019-03-04"],
    ["0001-01-01", undefined],
    ["1/1/1900", undefined],
    ["1/0/1900", undefined],
    ["01/00/1900", undefined],
    ["12/30/1899", undefined],
    ["0000-00-00 00:00:00", undefined],
  ])("a birth date %p is %p", async (cell, birthDate) => {
    const text = `Chart,First,Last,DOB\n77,Ola,Roe,${cell}`;
    const { changed, mistakes } = await importOf(practice, [["clients.csv", text]]);
    expect([changed[0]?.birthDate, mistakes]).toEqual([birthDate, []]);
  });

  test("years of two digits are said", async () => {
    const { said } = await importOf(practice, [["clients.csv", "First,Last,DOB\nOla,Roe,3/4/19"]]);
    expect(said).toEqual([
      ["clients.csv", "DOB: years of two digits, 3/4/19 → 2019-03-04 (row 2)"],
    ]);
  });

  test("a name is kept: na, and a day that it may have been turned into", async () => {
    const { patient, said } = await patientWith("Suffix", "");
    expect([patient.lastName, said]).toEqual(["Roe", []]);
    const text = "First,Last,DOB,Chart\nNa,Mar-12,3/4/2018,2026-03-12\nLu?cia,Roe,3/4/2017,";
    const read = await importOf(practice, [["clients.csv", text]]);
    expect(read.changed.map(({ firstName, lastName }) => [firstName, lastName])).toEqual([
      ["Na", "Mar-12"],
      ["Lu?cia", "Roe"],
    ]);
    expect(read.said.map(([, note]) => note)).toEqual([
      "Last: may have been turned into a day, Mar-12 (row 2)",
      "Chart: may have been turned into a day, 2026-03-12 (row 2)",
      "First: lost letters, Lu?cia (row 3)",
    ]);
  });

  test("is otherwise where that is chosen at its note", async () => {
    const kept = {
      answers: {
        "city stands for nothing": "otherwise",
        "postalCode ZIP code that lost its zero": "otherwise",
      },
    };
    expect((await patientWith("City", "n/a", kept)).patient.city).toBe("n/a");
    expect((await patientWith("Zip", "5641", kept)).patient.postalCode).toBe("5641");
    const emptied = { answers: { "lastName may have been turned into a day": "otherwise" } };
    const text = "First,Last,DOB\nOla,12-Mar,3/4/2018";
    const { mistakes } = await importOf(practice, [["clients.csv", text]], emptied);
    expect(mistakes).toEqual(["Last, row 2: is empty"]);
  });
});

test("cells without a heading are left out, and said: a comma of an address moves all behind it", async () => {
  const text =
    "First,Last,DOB,Address,City\nOla,Roe,3/4/2018,1 Elm St, Apt 2,Bath\nPo,Lind,3/5/2018,2 Elm St,Bath";
  const { said } = await importOf(practice, [["clients.csv", text]]);
  expect(said).toEqual([["clients.csv", "Left out: cells without a heading (row 2)"]]);
});

describe("days of a sheet", () => {
  test("are all day first where one can be nothing else", async () => {
    const text = "First,Last,DOB\nOla,Roe,13/1/2019\nPo,Lind,3/4/2018";
    const { changed, said } = await importOf(practice, [["clients.csv", text]]);
    expect(changed.map(({ birthDate }) => birthDate)).toEqual(["2019-01-13", "2018-04-03"]);
    expect(said).toEqual([
      ["clients.csv", "DOB: day first: all days of this sheet are read so (row 2)"],
    ]);
  });

  test("are so behind the name of a week day, too", async () => {
    const text = 'First,Last,DOB\nOla,Roe,"Sun, 13/1/2019"\nPo,Lind,"Tue, 3/4/2018"';
    const { changed } = await importOf(practice, [["clients.csv", text]]);
    expect(changed.map(({ birthDate }) => birthDate)).toEqual(["2019-01-13", "2018-04-03"]);
  });

  test("are so where the heading says so", async () => {
    const text = "First,Last,DOB (DD/MM/YYYY)\nOla,Roe,2/1/2019";
    const { changed } = await importOf(practice, [["clients.csv", text]]);
    expect(changed.map(({ birthDate }) => birthDate)).toEqual(["2019-01-02"]);
  });

  test("of both kinds are a mistake", async () => {
    const text = "First,Last,DOB\nOla,Roe,13/1/2019\nPo,Lind,1/13/2018";
    const { mistakes } = await importOf(practice, [["clients.csv", text]]);
    expect(mistakes).toEqual([
      "DOB, row 2: has the day before the month: write the dates of the file as 2026-01-31 or 1/31/2026",
    ]);
  });

  test("that are none are a mistake", async () => {
    const text = "First,Last,DOB\nOla,Roe,2/30/2019\nPo,Lind,soon";
    const { mistakes } = await importOf(practice, [["clients.csv", text]]);
    expect(mistakes).toEqual([
      "DOB, row 2, 3: must be a date that exists, such as 2026-10-01 or 10/1/2026",
    ]);
  });
});

describe("a number", () => {
  const head = "Chart,CPT,Auth,Start,End,Units";
  const unitsOf = async (cell: string, delimiter = ",") => {
    const row = [
      "1",
      "97153",
      "A1",
      "1/1/2026",
      "6/30/2026",
      delimiter === "," ? `"${cell}"` : cell,
    ];
    const text = `${head.replaceAll(",", delimiter)}\n${row.join(delimiter)}`;
    const { changed, said, mistakes } = await importOf(practice, [["auths.csv", text]]);
    return [
      changed[0]?.authorizedUnitsQuantity,
      said.map(([, note]) => note).filter((note) => /comma/.test(note)),
      mistakes,
    ];
  };

  test.each([
    ["80", ",", 80, []],
    ["80.0", ",", 80, []],
    ["1,040", ",", 1040, []],
    ["1,234,567.5", ",", 1234567.5, []],
    ["7,5", ",", 7.5, ["Units: decimal comma, 7,5 → 7.5 (row 2)"]],
    ["1,040", ";", 1.04, ["Units: decimal comma, 1,040 → 1.040 (row 2)"]],
    ["80 units", ",", 80, []],
  ])("%p between %p is %d", async (cell, delimiter, units, notes) => {
    expect(await unitsOf(cell, delimiter)).toEqual([units, notes, []]);
  });

  test("with what may be a point between thousands is a mistake", async () => {
    const mistake = "Units, row 2: may have a point between thousands: write it without";
    expect(await unitsOf("1.040", ";")).toEqual([undefined, [], [mistake]]);
    expect(await unitsOf("1.040")).toEqual([1.04, [], []]);
  });

  test("that is none is a mistake", async () => {
    for (const none of ["many", "1E400", "1".repeat(400)])
      expect(await unitsOf(none)).toEqual([undefined, [], ["Units, row 2: must be a number"]]);
  });
});

test("a quotation mark that is never closed is a mistake at its row", async () => {
  const { mistakes } = await importOf(practice, [
    ["clients.csv", 'First,Last,DOB\nOla,"Roe,3/4/2018\nPo,Lind,3/4/2018'],
  ]);
  expect(mistakes).toContain(", row 2: A quotation mark is not closed");
});
