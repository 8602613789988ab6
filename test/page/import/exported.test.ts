import { expect, test } from "bun:test";
import { importOf, practiceOf } from "./sheets.ts";
import type { Fields } from "./expected.ts";
import { linesIn } from "./expected.ts";

/** What Caseload itself writes as CSV comes in, and changes nothing. */

const base = linesIn("appointments_csv", "base.ndjson");
const practice = practiceOf(base, "America/New_York" as never);

function tableOf(type: string, fields: readonly string[]): string {
  const lines = base.filter((line) => line.type === type);
  const cell = (value: unknown): string => `"${String(value ?? "")}"`;
  const rows = lines.map((line: Fields) => fields.map((field) => cell(line[field])).join(","));
  return [fields.join(","), ...rows].join("\n");
}

const authorization = [
  ...["publicId", "patientId", "authorizationPoolId", "payorId", "authorizationNumber"],
  ...["authorizationStatus", "authorizedUnitsQuantity", "authorizedUnitFrequency"],
  ...["serviceLineId", "authorizationDate", "authorizationExpirationDate"],
];

test("authorizations", async () => {
  const { sheets, changed, mistakes } = await importOf(practice, [
    ["authorization.csv", tableOf("authorization", authorization)],
  ]);
  expect([sheets[0]?.type, changed, mistakes]).toEqual(["authorizations", [], []]);
  expect(sheets[0]?.fields.filter((field) => field === undefined)).toHaveLength(1);
});

test("sessions", async () => {
  const session = {
    ...{ type: "session", publicId: "apt_7", title: "Team meeting", status: "PATIENT_NO_SHOW" },
    ...{ startTime: "2026-03-02T14:00:00.000Z", endTime: "2026-03-02T16:00:00.000Z" },
    ...{
      isSupervision: false,
      isClientPresent: false,
      placeOfService: "SCHOOL",
      locationId: "loc_0",
    },
    ...{ technicianId: "usr_s2", isBillable: false, nonBillableCode: "nbc_meeting" },
  };
  const fields = Object.keys(session).filter((field) => field !== "type");
  const row = {
    ...session,
    startTime: "2026-03-02 09:00",
    endTime: "2026-03-02 11:00",
    status: "No-show",
  };
  const text = `${fields.join(",")}\n${fields.map((field) => row[field as keyof typeof row]).join(",")}`;
  const stored = practiceOf([...base, session], "America/New_York" as never);
  const { sheets, changed, mistakes } = await importOf(stored, [["session.csv", text]]);
  expect([sheets[0]?.type, changed, mistakes]).toEqual(["appointments", [], []]);
});

test("people of all kinds: those of another kind than the sheet are left out, and said", async () => {
  const fields = [
    "publicId",
    "role",
    "firstName",
    "lastName",
    "email",
    "birthDate",
    "internalRecordId",
    "userStatus",
  ];
  const { changed, said, mistakes } = await importOf(practice, [
    ["user.csv", tableOf("user", fields)],
  ]);
  expect([changed, mistakes]).toEqual([[], []]);
  expect(said.map(([, note]) => note)).toEqual([
    expect.stringMatching(
      /^role: left out: is of another kind, ADMIN \(rows 2, 3, 4 and \d+ more\)$/,
    ),
  ]);
});
