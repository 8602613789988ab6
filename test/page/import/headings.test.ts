import "./descriptions.ts";
import { describe, expect, test } from "bun:test";

const { fieldsNamed } = await import("../../../src/page/app/lib/import/fields.ts");
const { gridOf } = await import("../../../src/page/app/lib/import/grid.ts");
const { sheetsOfFile, totalsOf } = await import("../../../src/page/app/lib/import/sheet.ts");

/** What headings name, what a sheet is, and which of its rows are records. */

const ofPatients = {
  name: "Name, Full Name, Client, Patient, Client Name, Student name, Name (First Last), Client (First MI Last), Child’s Name, Legal Name",
  firstName:
    "First, First Name (*required), Given Name, Legal First Name, FName, First name, Patient First Name",
  lastName: "Last, Surname, Family Name, Legal Last Name, LName, Client Last Name",
  suffix: "Suffix",
  birthDate:
    "DOB, D.O.B., Birth date, Birthday, Date of birth, Client DOB, birthDate, DOB (MM/DD/YYYY)",
  sex: "Gender, M/F, Sex, Sex (M/F), Legal Sex",
  internalRecordId:
    "MRN, Chart, Chart No, Chart Number, Chart #, Client ID, Client number, Account Number, Record number, External ID, Chart No., Client ID #, MRN #, Patient ID No., client_identifier",
  phoneNumber: "Phone, Cell, Cell phone, Mobile, Home Phone, Work phone, Phone Number, Contact #",
  email: "E-mail, Email Address, Work Email, Email",
  addressLine1: "Address, Street, Address 1, Street Address, street1, Street Address Line 1",
  addressLine2: "Address 2, Mailing Address Line 2, Apt, Unit, Apt/Unit #",
  city: "City, Town",
  state: "State, ST",
  postalCode: "Zip, ZIP Code, Postal code",
  userStatus: "Status, Active, Client Status, Stage",
  locationIds: "Location, Office, Clinic, Site, Region, Primary Office Location",
  primaryClinicianId: "BCBA, Supervising BCBA, Primary clinician, Case Manager, Clinician",
  clinicianIds: "Team, Care team",
  "guardian.name":
    "Parent, Guardian, Caregiver, Mother, Father, Mom/Dad, Responsible Party, Emergency Contact, Parent 1, Guardian Name, Parent/Guardian, Primary Guardian, Mother's Name",
  "guardian.firstName": "Guardian First Name, Parent First, Parent 1 First Name",
  "guardian.lastName": "Guardian Last Name, Mother last name",
  "guardian.phoneNumber": "Parent Phone, Guardian cell, Parent 1 Phone, Mom/Dad Phone",
  "guardian.email": "Guardian Email, Parent E-mail, Responsible Party Email",
  "insurance.payor":
    "Insurance, Ins., Primary Insurance, Insurance Company, Payor, Payer, Funder, Funder Name, Carrier, Ins. Co.",
  "insurance.memberId":
    "Member ID, Policy ID, Policy Number, Subscriber ID, Insured's ID, Insurance ID, Medicaid ID, Primary Member ID, Ins ID, Payer Member ID",
  "insurance.groupId": "Group, Group Number, Group ID, Group #, Insurance Group Number",
  "insurance.holder": "Subscriber, Subscriber Name, Policy Holder, Holder Name, Insured Name",
  "insurance.holderFirst": "Subscriber First Name, insurance_first_name",
  "insurance.holderLast": "Policy Holder Last Name, insurance_last_name",
  "insurance.holderBirth":
    "Subscriber DOB, Policy Holder Birth Date, Insured DOB, Holder DOB, insurance_dob",
  "insurance.relationship": "Relationship, Relationship to Insured, Patient Relationship",
  "insurance.from":
    "Effective, Effective Date, Policy Start, Coverage Start, Insurance Effective Date",
  "insurance.to": "Termination, Term Date, Coverage End",
  "insurance2.payor": "Secondary Insurance, Secondary Payor, Insurance 2",
  "insurance2.memberId": "Secondary Member ID, Secondary Policy Number",
  publicId: "publicId",
};

const ofStaff = {
  name: "Name, Employee Name, Staff Member, Staff Name, RBT Name",
  role: "Role, Position, Title, Job Title, Staff Type, Discipline",
  isActive: "Status, Active, Employment Status",
  npiNumber: "NPI, NPI Number, Individual NPI, NPI #",
  "certificate.number":
    "Cert Number, Certification Number, Credential Number, License Number, BACB Number, RBT/BCBA cert #, Credential #",
  "certificate.type": "Credential, Certification, Cert Type, License Type, Credentials",
  "certificate.status": "Cert Status",
  "certificate.expires":
    "Cert Exp, Certification Expiration, Expires, Expiration Date, Renewal Date, License Expires, Credential expires",
  "certificate.area": "License State, Licensed in",
};

const ofAuthorizations = {
  client: "Client, Patient, Client Name, Patient Name",
  clientFirst: "First Name, Client First Name",
  clientLast: "Last Name, PatientLastName",
  clientNumber: "Client ID, Learner ID, Chart, MRN",
  authorizationNumber:
    "Auth, Auth Number, Authorization, Authorization Number, Prior Auth, PA Number, Auth #, Auth Nr.",
  serviceLineId:
    "CPT, CPT Code, Code, Service Code, Procedure Code, Billing Code, Service, Service Line, CPT/HCPCS, Procedure/CPT Code",
  quantity:
    "Units, Authorized Units, Approved Units, Units Approved, Units Authorized, Qty, Hours, Auth Hours, Hours per week, Units/wk, Hours per month, # of Units",
  frequency: "Per, Frequency, Period, Unit Frequency, Limit Type",
  authorizationDate: "Start, Start Date, From, Effective, Auth Start",
  authorizationExpirationDate:
    "End, End Date, To, Through, Expires, Expiration, Auth End, Valid Thru, Expires On",
  payorId: "Insurance, Payor, Funder",
};

const ofAppointments = {
  date: "Date, Appointment Date, Date of Service, DOS, Service Date, Date of Service (DOS), Date/Time, Date of Session",
  start: "Start, Start Time, Time In, From, Begin, Time Start, Start At",
  end: "End, End Time, Time Out, To, Time End, End At",
  time: "Time",
  duration: "Duration, Minutes, Hours, Length, Duration (min), Total Hours",
  client: "Client, Patient, Client Name, Client Initials",
  clientFirst: "ClientFirstName",
  clientLast: "Patient Last Name",
  providerFirst: "ProviderFirstName",
  providerLast: "Staff Last Name",
  provider:
    "Provider, Staff, Staff Member, Therapist, RBT, Technician, Rendering Provider, RBT Name, RBT/BT, Technician Name",
  second: "Supervisor, Supervising BCBA, BCBA, BCBA Name",
  services: "Service, Service Name, CPT, Service Code, Treatment, Service Provided",
  kind: "Type, Appointment Type",
  billable: "Billable",
  status: "Status, Appointment Status, Verification, Attendance, Show Status",
  place: "Where, Place, Place of Service, POS",
  location: "Location, Office",
  authorization: "Auth, Auth Number, Authorization, PA number",
  units: "Units, Units Delivered, Delivered Units, Rendered Units, Units Billed, Units Worked",
  hoursWorked: "Hours Worked",
  title: "Title, Subject",
  publicId: "Appointment ID, Event ID, ID",
};

describe.each([
  ["patients", ofPatients],
  ["staff", ofStaff],
  ["authorizations", ofAuthorizations],
  ["appointments", ofAppointments],
] as const)("headings of %s", (type, headings) => {
  test.each(Object.entries(headings))("name %s", (field, names) => {
    const named = names.split(", ").map((name) => [name, fieldsNamed(type, name)[0]]);
    expect(named).toEqual(names.split(", ").map((name) => [name, field]));
  });
});

test.each([
  [
    "patients",
    "Preferred Name, Middle Name, Shoe size, Notes, Auth expires, Parent 2, Parent 2 Phone, Start Date, Provider, Therapist, Staff Member, Provider Name, Employee Email, Therapist Phone, Insurance Payer ID",
  ],
  ["staff", "Emp #, Employee ID, Hire date, Supervisor, Client, Patient Name"],
  [
    "authorizations",
    "Member ID, Provider Name, Provider First Name, Units Used, Remaining, Units Requested, Used, Client Status",
  ],
  ["appointments", "Notes, Signature, Client Status, Patient Type"],
] as const)("other headings of %s are left out", (type, names) => {
  const named = names.split(", ").map((name) => [name, fieldsNamed(type, name)]);
  expect(named).toEqual(names.split(", ").map((name) => [name, []]));
});

async function sheetOf(name: string, text: string) {
  const read = await sheetsOfFile(name, new TextEncoder().encode(text));
  if (!Array.isArray(read)) throw new Error(read.refusal);
  return read[0] as (typeof read)[number];
}

test.each([
  ["x.csv", "Name,DOB\nIda Quist,1/2/2019", "patients"],
  ["x.csv", "Name,Guardian\nIda Quist,Ana Quist", "patients"],
  ["staff.csv", "Name,Phone\nIda Quist,505-555-0100", "staff"],
  ["our clients.csv", "Name,Phone\nIda Quist,505-555-0100", "patients"],
  ["x.csv", "Name,Title\nIda Quist,RBT\nOla Roe,BCBA", "staff"],
  ["clients.csv", "Name,Title,Phone\nIda Quist,RBT,1", "staff"],
  ["x.csv", "Name,NPI\nIda Quist,1234567890", "staff"],
  [
    "x.csv",
    "Client,CPT,Auth,Start,End,Units\nIda Quist,97153,A1,1/1/2026,6/30/2026,80",
    "authorizations",
  ],
  ["x.csv", "Date,Start,End,Client,Staff\n1/2/2026,9:00,10:00,Ida Quist,Bo Lind", "appointments"],
  [
    "x.csv",
    "Start,End,Client,Staff\n1/2/2026 9:00 AM,1/2/2026 10:00 AM,Ida Quist,Bo Lind",
    "appointments",
  ],
  [
    "x.csv",
    "Start,End,Client,Staff\n1/2/2026 9 AM,1/2/2026 10 a.m.,Ida Quist,Bo Lind",
    "appointments",
  ],
  [
    "x.csv",
    "Client,Auth,CPT,Units,From,To\nIda Quist,A1,97153,80,1/1/2026 0:00,6/30/2026 12:00:00 AM",
    "authorizations",
  ],
  ["x.csv", "Start,End,Client,Staff\nFri 2 Jan 2026 9:00,10:00,Ida Quist,Bo Lind", "appointments"],
  [
    "x.csv",
    "Subject,Start Date,Start Time,End Date,End Time\nIda,1/2/2026,9:00 AM,1/2/2026,10:00 AM",
    "appointments",
  ],
  ["x.csv", "Date,Start,End,Client,Staff\n1/2/2026,9,10,Ida Quist,Bo Lind", "appointments"],
  ["Clientes.csv", "Nombre;Apellido\nAna;Ruiz", "patients"],
  ["Payors.csv", "ID,Name\npay_1,Fairwind", "payors"],
  ["Locations.csv", "Name\nNorth clinic", "locations"],
  ["Services.csv", "Name,Code,Minutes\nTherapy,97153,15", "services"],
  ["Service codes.csv", "Code,Description,Rate\n97153,Therapy,15", "services"],
  ["Payers.csv", "Payer Name,Payer ID,Phone\nFairwind,87726,1", "payors"],
  ["Locations.csv", "Name,Address,City\nNorth clinic,1 Elm St,Bath", "locations"],
  ["Office staff.csv", "Name,Phone\nIda Quist,505-555-0100", "staff"],
  ["Caseload by clinic.csv", "Name,Clinic,Payer\nIda Quist,North,Fairwind", "patients"],
  [
    "Auths by payer.csv",
    "Client,Auth,CPT,Units,End,Payer\nIda Quist,A1,97153,80,6/30/2026,Fairwind",
    "authorizations",
  ],
])("%s with %p has %s", async (name, text, type) => {
  expect((await sheetOf(name, text)).type).toBe(type as never);
});

test.each([
  ["clients.csv", "Name,DOB,Relationship,Group,Effective\nIda Quist,1/2/2019,Mother,A,1/1/2026"],
  ["staff.csv", "Name,Phone,Role,License state\nIda Quist,505-555-0100,RBT,VT"],
])("%s without an entry leaves out what only an entry has: %p", async (name, text) => {
  const { fields } = await sheetOf(name, text);
  expect(fields.filter((field) => /^(?:insurance|certificate)/.test(field ?? ""))).toEqual([]);
});

test("of columns with one field, that with such cells has it, and the other one another that its heading names", async () => {
  const { fields } = await sheetOf(
    "x.csv",
    "Day,Date,Start,End,RBT,Clinician,Client code,Service,CPT\nMon,1/5/2026,9:00,10:00,Bo Lind,Tara Begaye,C-1,,97153",
  );
  expect(fields).toEqual([
    ...[undefined, "date", "start", "end", "provider", "second", "clientNumber"],
    ...[undefined, "services"],
  ]);
});

test.each([
  ["clients.csv", "Name,Policy Number,Member ID\nIda Quist,1,2", [0, 2]],
  ["clients.csv", "Name,Plan ID,Member #\nIda Quist,1,2", [0, 2]],
  ["clients.csv", "Name,Parent #,Parent\nIda Quist,5055550100,Ana Quist", [0, 1, 2]],
  [
    "x.csv",
    "Client Status,Date,Start,End,Client,Client ID,Status\nActive,1/5/2026,9:00,10:00,Ida Quist,1,Cancelled",
    [1, 2, 3, 4, 5, 6],
  ],
])(
  "of two columns with one field, that which is meant has it: %s, %p",
  async (name, text, taken) => {
    const { fields } = await sheetOf(name, text);
    expect(fields.flatMap((field, at) => (field ? [at] : []))).toEqual(taken);
  },
);

describe("rows that are no records are left out", () => {
  test("above the headings, empty, filled down, the headings again, and totals at the end", async () => {
    const rows = [
      "Our clients,,,",
      "Printed 11/2/2026,,,",
      "",
      "Chart,Last,First,State",
      "1,Quist,Ida,VT",
      " , , ,",
      "Chart,Last,First,State",
      "2,Roe,Ola,VT",
      ",,,VT",
      "3,Lind,Po,VT",
      "Total,,3,",
      "Count: 3,,,VT",
    ];
    const sheet = await sheetOf("x.csv", rows.join("\n"));
    expect(sheet.grid.headingRow).toBe(4);
    expect(Object.fromEntries(sheet.grid.left.map(({ what, rows: own }) => [what, own]))).toEqual({
      "above the headings": [1, 2],
      empty: [6, 9],
      "the headings again": [7],
    });
    expect(totalsOf(sheet).map(({ number }) => number)).toEqual([11, 12]);
  });

  test.each([
    "Total",
    "Totals",
    "Grand total",
    "Subtotal",
    "Sum",
    "Count",
    "Count: 24",
    "24 clients",
    "Total clients: 24",
    "Record count: 24",
    "End of report",
  ])("%p is a total where what a row needs is empty, and a name where it is not", async (word) => {
    const sheet = await sheetOf("x.csv", `Name,DOB,City\nIda Quist,1/2/2019,Barre\n${word},,2`);
    expect(totalsOf(sheet)).toHaveLength(1);
    const named = await sheetOf(
      "x.csv",
      `Chart,Last,First,DOB\n1,Quist,Ida,1/2/2019\n${word},Roe,Ola,1/3/2019`,
    );
    expect(totalsOf(named)).toHaveLength(0);
  });

  test("but a person whose first or last name is such a word", async () => {
    const rowsWith = (last: string) => sheetOf("x.csv", `Last,First\nQuist,Ida\n${last}`);
    expect(totalsOf(await rowsWith("Sum,Wai"))).toHaveLength(0);
    expect(totalsOf(await rowsWith("Total,2"))).toHaveLength(1);
  });

  test("as many empty rows as a spreadsheet has", () => {
    const rows = Array.from({ length: 1_048_576 }, (_, at) => ({ number: at + 1, cells: [] }));
    const filled = [["Name"], ["Ida Quist"]].map((cells, at) => ({ number: at + 1, cells }));
    expect(gridOf([...filled, ...rows.slice(2)]).rows).toEqual(filled.slice(1));
  });

  test("rows that are alike in everything are records", async () => {
    const sheet = await sheetOf("x.csv", "Name,City\nIda Quist,Barre\nIda Quist,Barre");
    expect(sheet.grid.rows).toHaveLength(2);
  });
});

test.each([
  [
    "old.xls",
    new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2]),
    "Is an old or protected workbook. Open it and save it as .xlsx, without a password.",
  ],
  [
    "x.numbers",
    new TextEncoder().encode("PK\u0003\u0004"),
    "Is no sheet that can be read: save it as .xlsx or CSV.",
  ],
  [
    "x.ods",
    new TextEncoder().encode("PK\u0003\u0004"),
    "Is no sheet that can be read: save it as .xlsx or CSV.",
  ],
  [
    "x.xlsx",
    new TextEncoder().encode("PK\u0003\u0004"),
    "Is no sheet that can be read: save it as .xlsx or CSV.",
  ],
  [
    "x.pdf",
    new TextEncoder().encode("%PDF-1.7"),
    "Is no sheet that can be read: save it as .xlsx or CSV.",
  ],
  [
    "x.csv",
    new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
    "Is no sheet that can be read: save it as .xlsx or CSV.",
  ],
  [
    "x.xls",
    new TextEncoder().encode("<html><table>"),
    "Is no sheet that can be read: save it as .xlsx or CSV.",
  ],
  ["x.csv", new Uint8Array(), "Has no rows."],
  ["x.csv", new TextEncoder().encode("Name,DOB\r\n"), "Has no rows."],
  [
    "x.csv",
    new Uint8Array(20 * 1024 * 1024 + 1),
    "Is larger than 20 MB or 20,000 rows: `caseload import` takes it.",
  ],
  [
    "x.csv",
    new TextEncoder().encode(`Name\n${"Ida Quist\n".repeat(20_001)}`),
    "Is larger than 20 MB or 20,000 rows: `caseload import` takes it.",
  ],
])("%s is refused: %#", async (name, bytes, refusal) => {
  expect(await sheetsOfFile(name, bytes)).toEqual({ file: name, refusal });
});
