import { expect, test } from "bun:test";
import type { Patient } from "../../../src/page/app/lib/authorizations/authorizations.ts";
import type { CalendarDate } from "../../../src/page/app/lib/base/dates.ts";
import { sessionChoices } from "../../../src/page/app/lib/session/session-choices.ts";
import type { OverviewEntry } from "../../../src/page/app/lib/base/wire.ts";

const lines = [
  { publicId: "line_group", name: "Group" },
  { publicId: "line_therapy", name: "Therapy" },
];
const codes = [{ publicId: "code_team", name: "Team meeting" }];

function entry(publicId: string, number: string, first: string, last: string) {
  return {
    ...{ publicId, authorizationNumber: number, authorizationStatus: "AUTHORIZED" },
    serviceLine: { publicId: "line_therapy", name: "Therapy" },
    ...{ authorizationDate: first, authorizationExpirationDate: last },
  };
}

const patient = {
  role: "PATIENT",
  authorizations: [
    {
      ...entry("auth_1", "A-1", "2026-11-01", "2026-11-30"),
      ...{ authorizedUnitsQuantity: 16, authorizedUnitFrequency: "WEEKLY" },
    },
  ],
  authorizationPools: [
    {
      ...{ publicId: "apool_1", totalUnits: 40, unitFrequency: "WEEKLY", isUnlimited: false },
      payor: { publicId: "pay_1", name: "Fairwind" },
      authorizations: [entry("auth_2", "P-1", "2026-11-30", "2026-12-10")],
    },
  ],
} as unknown as Patient;

const entries = [
  { publicId: "auth_1", unitsLeft: 12 },
  { publicId: "apool_1", unitsLeft: 0 },
] as OverviewEntry[];

const namesOn = (day: string | undefined) =>
  sessionChoices({ patient, day: day as CalendarDate | undefined, entries, lines, codes }).map(
    ({ name }) => name,
  );

const WITHOUT = ["Therapy, without an authorization", "Group, without an authorization"];
const TEAM = "Not billable: Team meeting";

test("authorizations in force come first, with what is left of them or their pool", () => {
  expect(namesOn("2026-11-30")).toEqual([
    ...["Therapy, 0 left, P-1", "Therapy, 12 left, A-1", ...WITHOUT, TEAM],
  ]);
  expect(namesOn("2026-11-29")).toEqual(["Therapy, 12 left, A-1", ...WITHOUT, TEAM]);
  expect(namesOn("2026-12-10")[0]).toBe("Therapy, 0 left, P-1");
});

test("of a patient without one that day, the services that they have had come first", () => {
  expect(namesOn("2026-10-31")).toEqual([...WITHOUT, TEAM]);
  expect(namesOn("2026-12-11")).toEqual([...WITHOUT, TEAM]);
  expect(namesOn(undefined)).toEqual([...WITHOUT, TEAM]);
});

test("without a patient there is only what is not billable", () => {
  const day = "2026-11-30" as CalendarDate;
  expect(sessionChoices({ patient: undefined, day, entries, lines, codes })).toEqual([
    { value: "code_team", name: TEAM, title: "Team meeting", isBillable: false, id: "code_team" },
  ]);
});
