import { expect, test } from "bun:test";
import { causesOf, CHECKS, IN_ORDER } from "../../../src/page/app/lib/attention/findings.ts";
import { inboxOf } from "../../../src/page/app/lib/attention/inbox.ts";
import type { Finding } from "../../../src/page/app/lib/base/wire.ts";

/** Findings as the sections and rows of the inbox. */

const TODAY = "2026-11-25";

function found(check: Finding["check"], date: string, patientId: string | null): Finding {
  return {
    ...{ check, date, patientId, patientFirstName: "Leo", patientLastName: patientId },
    ...{ providerId: "usr_ana", providerFirstName: "Ana", providerLastName: "Ruiz" },
    ...{ sessionIds: [`apt_${date}`], encounterIds: [], message: `On ${date}.` },
  } as unknown as Finding;
}

const findings = [
  found("PATIENT_LEFT", "2026-11-27", "usr_1"),
  found("NOT_DOCUMENTED", "2026-11-24", "usr_1"),
  found("CREDENTIALS_ENDED", "2026-11-24", "usr_2"),
  found("CREDENTIALS_ENDED", "2026-11-25", "usr_2"),
  found("NOT_DOCUMENTED", "2026-11-23", "usr_2"),
];

const shown = (by: "cause" | "patient" | "provider") =>
  inboxOf(findings, by, TODAY).map(({ heading, personId, count, causes }) => [
    ...[heading, personId, count],
    causes.map(({ check, findings: own }) => `${check} ${own.length}`),
  ]);

test("what has happened stands apart from what is to come, what costs money first", () => {
  expect(shown("cause")).toEqual([
    ["Until yesterday", null, 3, ["NOT_DOCUMENTED 2", "CREDENTIALS_ENDED 1"]],
    ["From today on", null, 2, ["CREDENTIALS_ENDED 1", "PATIENT_LEFT 1"]],
  ]);
  expect(inboxOf([], "cause", TODAY)).toEqual([]);
});

test("by person, each has the same rows, the one with the most findings first", () => {
  expect(shown("patient")).toEqual([
    ["Leo usr_2", "usr_2", 3, ["NOT_DOCUMENTED 1", "CREDENTIALS_ENDED 2"]],
    ["Leo usr_1", "usr_1", 2, ["NOT_DOCUMENTED 1", "PATIENT_LEFT 1"]],
  ]);
  expect(shown("provider")).toEqual([
    ["Ana Ruiz", "usr_ana", 5, ["NOT_DOCUMENTED 2", "CREDENTIALS_ENDED 2", "PATIENT_LEFT 1"]],
  ]);
});

test.each(["cause", "patient", "provider"] as const)(
  "by %s, every finding is in one row, and each row has a key of its own",
  (by) => {
    const causes = inboxOf(findings, by, TODAY).flatMap((section) => section.causes);
    expect(new Set(causes.flatMap((cause) => cause.findings))).toEqual(new Set(findings));
    expect(causes.flatMap((cause) => cause.findings).length).toBe(findings.length);
    expect(new Set(causes.map(({ key }) => key)).size).toBe(causes.length);
  },
);

test("the kinds are in the order of what is at stake, each once", () => {
  const stakes = IN_ORDER.map((check) => CHECKS[check].stake);
  expect([...new Set(stakes)]).toEqual(["money", "deadline", "schedule"]);
  expect(stakes.filter((each, index) => each !== stakes[index - 1]).length).toBe(3);
  expect(causesOf(findings).map(({ check }) => check)).toEqual([
    "NOT_DOCUMENTED",
    "CREDENTIALS_ENDED",
    "PATIENT_LEFT",
  ]);
});
