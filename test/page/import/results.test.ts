import { expect, test } from "bun:test";
import { practiceOf, sheetsIn } from "./sheets.ts";

const { buildImport } = await import("../../../src/page/app/lib/import/build.ts");
const { NewIds } = await import("../../../src/page/app/lib/import/practice.ts");
const { mistakesOf, notesOf } = await import("../../../src/page/app/lib/import/results.ts");
const { noteText } = await import("../../../src/page/app/lib/import/notes.ts");

/** What the API says of lines, in the headings and rows of the sheets. */

const practice = practiceOf([], "America/New_York" as never);
const stored = { lines: [], sessions: [], encounters: [] };

async function built(...texts: [string, string][]) {
  return buildImport(await sheetsIn(texts), { ...practice, stored, ids: new NewIds() });
}

test("mistakes stand at the row and heading of what a line was made of; consequences of others are not told", async () => {
  const made = await built([
    "clients.csv",
    "Client,DOB,Guardian,Guardian Email\nPo Nez,5/6/2017,Ana Nez,ana@x.example\nAl Nez,soon,,",
  ]);
  const lineOf = (isWanted: (role: unknown) => boolean): number =>
    made.lines.findIndex(({ line }) => isWanted(line.role)) + 2;
  const patient = lineOf((role) => role === "PATIENT");
  const caregiver = lineOf((role) => role === "CAREGIVER");
  const issue = (line: number, field: string, message: string) => ({
    code: "custom",
    message,
    path: [line, field],
  });
  const issues = [
    issue(patient, "lastName", `user usr_x: lastName: must not be empty`),
    issue(caregiver, "email", "user usr_y: email: is already the email of usr_z"),
    issue(patient + 1, "birthDate", "user usr_w: birthDate: is required"),
    issue(patient, "caregiverId", "user usr_x: caregiverId: is no user of the file"),
  ];
  const [mistakes] = mistakesOf(made, issues as never).values();
  expect(mistakes?.map(noteText)).toEqual([
    "DOB: must be a date that exists, such as 2026-10-01 or 10/1/2026 (row 3)",
    "Client: Please fill this in. (row 2)",
    "Guardian Email: This email address belongs to somebody else. (row 2)",
  ]);
});

test("a mistake that names the line of another record names its row", async () => {
  const made = await built([
    "clients.csv",
    "Client,DOB,Email\nPo Nez,5/6/2017,a@x.example\nAl Nez,5/6/2016,a@x.example",
  ]);
  const message = `user usr_x: email: is also the email of ${made.lines[0]?.line.publicId} on line 2`;
  const issue = { code: "custom", message, path: [3, "email"] };
  const [mistakes] = mistakesOf(made, [issue] as never).values();
  expect(mistakes?.map(noteText)).toEqual([
    "Email: Is also the email of Po Nez in row 2: only one can have it. (row 3)",
  ]);
});

test("notes have rows for ids; patients need no email, others do", async () => {
  const made = await built([
    "clients.csv",
    "Client,DOB,Guardian\nPo Nez,5/6/2017,Ana Nez\nAl Nez,5/6/2016,",
  ]);
  const ids = made.lines.map(({ line }) => line.publicId);
  const notes = [
    `3 users have no email: ${ids.join(", ")}`,
    `1 patient has a birth date in the future: ${ids.at(-1)}`,
    "Sessions from Thu, Oct 1, 2026, 8:00 AM to Fri, Oct 2, 2026, 9:00 AM (America/New_York)",
  ];
  const [said] = notesOf(made, notes).values();
  expect(said?.map(noteText)).toEqual([
    "1 patient has a birth date in the future (row 3)",
    notes[2] as string,
    "1 user has no email (row 2)",
  ]);
});
