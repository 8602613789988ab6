import { describe, expect, test } from "bun:test";
import {
  databaseOfFullPractice,
  encounter,
  patient,
  session,
  technician,
} from "../support/practice-file/full-practice.ts";
import { type Fields, importAll } from "../support/practice-file/practice-file.ts";

/** Notes of an import on what is valid and may not be meant. The practice is in New York. */

const own = { type: "organization", publicId: "org_maple" };

async function notesOf(records: readonly Fields[], options = {}): Promise<string[]> {
  const database = await databaseOfFullPractice();
  const outcome = await importAll(database, [own, ...records], options);
  if ("mistakes" in outcome) throw new Error(outcome.mistakes.report("f").join("\n"));
  return outcome.notes.filter((note) => !note.startsWith("Sessions from"));
}

/** Sessions without an authorization, each with its start and end. */
function sessions(...times: [start: string, end: string][]): Fields[] {
  return times.map(([startTime, endTime], index) => ({
    ...session,
    ...{ publicId: `apt_new_${index}`, clientId: null, authorizationId: null, startTime, endTime },
  }));
}

test("an import over a practice has no notes on what others have", async () => {
  expect(await notesOf([{ type: "location", publicId: "loc_main", name: "M" }])).toEqual([]);
});

test("words that are none of the known, and phone numbers that are none; they are kept", async () => {
  const { payors: [entry] = [] } = patient as { payors?: Fields[] };
  const child = (number: number, fields: Fields) => ({
    ...{ type: "user", publicId: `usr_w${number}`, role: "PATIENT", firstName: "A", lastName: "B" },
    ...{ email: `w${number}@maple.example`, ...fields },
  });
  const known = ["LEAD", "ACTIVE", "ARCHIVED"].map((userStatus, index) => ({
    ...child(10 + index, { userStatus, sex: "OTHER", phoneNumber: "(415) 555-2671 x12" }),
  }));
  expect(
    await notesOf([
      ...known,
      child(1, { userStatus: "Active", sex: "M", phoneNumber: "5551212" }),
      child(2, { userStatus: "active", phoneNumber: "ask the mother" }),
      child(3, { payors: ["PRIMARY", "TERTIARY"].map((priority) => ({ ...entry, priority })) }),
      child(4, { payors: ["PRIMARY", "Primary"].map((priority) => ({ ...entry, priority })) }),
      child(5, { phoneNumber: "+44 20 7946 0958", userStatus: null, sex: null }),
    ]),
  ).toEqual([
    "2 patients have a userStatus that is none of the known words: usr_w1, usr_w2",
    "1 patient has a sex that is none of the known words: usr_w1",
    "1 patient has a payor with a priority that is none of the known words: usr_w4",
    "2 users have a phone number that is none: usr_w1, usr_w2",
  ]);
});

test("sessions that start at night by the practice's clock", async () => {
  expect(
    await notesOf(
      sessions(
        ["2026-01-08T02:59:00.000Z", "2026-01-08T04:00:00.000Z"], // 9:59 PM
        ["2026-01-08T03:00:00.000Z", "2026-01-08T04:00:00.000Z"], // 10:00 PM
        ["2026-01-08T10:59:00.000Z", "2026-01-08T12:00:00.000Z"], // 5:59 AM
        ["2026-01-08T11:00:00.000Z", "2026-01-08T12:00:00.000Z"], // 6:00 AM
        ["2026-07-08T09:59:00.000Z", "2026-07-08T12:00:00.000Z"], // 5:59 AM, in summer
        ["2026-07-08T10:00:00.000Z", "2026-07-08T12:00:00.000Z"], // 6:00 AM
      ),
    ),
  ).toEqual(["3 sessions start between 10 PM and 6 AM: apt_new_1, apt_new_2, apt_new_4"]);
});

test("sessions of more than 12 hours and of more than 24", async () => {
  const from = "2026-01-08T14:00:00.000Z";
  expect(
    await notesOf(
      sessions(
        [from, from],
        [from, "2026-01-09T02:00:00.000Z"],
        [from, "2026-01-09T02:00:00.001Z"],
        [from, "2026-01-09T14:00:00.000Z"],
        [from, "2026-01-09T14:00:00.001Z"],
      ),
    ),
  ).toEqual([
    "1 session takes no time: apt_new_0",
    "1 session is longer than 24 hours: apt_new_4",
    "2 sessions are longer than 12 hours: apt_new_2, apt_new_3",
  ]);
});

test("numbers in exponents in texts, also in lists", async () => {
  const [payor] = patient.payors as Fields[];
  expect(
    await notesOf([
      { type: "user", publicId: "usr_tech", phoneNumber: "5.1856E+09" },
      { type: "user", publicId: "usr_kid", payors: [{ ...payor, memberId: "1e-5" }] },
      { type: "location", publicId: "loc_main", name: "E+5" },
      { type: "authorization", publicId: "auth_1", authorizationNumber: "12E5" },
    ]),
  ).toEqual([
    "1 user has a phone number that is none: usr_tech",
    "2 records have numbers in exponents in a text, as spreadsheets shorten long numbers: usr_tech, usr_kid",
  ]);
});

describe("users who are made inactive", () => {
  const now = "2026-01-08T14:00:00.000Z";
  const ahead = [
    { ...session, publicId: "apt_past", startTime: "2026-01-08T13:59:59.999Z" },
    { ...session, publicId: "apt_now" },
    { ...session, publicId: "apt_later", startTime: "2027-01-08T14:00:00.000Z" },
    { ...session, publicId: "apt_gone", status: "DECLINED" },
  ].map((each) => ({ ...each, endTime: "2027-01-08T16:00:00.000Z", authorizationId: null }));
  const gone = { type: "user", publicId: technician.publicId, isActive: false };
  const note = /inactive/;

  test("and have sessions from now on, with their number", async () => {
    const notes = await notesOf(
      [...ahead, gone, { type: "user", publicId: patient.publicId, isActive: false }],
      { now },
    );
    // The session of the practice itself starts now, too.
    expect(notes.filter((each) => note.test(each))).toEqual([
      "2 users who are made inactive still have sessions from now on, 6 in all: usr_kid, usr_tech",
    ]);
  });

  test("are not those who were so before, or have no session", async () => {
    const database = await databaseOfFullPractice();
    const later = "2030-01-01T00:00:00.000Z";
    for (const options of [{ now: later }, { now }]) {
      const outcome = await importAll(database, [own, gone], options);
      expect("notes" in outcome && outcome.notes.filter((each) => note.test(each))).toEqual([]);
    }
  });
});

test("an encounter of a session that was missed, on another day, shared and too long", async () => {
  expect(
    await notesOf([
      { ...session, status: "PATIENT_NO_SHOW" },
      { ...encounter, startTime: "2026-01-10T14:00:00.000Z", units: 80 },
      { ...encounter, publicId: "enc_shared" },
    ]),
  ).toEqual([
    "2 encounters belong to sessions that were declined or missed: enc_1, enc_shared",
    "2 encounters share their session: enc_1, enc_shared",
    "1 encounter is on another day than its session: enc_1",
    "1 encounter has more units than its session is long: enc_1",
  ]);
});
