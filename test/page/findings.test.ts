import { expect, test } from "bun:test";
import { checkNames } from "../../src/checks/checks.ts";
import { CHECK_NAMES, groupsOf, sentenceOf } from "../../src/page/app/lib/findings.ts";
import type { Finding } from "../../src/page/app/lib/wire.ts";

/** The texts of findings on the page. */

function finding(patientId: string | null, lastName: string | null, date = "2026-11-23"): Finding {
  return {
    date,
    patientId,
    patientFirstName: lastName && "Leo",
    patientLastName: lastName,
    message: `A session of 8 units on ${date} has ended, and has no encounter.`,
  } as Finding;
}

test("every check has a name, in the order of the API", () => {
  expect(Object.keys(CHECK_NAMES)).toEqual(checkNames);
});

test("dates in a message have the page's format", () => {
  expect(sentenceOf(finding("usr_1", "Park"))).toBe(
    "A session of 8 units on Nov 23, 2026 has ended, and has no encounter.",
  );
});

test("people are sorted by number of findings, then name; their findings keep their order", () => {
  const findings = [
    finding("usr_1", "Park"),
    finding(null, null),
    finding("usr_2", "Abel"),
    finding("usr_3", "Wu", "2026-11-24"),
    finding("usr_3", "Wu", "2026-11-25"),
  ];
  const groups = groupsOf(findings, "patient");
  expect(groups.map(({ id, name }) => [id, name])).toEqual([
    ["usr_3", "Leo Wu"],
    ["usr_2", "Leo Abel"],
    ["usr_1", "Leo Park"],
    [null, "No patient"],
  ]);
  expect(groups[0]?.findings).toEqual([findings[3]!, findings[4]!]);
});
