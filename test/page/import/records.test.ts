import { describe, expect, test } from "bun:test";
import type { TimeZone } from "../../../src/lib/time-zone.ts";
import type { CalendarDate } from "../../../src/lib/calendar-date.ts";
import { type Fields, linesIn } from "./expected.ts";
import { importOf, importOfSheets, practiceOf, type Said, sheetsIn } from "./sheets.ts";

const { askedBy } = await import("../../../src/page/app/lib/import/asked.ts");

/** The records that rows of an office become, and what is said of them. */

const ZONE = "America/New_York" as TimeZone;

const records = linesIn("..", "stored.ndjson");
const practice = practiceOf(records, ZONE);

function from(
  name: string,
  rows: readonly string[],
  chosen: object = {},
  of = practice,
): Promise<Said> {
  return importOf(of, [[name, rows.join("\n")]], chosen);
}

const notesOf = ({ said }: Said): string[] => said.map(([, note]) => note);
const only = ({ changed }: Said, type: string): Fields[] =>
  changed.filter((line) => line.type === type);
/** Some values of a record, in this order. */
const values =
  (...names: string[]) =>
  (line: Fields): unknown[] =>
    names.map((name) => line[name]);
const people = (said: Said, role: string): Fields[] =>
  only(said, "user").filter((line) => line.role === role);

describe("patients", () => {
  test("who are there change in the fields that the sheet has; empty cells leave what is stored", async () => {
    const rows = ["MRN,First,Last,DOB,City,Zip,Status", "C-1,Ida,Quist,1/2/2019,,05641,Discharged"];
    const said = await from("clients.csv", rows);
    expect(said.changed).toEqual([
      expect.objectContaining({ publicId: "usr_ida", city: "Barre", postalCode: "05641" }),
    ]);
    expect(notesOf(said)).toEqual(["1 empty cell was left as it is (row 2)"]);
    const emptied = await from("clients.csv", rows, { answers: { "empty cells": "otherwise" } });
    expect(emptied.lines[0]).toMatchObject({ publicId: "usr_ida", city: null });
    expect(notesOf(emptied)).toEqual(["1 empty cell empties what is stored (row 2)"]);
  });

  test("of one name and birth date are one, unless two record numbers say otherwise", async () => {
    const rows = ["Chart,Name,DOB,City", "77,Ola Roe,3/4/2018,Bath", "C-9,Ida Quist,1/2/2019,Bath"];
    const said = await from("clients.csv", rows);
    expect(said.changed.map(values("publicId", "internalRecordId"))).toEqual([
      ["usr_ola", "77"],
      [expect.stringMatching(/^usr_/), "C-9"],
    ]);
    expect(notesOf(said)).toEqual(["Name: same name as a patient who is there, Ida Quist (row 3)"]);
  });

  test("with a name that is there and no or another birth date are new, and said", async () => {
    const said = await from("clients.csv", ["Name,DOB", "Ola Roe,3/5/2018", "Ida Quist,"]);
    expect(people(said, "PATIENT").map(({ publicId }) => publicId)).not.toContain("usr_ola");
    expect(people(said, "PATIENT")).toHaveLength(2);
    expect(notesOf(said)).toEqual([
      "Name: same name as a patient who is there, Ola Roe (rows 2, 3)",
    ]);
  });

  test("in several rows are one: insurances add up, other cells must be equal or empty", async () => {
    const rows = [
      "Chart,Name,DOB,City,Insurance,Member ID",
      "5,Po Nez,5/6/2017,Bath,Fairwind Health,F1",
      "5,Po Nez,,,Sandia,S1",
      "5,Po Nez,,Barre,,",
    ];
    const said = await from("clients.csv", rows);
    const [patient] = people(said, "PATIENT");
    expect((patient?.payors as Fields[]).map(values("payorId", "priority", "memberId"))).toEqual([
      ["pay_1", "PRIMARY", "F1"],
      [only(said, "payor")[0]?.publicId, "SECONDARY", "S1"],
    ]);
    expect(said.mistakes).toEqual(["City, row 4: differs from row 2, which is the same record"]);
  });

  test("in several rows with one insurance have it as the first one", async () => {
    const row = "5,Po Nez,5/6/2017,Fairwind Health,F1";
    const said = await from("clients.csv", ["Chart,Name,DOB,Insurance,Member ID", row, row]);
    expect(people(said, "PATIENT")[0]?.payors).toEqual([
      expect.objectContaining({ memberId: "F1", priority: "PRIMARY" }),
    ]);
  });

  test("with two numbers of one payor have the last, which is said", async () => {
    const rows = ["Name,DOB,Insurance,Member ID", "Po Nez,5/6/2017,Medicaid,M1"];
    const said = await from("clients.csv", [...rows, "Po Nez,5/6/2017,Medicaid,M2"]);
    expect((people(said, "PATIENT")[0]?.payors as Fields[]).map(values("memberId"))).toEqual([
      ["M2"],
    ]);
    expect(notesOf(said)).toContain(
      "Member ID: two numbers with one payor: only the last is kept, M1 → M2 (row 2)",
    );
  });

  test("in several rows with two insurances each have them in one order, also when they come again", async () => {
    const rows = [
      "Chart,Name,DOB,Insurance,Member ID,Secondary Insurance,Secondary Member ID",
      "5,Po Nez,5/6/2017,Fairwind Health,F1,Sandia,S1",
      "5,Po Nez,,Medicaid,M1,,",
      "5,Po Nez,5/6/2017,Fairwind Health,F1,Sandia,S1",
    ];
    const said = await from("clients.csv", rows);
    const [patient] = people(said, "PATIENT");
    expect((patient?.payors as Fields[]).map(values("memberId", "priority"))).toEqual([
      ["F1", "PRIMARY"],
      ["S1", "SECONDARY"],
      ["M1", "TERTIARY"],
    ]);
    expect((await from("clients.csv", rows, {}, said.after)).changed).toEqual([]);
  });

  test("have the words of their office as statuses; one that is none is kept, and said", async () => {
    const words = [
      "yes",
      "On hold",
      "d/c",
      "Graduated",
      "Waitlist",
      "Intake",
      "Archived",
      "no",
      "Elsewhere",
    ];
    const rows = [
      "Name,DOB,Status",
      ...words.map((word, at) => `Ann No${"abcdefghi"[at]},1/${at + 1}/2018,${word}`),
    ];
    const said = await from("clients.csv", rows);
    expect(people(said, "PATIENT").map(({ userStatus }) => userStatus)).toEqual([
      ...[
        "ACTIVE",
        "SERVICES_PAUSED",
        "DISCHARGED",
        "DISCHARGED",
        "WAITLIST",
        "LEAD",
        "ARCHIVED",
        "INACTIVE",
      ],
      "Elsewhere",
    ]);
    expect(notesOf(said)).toEqual([
      "Status: is none of the known words, kept as it is, Elsewhere (row 10)",
    ]);
  });

  test("of whom nobody says the status are Active, and those of an empty cell are not", async () => {
    expect(
      people(await from("clients.csv", ["Name,DOB", "Po Nez,5/6/2017"]), "PATIENT")[0]?.userStatus,
    ).toBe("ACTIVE");
    expect(
      people(await from("clients.csv", ["Name,DOB,Status", "Po Nez,5/6/2017,"]), "PATIENT")[0]
        ?.userStatus,
    ).toBeUndefined();
  });

  test("have no ID of their sheet, but that of somebody who is there", async () => {
    const said = await from("clients.csv", [
      "ID,Name,DOB,City",
      "1001,Po Nez,5/6/2017,Bath",
      "usr_ida,Ida Quist,1/2/2019,Bath",
    ]);
    expect(people(said, "PATIENT").map(({ publicId }) => publicId)).toEqual([
      "usr_ida",
      expect.stringMatching(/^usr_\w{26}$/),
    ]);
    expect(notesOf(said)).toEqual(["ID: left out: is the ID of nobody who is there, 1001 (row 2)"]);
  });

  test("whose names have no letters are nobody's namesakes", async () => {
    const nameless = { firstName: "-", lastName: "?", birthDate: "2018-01-02" };
    const stored = { type: "user", publicId: "usr_x", role: "PATIENT", ...nameless };
    const rows = ["First,Last,DOB", ".,.,1/2/2018"];
    const said = await from("clients.csv", rows, {}, practiceOf([...records, stored], ZONE));
    expect(said.changed.map(values("lastName", "birthDate"))).toEqual([[".", "2018-01-02"]]);
    expect([said.changed[0]?.publicId === "usr_x", notesOf(said)]).toEqual([false, []]);
  });

  test("need a first and a last name; names of three words are split, and said", async () => {
    const said = await from("clients.csv", [
      "Name,DOB",
      "Cher,5/6/2017",
      ",5/6/2016",
      "Ana Maria Lopez,5/6/2015",
    ]);
    expect(said.mistakes).toEqual(["Name, row 2: first and last name", "Name, row 3: is empty"]);
    expect(notesOf(said)).toEqual([
      "Name: split by a guess, Ana Maria Lopez → Ana Maria | Lopez (row 4)",
    ]);
  });

  test("whose names have two columns have no name in one of them alone, such as the title of a group", async () => {
    const said = await from("clients.csv", [
      "First,Last,DOB,Name",
      "North Clinic,,,",
      "Po,Nez,5/6/2017,Maria Nez",
      'Al,Nez,5/6/2016,"Nez, Al"',
      "Total: 2 clients,,,",
      "Page 1 of 1,,,",
    ]);
    expect(said.mistakes).toEqual(["Last, row 2: is empty"]);
    expect(notesOf(said)).toEqual([
      "Left out: totals (rows 5, 6)",
      "Name: left out: another name stands in other columns, Maria Nez (row 3)",
    ]);
  });

  test("have clinicians by name; nobody of that name is a mistake", async () => {
    const rows = [
      "Name,DOB,BCBA",
      'Po Nez,5/6/2017,"Begaye, Tara, M.Ed., BCBA"',
      "Al Nez,5/6/2016,Tara Smith",
      "Cy Nez,5/6/2015,Tara Smith",
    ];
    const said = await from("clients.csv", rows);
    expect(people(said, "PATIENT")[0]?.primaryClinicianId).toBe("usr_tara");
    expect(said.mistakes).toEqual([
      "BCBA, row 3, 4: “Tara Smith” is nobody who is known: choose who it is",
    ]);
    const chosen = await from("clients.csv", rows, {
      words: { primaryClinicianId: { "Tara Smith": "usr_tara" } },
    });
    expect(chosen.mistakes).toEqual([]);
  });

  test("have locations, which are made where none has the name, and asked where one is like it", async () => {
    const said = await from("clients.csv", [
      "Name,DOB,Clinic",
      "Po Nez,5/6/2017,main clinic",
      "Al Nez,5/6/2016,North",
    ]);
    expect(only(said, "location").map(({ name }) => name)).toEqual(["North"]);
    expect(notesOf(said)).toEqual(["Clinic: new location “North” (row 3)"]);
    const several = await from("clients.csv", [
      "Name,DOB,Clinic",
      "Po Nez,5/6/2017,Main clinic; North",
      'Al Nez,5/6/2016,"North, Main clinic"',
      'Cy Nez,5/6/2015,"Bath, Maine"',
    ]);
    const [made, bath] = only(several, "location").map(({ publicId }) => publicId);
    expect(people(several, "PATIENT").map(({ locationIds }) => locationIds)).toEqual([
      ["loc_1", made],
      [made, "loc_1"],
      [bath],
    ]);
    const almost = await from("clients.csv", ["Name,DOB,Clinic", "Po Nez,5/6/2017,Main clinc"]);
    expect(almost.mistakes).toEqual([
      "Clinic, row 2: “Main clinc” is no location that is known, and is like “Main clinic”: choose what it is",
    ]);
  });
});

describe("guardians", () => {
  test("are one for all rows with the same email, else the same name and phone, in letters of every script", async () => {
    const rows = [
      "Name,DOB,Guardian,Guardian Phone,Guardian Email",
      "Po Nez,5/6/2017,Maria Nez,,maria@nez.example",
      "Al Nez,5/6/2016,Maria Nez,505-555-0177,Maria@nez.example",
      "Cy Wei,5/6/2015,王 伟,505-555-0188,",
      "Di Wei,5/6/2014,李 娜,505-555-0188,",
      "Ed Wei,5/6/2013,王 伟,505-555-0188,",
      "Fa Roe,5/6/2012,Sam Roe,,",
      "Gi Roe,5/6/2011,Sam Roe,,",
    ];
    const said = await from("clients.csv", rows);
    expect(people(said, "CAREGIVER").map(values("firstName", "lastName", "phoneNumber"))).toEqual([
      ["Maria", "Nez", "+15055550177"],
      ["王", "伟", "+15055550188"],
      ["李", "娜", "+15055550188"],
      ["Sam", "Roe", undefined],
      ["Sam", "Roe", undefined],
    ]);
  });

  test("who are there are found; one word is a first name; a second one is left out", async () => {
    const rows = [
      "Chart,Name,DOB,Mother,Mother Phone,Parent 2",
      "C-1,Ida Quist,1/2/2019,Ana Quist,(505) 555-0101,Ben Quist",
      "9,Po Nez,5/6/2017,Maria,,",
      "10,Al Nez,5/6/2016,Maria & Juan Nez,,",
    ];
    const said = await from("clients.csv", rows);
    expect(said.lines.find(({ publicId }) => publicId === "usr_ida")?.caregiverId).toBe("usr_care");
    expect(people(said, "CAREGIVER").map(values("firstName", "lastName"))).toEqual([
      ["Maria", "Nez"],
      ["Maria & Juan", "Nez"],
    ]);
    expect(notesOf(said)).toEqual([
      "Parent 2: left out: a second guardian",
      "Mother: split by a guess, Maria & Juan Nez → Maria & Juan | Nez (row 4)",
    ]);
  });

  test("have the columns of one person: what is said of others is left out", async () => {
    const said = await from("clients.csv", [
      "Name,DOB,Emergency Contact,Emergency Contact Phone,Mother,Parent Phone,Father,Father Cell,Father Email",
      "Po Nez,5/6/2017,Al Roe,505-555-0101,Maria Nez,,Ben Nez,505-555-0102,ben@nez.example",
      "Cy Nez,5/6/2016,,,Maria Nez,505-555-0103,,,",
    ]);
    expect(people(said, "CAREGIVER").map(values("firstName", "phoneNumber", "email"))).toEqual([
      ["Maria", undefined, undefined],
      ["Maria", "+15055550103", undefined],
    ]);
    expect(notesOf(said)).toEqual([
      "Emergency Contact: left out: a second guardian",
      "Emergency Contact Phone: left out: a second guardian",
      "Father: left out: a second guardian",
      "Father Cell: left out: a second guardian",
      "Father Email: left out: a second guardian",
    ]);
    const parents = await from("clients.csv", [
      "Name,DOB,Mother Name,Parent Mobile,Father Name,Father Cell,Guardian Name",
      "Po Nez,5/6/2017,Maria Nez,505-555-0101,Ben Nez,505-555-0102,Al Roe",
    ]);
    expect(people(parents, "CAREGIVER").map(values("firstName", "phoneNumber"))).toEqual([
      ["Al", "+15055550101"],
    ]);
  });

  test("and patients have the first phone of a row; another one is left out, and said", async () => {
    const said = await from("clients.csv", [
      "Name,DOB,Cell,Home phone",
      "Po Nez,5/6/2017,505-555-0101,505-555-0102",
      "Al Nez,5/6/2016,,505-555-0103",
      "Cy Nez,5/6/2015,505-555-0104,(505) 555-0104",
    ]);
    expect(people(said, "PATIENT").map(({ phoneNumber }) => phoneNumber)).toEqual([
      "+15055550101",
      "+15055550103",
      "+15055550104",
    ]);
    expect(notesOf(said)).toEqual([
      "Home phone: left out: the row has another one, +15055550102 (row 2)",
    ]);
  });
});

describe("insurance", () => {
  const head = "Chart,Name,DOB,City,Insurance,Member ID,Subscriber,Subscriber DOB,Relationship";

  test("of the patient as the holder, of a parent, and of one whose relationship nobody says", async () => {
    const rows = [
      head,
      "5,Po Nez,5/6/2017,Bath,Fairwind Health,F1,,,",
      "6,Al Nez,5/6/2016,Bath,Fairwind Health,F2,Maria Nez,3/4/1985,Child",
      "7,Cy Nez,5/6/2015,Bath,Fairwind Health,F3,Maria Nez,3/4/1985,",
      '8,Di Nez,5/6/2014,Bath,Fairwind Health,F4,"Nez, Di",,Self',
      "9,Ed Nez,5/6/2013,Bath,Fairwind Health,F5,Rosa Nez,3/4/1955,Guardian",
    ];
    const said = await from("clients.csv", rows);
    const year = new Date().getUTCFullYear();
    const entries = people(said, "PATIENT").map(({ payors }) => (payors as Fields[])[0]);
    expect(entries[0]).toEqual({
      ...{ payorId: "pay_1", priority: "PRIMARY", memberId: "F1", groupId: null },
      ...{ relationshipToPatient: "SELF", planHolder: "Po Nez", insuredBirthDate: "2017-05-06" },
      ...{ insuredAddress: { city: "Bath" }, effectiveStartDate: `${year}-01-01` },
    });
    expect(
      entries.map((entry) => [
        entry?.relationshipToPatient,
        entry?.planHolder,
        entry?.insuredBirthDate,
      ]),
    ).toEqual([
      ["SELF", "Po Nez", "2017-05-06"],
      ["PARENT", "Maria Nez", "1985-03-04"],
      ["PARENT", "Maria Nez", "1985-03-04"],
      ["SELF", "Di Nez", "2014-05-06"],
      ["GUARDIAN", "Rosa Nez", "1955-03-04"],
    ]);
    expect(notesOf(said)).toEqual([
      "Insurance: the patient is taken as the holder (rows 2, 5)",
      "Subscriber: the holder is taken as a parent, Maria Nez (row 4)",
    ]);
  });

  test("has a holder whose name is in two columns", async () => {
    const said = await from("patients.csv", [
      "first_name,last_name,dob,insurance,insurance_first_name,insurance_last_name,insurance_dob,insurance_member_id",
      "Po,Nez,20170506,Fairwind Health,Maria,Nez,19800102,F1",
    ]);
    const [patient] = people(said, "PATIENT");
    expect(
      (patient?.payors as Fields[]).map(values("planHolder", "insuredBirthDate", "memberId")),
    ).toEqual([["Maria Nez", "1980-01-02", "F1"]]);
  });

  test("that lacks what it requires is left out, and the patient comes in", async () => {
    const rows = [
      head,
      "5,Po Nez,5/6/2017,Bath,Fairwind Health,,,,",
      "6,Al Nez,5/6/2016,Bath,Fairwind Health,F2,Maria Nez,,",
      "7,Cy Nez,,Bath,,F3,,,",
      "8,Di Nez,5/6/2014,Bath,,,Maria Nez,1/2/1980,Child",
      "9,Ed Nez,5/6/2013,Bath,Fairwind Health,F4,,1/2/1980,Child",
    ];
    const said = await from("clients.csv", rows);
    expect(people(said, "PATIENT").map(({ payors }) => payors)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      [expect.objectContaining({ relationshipToPatient: "SELF", insuredBirthDate: "2013-05-06" })],
    ]);
    expect(notesOf(said).filter((note) => /left out/.test(note))).toEqual([
      "Insurance: insurance left out: member number is missing (row 2)",
      "Insurance: insurance left out: birth date of the holder is missing (row 3)",
      "Insurance: insurance left out: payor and birth date of the patient are missing (row 4)",
      "Insurance: insurance left out: payor and member number are missing (row 5)",
      "Relationship: left out: the row names no other holder, Child (row 6)",
      "Subscriber DOB: left out: the row names no other holder, 1/2/1980 (row 6)",
    ]);
  });

  test("whose first day is an empty cell is left out, unless it is stored: no day is made up", async () => {
    const said = await from("clients.csv", [
      "Chart,Name,DOB,Insurance,Member ID,Effective Date",
      "5,Po Nez,5/6/2017,Fairwind Health,F1,",
      "6,Al Nez,5/6/2016,Fairwind Health,F2,4/1/2026",
      "C-1,Ida Quist,1/2/2019,Fairwind Health,M2,",
    ]);
    const stored = ((records[12] as Fields).payors as Fields[])[0]?.effectiveStartDate;
    const days = people(said, "PATIENT").map(
      ({ payors = [] }) => (payors as Fields[])[0]?.effectiveStartDate,
    );
    expect(days).toEqual([stored, undefined, "2026-04-01"]);
    expect(notesOf(said)).toContain(
      "Insurance: insurance left out: the first day is missing (row 2)",
    );
  });

  test("replaces the stored one with the same payor, which keeps what the sheet does not say, else of the same priority", async () => {
    const same = await from("clients.csv", [
      "Chart,Name,Insurance,Member ID",
      "C-1,Ida Quist,Fairwind Health,M2",
    ]);
    expect(people(same, "PATIENT")[0]?.payors).toEqual([
      { ...((records[12] as Fields).payors as Fields[])[0], memberId: "M2" },
    ]);
    const other = await from("clients.csv", [
      "Chart,Name,DOB,Insurance,Member ID,Secondary Insurance,Secondary Member ID",
      "C-1,Ida Quist,1/2/2019,Sandia,S1,Fairwind Health,M1",
    ]);
    const [patient] = people(other, "PATIENT");
    expect((patient?.payors as Fields[]).map(values("priority", "memberId"))).toEqual([
      ["SECONDARY", "M1"],
      ["PRIMARY", "S1"],
    ]);
    expect((patient?.payors as Fields[])[0]).toMatchObject({
      planHolder: "Ana Quist",
      groupId: "G1",
    });
  });

  test("a payor like one that is there is asked", async () => {
    const said = await from("clients.csv", [head, "5,Po Nez,5/6/2017,Bath,Fairwind Helth,F1,,,"]);
    expect(said.mistakes).toEqual([
      "Insurance, row 2: “Fairwind Helth” is no payor that is known, and is like “Fairwind Health”: choose what it is",
    ]);
    const chosen = await from(
      "clients.csv",
      [head, "5,Po Nez,5/6/2017,Bath,Fairwind Helth,F1,,,"],
      { words: { "insurance.payor": { "Fairwind Helth": "+" } } },
    );
    expect([chosen.mistakes, only(chosen, "payor").map(({ name }) => name)]).toEqual([
      [],
      ["Fairwind Helth"],
    ]);
  });
});

test("an appointment of nobody has this mistake alone", async () => {
  const rows = [
    "Date,Start,End,Client,Staff,Service",
    "7/6/2026,9:00,10:00,Po Nobody,Bo Lind,97153",
  ];
  const said = await from("x.csv", rows);
  expect(said.mistakes).toEqual([
    "Client, row 2: “Po Nobody” is nobody who is known: choose who it is",
  ]);
  expect(said.lines).toEqual([]);
});

test("an appointment of nobody, in a sheet without providers, asks for a column of them", async () => {
  const rows = ["Subject,Date,Start,End", "Team meeting,7/6/2026,9:00,10:00"];
  expect((await from("calendar.csv", rows)).mistakes).toEqual([
    "Provider, row 2: has no column: choose one",
  ]);
});

test("an insurance that is left out makes no payor", async () => {
  const said = await from("clients.csv", ["Name,DOB,Insurance", "Po Nez,5/6/2017,Medicaid"]);
  expect(only(said, "payor")).toEqual([]);
});

describe("staff", () => {
  test("have roles by the office's words; nobody becomes an administrator unseen", async () => {
    const words = [
      "RBT",
      "Behavior Technician",
      "BCBA-D",
      "Behavior Analyst",
      "Clinical Director",
      "Office Manager",
      "Biller",
      "Front desk",
      "HR",
    ];
    const rows = ["Name,Position", ...words.map((word, at) => `Ann No${"abcdefghi"[at]},${word}`)];
    const said = await from("staff.csv", rows);
    expect(only(said, "user").map(({ role }) => role)).toEqual([
      ...["TECHNICIAN", "TECHNICIAN", "CLINICIAN", "CLINICIAN", "CLINICAL_ADMIN", "ADMIN"],
      ...["BILLING_MANAGER", "SCHEDULING_MANAGER", "PAYROLL_ADMIN"],
    ]);
    expect(notesOf(said)).toEqual(["Position: becomes an administrator, Ann Nof (row 7)"]);
    const unknown = await from("staff.csv", ["Name,Position", "Po Nez,Wizard", "Al Nez,RBT"]);
    expect(unknown.mistakes).toEqual([
      "Position, row 2: “Wizard” is none of the known words: choose what it means",
    ]);
  });

  test("have roles by their certificates, else by the file's name, else it is asked", async () => {
    const byCertificate = await from("people.csv", [
      "Name,Credential,Credential #,Cert exp",
      "Po Nez,RBT,R1,3/1/2027",
      "Al Nez,LBA,L1,3/1/2027",
    ]);
    expect(only(byCertificate, "user").map(({ role }) => role)).toEqual([
      "TECHNICIAN",
      "CLINICIAN",
    ]);
    expect(only(await from("Our RBTs.csv", ["Name,NPI", "Po Nez,1"]), "user")[0]?.role).toBe(
      "TECHNICIAN",
    );
    const asked = await from("people.csv", ["Name,NPI", "Po Nez,1"]);
    expect([asked.mistakes, asked.lines]).toEqual([
      ["Role, row 2: nothing says what this person is"],
      [],
    ]);
  });

  test("have degrees beside their role or credential", async () => {
    const said = await from("staff.csv", [
      "Name,Email,Credentials,Cert number,Cert exp",
      'Po Nez,po@x.example,"M.A., BCBA",C1,3/8/2027',
      'Al Nez,al@x.example,"BCBA, LBA",C2,3/8/2027',
      "Cy Nez,cy@x.example,Registered Behavior Technician (RBT),C3,3/8/2027",
      'Di Nez,di@x.example,"RBT, BCBA",C4,3/8/2027',
    ]);
    const certificates = only(said, "user").map(({ role, credentials }) => [
      role,
      (credentials as Fields[])[0]?.credentialType,
    ]);
    expect(certificates).toEqual([
      ["CLINICIAN", "BCBA"],
      ["CLINICIAN", "BCBA, LBA"],
      ["TECHNICIAN", "Registered Behavior Technician (RBT)"],
    ]);
    expect(notesOf(said)).toEqual(["Credentials: degrees left out, M.A., BCBA → BCBA (row 2)"]);
    expect(said.mistakes).toEqual(["Role, row 5: nothing says what this person is"]);
  });

  test("have certificates of which an empty cell is not filled with what is proposed for all rows", async () => {
    const said = await from("staff.csv", [
      "Name,Email,Role,Cert number,Credential,Cert exp,License state",
      "Po Nez,po@x.example,RBT,R1,,3/8/2027,NM",
      "Al Nez,al@x.example,RBT,R2,RBT,3/9/2027,",
    ]);
    const certificates = only(said, "user").map(({ credentials = [] }) => credentials as Fields[]);
    expect(certificates).toEqual([[], [expect.objectContaining({ practiceArea: "" })]]);
    expect(notesOf(said)).toContain(
      "Cert number: certificate left out: the credential is missing (row 2)",
    );
  });

  test("are found by email, else by name among those of their kind; the administrator stays one", async () => {
    const rows = [
      "Name,Role,Email,Cell",
      "Bo Lindt,RBT,bo@office.example,505-555-0111",
      "Tara Begaye,BCBA,,505-555-0112",
      "Opal Quimby,BCBA,opal@office.example,505-555-0113",
      "Bo Lind,BCBA,,505-555-0114",
    ];
    const said = await from("staff.csv", rows);
    expect(only(said, "user").map(values("publicId", "role", "lastName"))).toEqual([
      ["usr_adm", "ADMIN", "Quimby"],
      ["usr_bo", "TECHNICIAN", "Lindt"],
      ["usr_tara", "CLINICIAN", "Begaye"],
      [expect.any(String), "CLINICIAN", "Lind"],
    ]);
    expect(notesOf(said)).toEqual([
      "1 empty cell was left as it is (row 3)",
      "Role: stays an administrator, Opal Quimby (row 4)",
    ]);
  });

  test("have certificates, of one for each row, until the last instant of the day", async () => {
    const rows = [
      "Name,Email,Role,Cert number,Cert exp",
      "Po Nez,po@x.example,RBT,R1,3/8/2026",
      "Po Nez,po@x.example,RBT,R2,3/9/2027",
      "Al Nez,al@x.example,RBT,R3,",
      "Cy Nez,cy@x.example,Front desk,R4,3/1/2027",
      "Di Nez,di@x.example,Therapist,R5,3/1/2027",
      "Ed Nez,ed@x.example,RBT,,3/1/2027",
      "Fa Nez,fa@x.example,Chief,R6,3/1/2027",
    ];
    const said = await from("staff.csv", rows);
    const [po] = only(said, "user");
    expect(po?.credentials).toEqual([
      {
        practiceArea: "ABA",
        credentialStatus: "ACTIVE",
        credentialNumber: "R1",
        credentialType: "RBT",
        expiresAt: "2026-03-09T03:59:59.999Z",
      },
      {
        practiceArea: "ABA",
        credentialStatus: "ACTIVE",
        credentialNumber: "R2",
        credentialType: "RBT",
        expiresAt: "2027-03-10T04:59:59.999Z",
      },
    ]);
    expect(notesOf(said)).toEqual([
      "Cert number: certificate left out: the day of expiry is missing (row 4)",
      "Cert number: certificate left out: only technicians and clinicians have one (row 5)",
      "Cert number: certificate left out: the credential is missing (row 6)",
      "Cert number: certificate left out: the number is missing (row 7)",
    ]);
    expect(said.mistakes).toEqual([
      "Role, row 8: “Chief” is none of the known words: choose what it means",
    ]);
  });

  test("whose role's word is left empty are a mistake, unless they are there", async () => {
    const rows = ["Name,Role", "Bo Lind,Wizard", "Al Nez,Wizard"];
    const said = await from("staff.csv", rows, { words: { role: { Wizard: "-" } } });
    expect(said.mistakes).toEqual(["Role, row 3: is empty"]);
    expect(said.changed).toEqual([]);
  });
});

describe("authorizations", () => {
  const head = "Client,CPT,Auth #,Start,End,Units,Per";

  test("have services by code, code with words or modifiers, and name", async () => {
    const words = [
      "97153",
      "97153 - Direct",
      "97153-HM",
      "97153 HM",
      "therapy",
      "90791",
      "97156",
      "Direct (90791)",
      "97153hm",
      "Music",
      "97153 or 97155",
    ];
    const rows = [
      head,
      ...words.map((word, at) => `Ida Quist,${word},N${at},7/1/2026,12/31/2026,8,week`),
    ];
    const said = await from("auths.csv", rows);
    const made = only(said, "serviceLine");
    expect(made).toEqual([
      {
        type: "serviceLine",
        publicId: expect.any(String),
        name: "97156",
        code: "97156",
        billingUnitMinutes: 15,
      } as never,
    ]);
    expect(only(said, "authorization").map(({ serviceLineId }) => serviceLineId)).toEqual([
      ...["svc_1", "svc_1", "svc_hm", "svc_hm", "svc_1", "svc_visit", made[0]?.publicId],
      ...["svc_visit", "svc_hm", undefined, undefined],
    ]);
    expect(said.mistakes).toEqual([
      "CPT, row 11: “Music” is no service that is known: choose what it is",
      "CPT, row 12: “97153 or 97155” is no service that is known: choose what it is",
    ]);
  });

  test("have a new service for each code, however like their words are", async () => {
    const none = practice.lines.filter(({ type }) => type !== "serviceLine");
    const rows = [head, "Ida Quist,97153 - Direct,N1,7/1/2026,12/31/2026,8,week"];
    const other = "Ida Quist,97155 - Direct,N2,7/1/2026,12/31/2026,8,week";
    const said = await from("auths.csv", [...rows, other], {}, practiceOf(none, ZONE));
    expect(only(said, "serviceLine").map(values("name", "code"))).toEqual([
      ["97153 - Direct", "97153"],
      ["97155 - Direct", "97155"],
    ]);
    expect(said.mistakes).toEqual([]);
  });

  test("have one of several services of a code only where it is chosen: no other one is made", async () => {
    const two = practice.lines.map((line) =>
      line.publicId === "svc_1" ? { ...line, modifiers: ["HN"] } : line,
    );
    const rows = [head, "Ida Quist,97153,N1,7/1/2026,12/31/2026,8,week"];
    const said = await from("auths.csv", rows, {}, practiceOf(two, ZONE));
    expect(said.mistakes).toEqual([
      "CPT, row 2: “97153” is no service that is known: choose what it is",
    ]);
  });

  test("of hours are turned into units, which a service by visit refuses; the heading may say how often", async () => {
    const rows = [
      "Client,CPT,Auth #,Start,End,Hours per week",
      "Ida Quist,97153,N1,7/1/2026,12/31/2026,7.5",
      "Ida Quist,90791,N2,7/1/2026,12/31/2026,2",
    ];
    const said = await from("auths.csv", rows);
    expect(only(said, "authorization")[0]).toMatchObject({
      authorizedUnitsQuantity: 30,
      authorizedUnitFrequency: "WEEKLY",
    });
    expect(notesOf(said)).toContain(
      "Hours per week: hours are turned into units, 7.5 → 30 (row 2)",
    );
    expect(said.mistakes).toEqual([
      "Hours per week, row 3: are hours, and the service is by visit",
    ]);
    const inUnits = await from("auths.csv", [
      "Client,CPT,Auth #,Start,End,Units",
      "Ida Quist,97155,N3,7/1/2026,12/31/2026,10 hours",
      "Ida Quist,97155,N4,7/1/2026,12/31/2026,480 minutes",
    ]);
    expect(only(inUnits, "authorization")[0]).toMatchObject({ authorizedUnitsQuantity: 40 });
    expect(inUnits.mistakes).toEqual(["Units, row 3: must be a number"]);
  });

  test("have the patient's first insurance on that day, AUTHORIZED, and the whole term, where no column says it", async () => {
    const rows = [
      "Client,CPT,Auth #,Start,End,Units",
      "Ida Quist,97153,N1,7/1/2026,12/31/2026,80",
      "Ola Roe,97153,N2,7/1/2026,12/31/2026,80",
      "Ida Quist,97153,N3,7/1/2023,12/31/2023,80",
    ];
    const said = await from("auths.csv", rows);
    expect(
      only(said, "authorization").map(
        values("payorId", "authorizationStatus", "authorizedUnitFrequency"),
      ),
    ).toEqual([
      ["pay_1", "AUTHORIZED", "TOTAL"],
      [undefined, "AUTHORIZED", "TOTAL"],
      [undefined, "AUTHORIZED", "TOTAL"],
    ]);
    expect(notesOf(said)).toEqual([
      "Client: no payor: the patient has no insurance on that day, Ola Roe (rows 3, 4)",
    ]);
  });

  test("and appointments have people whose names are in two columns each", async () => {
    const said = await from("auths.csv", [
      "Client First Name,Client Last Name,CPT,Auth #,Start,End,Units",
      "Ida,Quist,97153,N1,7/1/2026,12/31/2026,80",
      "Po,Nobody,97153,N2,7/1/2026,12/31/2026,80",
      ",,97153,N3,7/1/2026,12/31/2026,80",
    ]);
    expect(only(said, "authorization")[0]?.patientId).toBe("usr_ida");
    expect(said.mistakes).toEqual([
      "Patient, row 3: “Po Nobody” is nobody who is known: choose who it is",
      "Patient, row 4: is empty",
    ]);
    const sessions = await from("billing.csv", [
      "DateOfService,TimeFrom,TimeTo,ClientFirstName,ClientLastName,ProviderFirstName,ProviderLastName,ProcedureCode",
      "3/5/2026,9:00 AM,11:00 AM,Ida,Quist,Bo,Lind,97153: Direct",
    ]);
    expect(only(sessions, "session").map(values("clientId", "technicianId", "services"))).toEqual([
      ["usr_ida", "usr_bo", "svc_1"],
    ]);
  });

  test("that are there are found by number, client and service; terms that do not overlap are two", async () => {
    const rows = [
      head,
      "Ida Quist,97153,a-1,1/1/2026,7/31/2026,80,week",
      "Ida Quist,97153,A-1,8/1/2026,12/31/2026,80,week",
      "Ida Quist,97155,A-1,1/1/2026,6/30/2026,4,month",
    ];
    const said = await from("auths.csv", rows);
    expect(
      only(said, "authorization").map(({ publicId, authorizationExpirationDate }) => [
        publicId === "auth_1",
        authorizationExpirationDate,
      ]),
    ).toEqual([
      [true, "2026-07-31"],
      [false, "2026-12-31"],
      [false, "2026-06-30"],
    ]);
  });

  test("by record number, or a name of nobody, of two people; a last day before the first; empty cells", async () => {
    const rows = [
      "Client,Chart,CPT,Auth #,Start,End,Units",
      "Quist,C-1,97153,N1,7/1/2026,6/1/2026,80",
      "Ola Roe,C-1,97153,N2,7/1/2026,12/31/2026,80",
      "Po Nobody,,97153,N3,7/1/2026,12/31/2026,80",
      "Ida Quist,C-1,97153,,7/1/2026,12/31/2026,",
    ];
    const said = await from("auths.csv", rows);
    expect(said.mistakes).toEqual([
      "Client, row 3: name and record number are of two people: “C-1” is Ida Quist",
      "Client, row 4: “Po Nobody” is nobody who is known: choose who it is",
      "End, row 2: is before the first day",
      "Auth #, row 5: is empty",
      "Units, row 5: is empty",
    ]);
  });

  test("of one number, patient and service are those of the same first day; other last days of one are a mistake", async () => {
    const [auth] = practice.lines.filter(({ type }) => type === "authorization");
    const later = { ...auth, publicId: "auth_2", authorizationDate: "2026-02-01" } as never;
    const two = practiceOf([...practice.lines, later], ZONE);
    const rows = [head, "Ida Quist,97153,A-1,2/1/2026,6/30/2026,90,week"];
    const said = await from("auths.csv", rows, {}, two);
    expect(said.changed.map(values("publicId", "authorizedUnitsQuantity"))).toEqual([
      ["auth_2", 90],
    ]);
    const again = await from("auths.csv", [...rows, "Ida Quist,97153,A-1,2/1/2026,7/31/2026,90,"]);
    expect(again.mistakes).toEqual(["End, row 3: differs from row 2, which is the same record"]);
  });
});

describe("appointments", () => {
  const head = "Date,Start,End,Client,Staff,Service,Status";

  test("take place at times of the practice, in one cell or several", async () => {
    const times = [
      ["Date,Start,End", "7/6/2026,9:00 AM,11:00"],
      ["Start,End", "7/6/2026 9:00 AM,7/6/2026 11:00 AM"],
      ["Start,End", "2026-07-06 09:00,11:00"],
      ["Appointment Date,Duration", "7/6/2026 9:00 AM,120"],
      ["Date,Start,End", "2026-07-06 09:00,09:00:00,11:00:00"],
      ["Start Date,Start Time,End Date,End Time", "7/6/2026,9:00 AM,7/6/2026,11:00 AM"],
      ["Date,Time", "7/6/2026,9:00 AM - 11:00 AM"],
      ["Date,Time", "7/6/2026,9:00 AM\u201111:00 AM"],
      ["Date,Time", "7/6/2026,9 - 11 AM"],
      ["Date,Start,Duration", "7/6/2026,9:00 AM,120"],
      ["Date,Start,Length", "7/6/2026,9:00 AM,2:00"],
      ["Date,Start,Hours", "7/6/2026,9:00 AM,2"],
      ["Date,Start,Minutes", "7/6/2026,9:00 AM,120"],
      ["Date,Start,Duration", "7/6/2026,9:00 AM,1 hr 60 min"],
    ];
    for (const [columns, cells] of times) {
      const rows = [`${columns},Client,Staff,Service`, `${cells},Ida Quist,Bo Lind,97153`];
      const said = await from("x.csv", rows);
      const slots = only(said, "session").map(values("startTime", "endTime"));
      expect([cells, said.mistakes, slots]).toEqual([
        ...[cells, []],
        [["2026-07-06T13:00:00.000Z", "2026-07-06T15:00:00.000Z"]],
      ]);
    }
  });

  test("of two times and one half of the day are as short as can be", async () => {
    const rows = [
      "Date,Time,Client,Staff,Service",
      "7/6/2026,11:30 - 1:00 PM,Ida Quist,Bo Lind,97153",
      "7/7/2026,10 to 12 pm,Ida Quist,Bo Lind,97153",
      "7/8/2026,12:30 – 2 PM,Ida Quist,Bo Lind,97153",
      "7/9/2026,11-1 am,Ida Quist,Bo Lind,97153",
      "7/10/2026,2:00 PM - 3:00,Ida Quist,Bo Lind,97153",
      "7/11/2026,9 AM - 1,Ida Quist,Bo Lind,97153",
      "7/12/2026,9:00 - 9:00 PM,Ida Quist,Bo Lind,97153",
    ];
    const said = await from("x.csv", rows);
    expect(only(said, "session").map(values("startTime", "endTime"))).toEqual([
      ["2026-07-06T15:30:00.000Z", "2026-07-06T17:00:00.000Z"],
      ["2026-07-07T14:00:00.000Z", "2026-07-07T16:00:00.000Z"],
      ["2026-07-08T16:30:00.000Z", "2026-07-08T18:00:00.000Z"],
      ["2026-07-10T03:00:00.000Z", "2026-07-10T05:00:00.000Z"],
      ["2026-07-10T18:00:00.000Z", "2026-07-10T19:00:00.000Z"],
      ["2026-07-11T13:00:00.000Z", "2026-07-11T17:00:00.000Z"],
      ["2026-07-12T13:00:00.000Z", "2026-07-13T01:00:00.000Z"],
    ]);
    expect(notesOf(said)).toEqual(["Time: ends on the next day, 1 am (row 5)"]);
  });

  test("without a client are the stored ones when they come again, also those of a clinician, who is left out", async () => {
    const rows = [
      head,
      "7/6/2026,9:00,10:00,,Tara Begaye,Team meeting,Kept",
      "7/6/2026,9:00,10:00,,Bo Lind,Team meeting,Kept",
      "7/7/2026,9:00,10:00,,Tara Begaye,Team meeting,Kept",
    ];
    const said = await from("x.csv", rows);
    expect(only(said, "session")).toHaveLength(3);
    expect((await from("x.csv", rows, {}, said.after)).changed).toEqual([]);
  });

  test("without an authorization come again as they are stored, with units that are left out again", async () => {
    const rows = [`${head},Units`, "7/6/2026,9:00,10:00,Ola Roe,Bo Lind,97153,Kept,4"];
    const { after } = await from("x.csv", rows);
    // As a server has them: what is empty is null.
    const lines = after.lines.map((line) =>
      line.type === "session" ? { authorizationId: null, ...line } : line,
    );
    const again = await from("x.csv", rows, {}, { ...after, lines });
    expect(again.lines.filter(({ type }) => type === "encounter")).toEqual([]);
    expect(notesOf(again)).toContain("Units: units left out: there is no authorization, 4 (row 2)");
  });

  test("end on the next day where that makes less than 14 hours; a clock change leaves out or repeats times", async () => {
    const rows = [
      head,
      "7/6/2026,10:00 PM,1:00 AM,Ida Quist,Bo Lind,97153,Kept",
      "7/7/2026,10:00 AM,1:00 AM,Ida Quist,Bo Lind,97153,Kept",
      "3/8/2026,2:30 AM,4:00 AM,Ida Quist,Bo Lind,97153,Kept",
      "11/1/2026,1:30 AM,4:00 AM,Ida Quist,Bo Lind,97153,Kept",
    ];
    const said = await from("x.csv", rows);
    expect(only(said, "session").map(({ endTime }) => endTime)).toEqual([
      "2026-07-07T05:00:00.000Z",
    ]);
    expect(notesOf(said)).toContain("End: ends on the next day, 1:00 AM (row 2)");
    expect(said.mistakes).toEqual([
      "End, row 3: is before the start",
      expect.stringContaining("Start, row 4: does not exist in America/New_York"),
      expect.stringContaining("Start, row 5: occurs twice in America/New_York"),
    ]);
  });

  test("have statuses and places by the office's words", async () => {
    const statuses = [
      "Completed",
      "Show",
      "Verified",
      "Scheduled",
      "Pending",
      "Cancelled by client",
      "Late Cancel",
      "Client Cancelled",
      "Same-day cancellation",
      "Requested to cancel",
      "No Show",
      "DNS",
    ];
    const rows = [
      head,
      ...statuses.map((word, at) => `7/${at + 1}/2026,9:00,10:00,Ida Quist,Bo Lind,97153,${word}`),
    ];
    expect(only(await from("x.csv", rows), "session").map(({ status }) => status)).toEqual([
      ...["CONFIRMED", "CONFIRMED", "CONFIRMED", "CONFIRMED", "UNCONFIRMED"],
      ...["DECLINED", "DECLINED", "DECLINED", "DECLINED", "REQUESTED_TO_CANCEL"],
      ...["PATIENT_NO_SHOW", "PATIENT_NO_SHOW"],
    ]);
    const places = [
      "Clinic",
      "12",
      "School",
      "Daycare",
      "Telehealth",
      "02",
      "Main clinic",
      "In-Clinic",
      "11 - Office",
      "Home (12)",
      "02 - Telehealth",
      "10: Telehealth Provided in Patient's Home",
      "North",
      "11 Main Street",
      "11 - Home",
    ];
    const located = await from("x.csv", [
      "Date,Start,End,Client,Staff,Service,Location",
      ...places.map((word, at) => `7/${at + 1}/2026,9:00,10:00,Ida Quist,Bo Lind,97153,${word}`),
    ]);
    const [north, street, neither] = only(located, "location");
    expect(
      only(located, "session").map(values("placeOfService", "isTelehealth", "locationId")),
    ).toEqual([
      ["OFFICE", false, "loc_1"],
      ["HOME", false, "loc_1"],
      ["SCHOOL", false, "loc_1"],
      ["OTHER", false, "loc_1"],
      ["TELEHEALTH_PROVIDED_IN_PATIENT_HOME", true, "loc_1"],
      ["TELEHEALTH_PROVIDED_ELSEWHERE", true, "loc_1"],
      ["OFFICE", false, "loc_1"],
      ["OFFICE", false, "loc_1"],
      ["OFFICE", false, "loc_1"],
      ["HOME", false, "loc_1"],
      ["TELEHEALTH_PROVIDED_ELSEWHERE", true, "loc_1"],
      ["TELEHEALTH_PROVIDED_IN_PATIENT_HOME", true, "loc_1"],
      ["OFFICE", false, north?.publicId],
      ["OFFICE", false, street?.publicId],
      ["OFFICE", false, neither?.publicId],
    ]);
    const unknown = await from("x.csv", [
      "Date,Start,End,Client,Staff,Service,Where",
      "7/1/2026,9:00,10:00,Ida Quist,Bo Lind,97153,Moon",
    ]);
    expect(unknown.mistakes).toEqual([
      "Where, row 2: “Moon” is no place that is known: choose what it is",
    ]);
  });

  test("are of the authorization by its number, or the one in force", async () => {
    const numbered = [
      "Date,Start,End,Client,Staff,Service,Auth",
      "3/3/2026,9:00,10:00,Ida Quist,Bo Lind,97153,A-1",
      "3/4/2026,9:00,10:00,Ida Quist,Bo Lind,97153,",
      "3/5/2026,9:00,10:00,Ida Quist,Bo Lind,97153,A-9",
      "3/6/2026,9:00,10:00,Ida Quist,Bo Lind,97155,A-1",
    ];
    const said = await from("x.csv", numbered);
    expect(only(said, "session").map(({ authorizationId }) => authorizationId)).toEqual([
      "auth_1",
      undefined,
      undefined,
      undefined,
    ]);
    expect(said.mistakes).toEqual([
      "Auth, row 4: “A-9” is no authorization of this patient",
      "Auth, row 5: “A-1” is none for this service",
    ]);
    const rows = [
      "Date,Start,End,Client,Staff,Service",
      "3/3/2026,9:00,10:00,Ida Quist,Bo Lind,97153",
      "8/3/2026,9:00,10:00,Ida Quist,Bo Lind,97153",
    ];
    expect(
      only(await from("x.csv", rows), "session").map(({ authorizationId }) => authorizationId),
    ).toEqual(["auth_1", undefined]);
    const none = await from("x.csv", rows, { constants: { authorizationId: "none" } });
    expect(only(none, "session").map(({ authorizationId }) => authorizationId)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("have providers by role, are supervisions by their words, and not billable without a client", async () => {
    const rows = [
      "Date,Start,End,Client,Staff,BCBA,Service,Type",
      "7/1/2026,9:00,10:00,Ida Quist,Bo Lind,Tara Begaye,97153,Direct",
      "7/2/2026,9:00,10:00,Ida Quist,Tara Begaye,Bo Lind,97155,RBT supervision",
      "7/3/2026,9:00,10:00,,Bo Lind,,,Team meeting",
      "7/6/2026,9:00,10:00,Ida Quist,Bo Lind,,97153,Nonbillable",
      "7/7/2026,9:00,10:00,,Tara Begaye,,,",
      "7/8/2026,9:00,10:00,,Bo Lind,,Lunch,No",
    ];
    const said = await from("x.csv", rows);
    expect(said.mistakes).toEqual([]);
    expect(
      only(said, "session").map(
        values(
          "technicianId",
          "clinicianId",
          "isSupervision",
          "isBillable",
          "isClientPresent",
          "nonBillableCode",
          "title",
        ),
      ),
    ).toEqual([
      ["usr_bo", "usr_tara", false, true, true, undefined, "Therapy"],
      ["usr_bo", "usr_tara", true, true, true, undefined, "Supervision"],
      ["usr_bo", undefined, false, false, false, "nbc_1", "Team meeting"],
      ["usr_bo", undefined, false, false, true, "nbc_1", "Team meeting"],
      [undefined, undefined, false, false, false, "nbc_1", "Team meeting"],
      ["usr_bo", undefined, false, false, false, "nbc_1", "Lunch"],
    ]);
    expect(notesOf(said)).toEqual([
      "Type: left out: says nothing that a session has, Direct (row 2)",
      "Service: left out: what is not billed has no service, 97153 (row 5)",
      "Staff: left out: a session that is not billed has no clinician, Tara Begaye (row 6)",
    ]);
  });

  test("have what was delivered on rows that took place; how it was billed is asked", async () => {
    const rows = [
      "Date,Start,End,Client,Staff,Service,Auth,Status,Units",
      "3/3/2026,9:00,11:00,Ida Quist,Bo Lind,97153,A-1,Completed,8",
      "3/4/2026,9:00,11:00,Ida Quist,Bo Lind,97153,A-1,Cancelled,8",
      "3/5/2026,9:00,11:00,Ida Quist,Bo Lind,97153,,Completed,8",
      "3/6/2026,9:00,11:00,Ida Quist,Bo Lind,97153,A-1,Completed,0",
    ];
    const said = await from("x.csv", rows);
    expect(only(said, "encounter")).toEqual([
      {
        type: "encounter",
        publicId: expect.stringMatching(/^enc_/) as never,
        authorizationId: "auth_1",
        sessionId: expect.stringMatching(/^apt_/),
        startTime: "2026-03-03T14:00:00.000Z",
        units: 8,
      },
    ]);
    expect(said.constants).toContainEqual(["x.csv", "Billing of what was delivered", "", true]);
    expect(notesOf(said).filter((note) => /units/.test(note))).toEqual([
      "Units: units left out: the appointment did not take place, 8 (row 3)",
      "Units: units left out: there is no authorization, 8 (row 4)",
    ]);
    const billed = await from("x.csv", rows, { constants: { billing: "before" } });
    expect(only(billed, "encounter")[0]?.billed).toEqual([{ batch: "Before Caseload" }]);
    const open = await from("x.csv", rows, { constants: { billing: "open" } });
    expect(only(open, "encounter")[0]).not.toHaveProperty("billed");
  });

  test("that move by an id of their own take along what was delivered", async () => {
    const on = (day: string) => [
      "Appointment ID,Date,Start,End,Client,Staff,Service,Auth,Status,Units",
      `A-9,${day},9:00,11:00,Ida Quist,Bo Lind,97153,A-1,Completed,8`,
    ];
    const first = await from("x.csv", on("3/3/2026"), { constants: { billing: "open" } });
    const moved = await from("x.csv", on("3/10/2026"), {}, first.after);
    const start = "2026-03-10T13:00:00.000Z";
    expect(moved.changed.map(values("type", "startTime"))).toEqual([
      ["session", start],
      ["encounter", start],
    ]);
    expect((await from("x.csv", on("3/10/2026"), {}, moved.after)).changed).toEqual([]);
  });

  test("of which several deliveries are stored keep them: nobody knows which the units are of", async () => {
    const head = "Date,Start,End,Client,Staff,Service,Auth,Status";
    const visit = "3/3/2026,9:00,11:00,Ida Quist,Bo Lind,97153,A-1,Completed";
    const rows = (units: number) => [`${head},Units`, `${visit},${units}`];
    const { after } = await from("x.csv", rows(5), { constants: { billing: "open" } });
    const [delivery] = after.lines.filter(({ type }) => type === "encounter");
    const other = { ...delivery, publicId: "enc_other", units: 3 } as (typeof after.lines)[0];
    const both = { ...after, lines: [...after.lines, other] };
    expect(await from("x.csv", rows(8), {}, both)).toMatchObject({ changed: [], said: [] });
    const said = await from("x.csv", rows(9), {}, both);
    expect([said.changed, notesOf(said)]).toEqual([
      ...[[], ["Units: units left out: 2 deliveries are stored, 9 (row 2)"]],
    ]);
    // What is chosen for all rows is not for what is stored.
    const planned = { constants: { delivered: "planned" } };
    expect((await from("x.csv", [head, visit], planned, after)).changed).toEqual([]);
  });

  test("were delivered as long as planned where they say that they took place, if that is chosen", async () => {
    const rows = [
      head,
      "3/3/2026,9:00,10:53,Ida Quist,Bo Lind,97153,Completed",
      "3/4/2026,9:00,11:00,Ida Quist,Bo Lind,97153,Scheduled",
      "3/4/2099,9:00,11:00,Ida Quist,Bo Lind,97153,Completed",
    ];
    const said = await from("x.csv", rows, { constants: { delivered: "planned" } });
    expect(only(said, "encounter").map(({ units }) => units)).toEqual([8]);
    expect(only(await from("x.csv", rows), "encounter")).toEqual([]);
  });

  test("that are there are found by client and start, of several by the provider, or by an id of their own", async () => {
    const same = await from("x.csv", [
      "Date,Start,End,Client,Staff,Service",
      "3/2/2026,9:00,10:30,Ida Quist,Bo Lind,97153",
    ]);
    // Nothing says a status, so that it stays.
    expect(same.changed).toEqual([
      expect.objectContaining({
        publicId: "apt_1",
        status: "DECLINED",
        endTime: "2026-03-02T15:30:00.000Z",
      }),
    ]);
    const two = await from("x.csv", [
      "Date,Start,End,Client,Staff,Service",
      "3/2/2026,9:00,11:00,Ida Quist,Bo Lind,97153",
      "3/2/2026,9:00,11:00,Ida Quist,Tara Begaye,97155",
    ]);
    expect(only(two, "session").map(({ clinicianId }) => clinicianId)).toEqual(["usr_tara"]);
    const rows = [
      "Appointment ID,Date,Start,End,Client,Staff,Service",
      "881,7/6/2026,9:00,11:00,Ida Quist,Bo Lind,97153",
    ];
    const first = await from("x.csv", rows);
    const moved = await from(
      "x.csv",
      [rows[0] as string, "881,7/7/2026,9:00,11:00,Ida Quist,Bo Lind,97153"],
      {},
      first.after,
    );
    expect(moved.changed).toEqual([
      expect.objectContaining({ publicId: "apt_881", startTime: "2026-07-07T13:00:00.000Z" }),
    ]);
  });

  test("twice in a sheet are one, also where it is stored", async () => {
    const row = "3/4/2026,9:00,10:00,Ida Quist,Bo Lind,97153,Kept";
    const said = await from("x.csv", [head, row, row]);
    expect(only(said, "session")).toHaveLength(1);
    expect((await from("x.csv", [head, row, row], {}, said.after)).changed).toEqual([]);
  });

  test("twice in a sheet with different cells are a mistake that names both rows", async () => {
    const said = await from("x.csv", [
      head,
      "7/6/2026,9:00,11:00,Ida Quist,Bo Lind,97153,Kept",
      "7/6/2026,9:00,11:00,Ida Quist,Bo Lind,97155,Kept",
      "7/6/2026,9:00,11:00,Ida Quist,Bo Lind,97153,Kept",
    ]);
    expect(said.mistakes).toEqual([
      "Service, row 3: differs from row 2, which is the same appointment",
    ]);
  });

  test("that are billable need no provider; the days of all are asked for in few spans, and their own ids", async () => {
    const file = [
      "x.csv",
      [
        "Date,Start,End,Client,Staff,Service",
        "7/6/2026,9:00,10:00,Ida Quist,,97153",
        "8/4/2026,9:00,10:00,Ida Quist,,97153",
        "1/5/2026,2026-01-05 9:00,10:00,Ida Quist,,97153",
        ",9:00,10:00,Ida Quist,,97153",
      ].join("\n"),
    ] as const;
    const { mistakes } = await importOf(practice, [file]);
    expect(mistakes).toEqual(["Date, row 5: is empty"]);
    const when = { zone: ZONE, today: "2026-11-28" as CalendarDate, now: practice.now };
    const spans = [
      ["2026-01-04", "2026-01-06"],
      ["2026-07-05", "2026-08-05"],
    ];
    expect(askedBy(await sheetsIn([file]), when)).toEqual({ spans, ids: [] } as never);
    const own = ["x.csv", "Event ID,Date,Client\napt_1,7/6/2026,Ida\n7 a,,Ida"] as const;
    const [sheet] = await sheetsIn([own]);
    const visits = { ...sheet, type: "appointments", fields: ["publicId", "date", "client"] };
    expect(askedBy([visits as never], when).ids).toEqual(["apt_1", "apt_7_a"]);
  });
});

test("sheets that say the same record otherwise are a mistake; values for all rows give way, insurances add up", async () => {
  const files = [
    ["one.csv", "Name,DOB,City,Insurance,Member ID\nPo Nez,5/6/2017,Bath,Fairwind Health,F1"],
    ["two.csv", "Name,DOB,Status,Insurance,Member ID\nPo Nez,5/6/2017,Discharged,Sandia,S1"],
    ["three.csv", "Name,DOB,City\nPo Nez,5/6/2017,Barre"],
  ] as const;
  for (const order of [files, files.toReversed()]) {
    const said = await importOf(practice, order);
    const [patient] = people(said, "PATIENT");
    expect([
      patient?.userStatus,
      (patient?.payors as Fields[]).map(({ priority }) => priority),
    ]).toEqual(["DISCHARGED", ["PRIMARY", "SECONDARY"]]);
    const [[first] = []] = order;
    expect(said.mistakes).toEqual([`City, row 2: differs from ${first}, row 2`]);
  }
});

test("sheets of one import refer to each other, whatever their order", async () => {
  const sheets = await sheetsIn([
    ["visits.csv", "Date,Start,End,Client,Staff,Service\n7/6/2026,9:00,11:00,Po Nez,Al Tso,97153"],
    ["auths.csv", "Client,CPT,Auth #,Start,End,Units\nPo Nez,97153,N1,7/1/2026,12/31/2026,80"],
    ["clients.csv", "Name,DOB,BCBA\nPo Nez,5/6/2017,Cy Yazzie"],
    ["staff.csv", "Name,Role\nAl Tso,RBT\nCy Yazzie,BCBA"],
  ]);
  const said = importOfSheets(practice, sheets);
  const idOf = (name: string) => said.changed.find(({ firstName }) => firstName === name)?.publicId;
  expect(said.mistakes).toEqual([]);
  expect(only(said, "session")[0]).toMatchObject({
    ...{ clientId: idOf("Po"), technicianId: idOf("Al") },
    authorizationId: only(said, "authorization")[0]?.publicId,
  });
  expect(people(said, "PATIENT")[0]?.primaryClinicianId).toBe(idOf("Cy"));
  const again = importOfSheets(said.after, sheets);
  expect(again.changed).toEqual([]);
});

test("5,000 appointments and 500 clients are made in seconds, not minutes", async () => {
  const clients = Array.from(
    { length: 500 },
    (_, at) =>
      `Client${at} Last${at},1/2/2019,Guardian${at} Last${at},505-555-${String(1000 + at)}`,
  );
  const visits = Array.from(
    { length: 5000 },
    (_, at) =>
      `${1 + (at % 12)}/${1 + (Math.floor(at / 12) % 28)}/2026,${8 + (Math.floor(at / 336) % 12)}:00,${9 + (Math.floor(at / 336) % 12)}:00,Client${at % 500} Last${at % 500},Bo Lind,97153`,
  );
  const sheets = await sheetsIn([
    ["clients.csv", ["Name,DOB,Guardian,Guardian phone", ...clients].join("\n")],
    ["visits.csv", ["Date,Start,End,Client,Staff,Service", ...visits].join("\n")],
  ]);
  const said = importOfSheets(practice, sheets);
  expect(said.took).toBeLessThan(15_000);
  expect(said.mistakes).toEqual([]);
});
