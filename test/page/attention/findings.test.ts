import { expect, test } from "bun:test";
import type { CalendarDate } from "../../../src/lib/calendar-date.ts";
import { checkNames } from "../../../src/checks/checks.ts";
import {
  broughtTexts,
  causesOf,
  CHECKS,
  findingRows,
  groupsOf,
  sentenceOf,
} from "../../../src/page/app/lib/attention/findings.ts";
import type { Finding } from "../../../src/page/app/lib/base/wire.ts";

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
  expect(Object.keys(CHECKS)).toEqual(checkNames);
});

test("dates in a message have the page's format", () => {
  expect(sentenceOf(finding("usr_1", "Park"))).toBe(
    "A session of 8 units on Nov 23, 2026 has ended, and is not documented.",
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

test("findings with one reason are one cause, in the order of the checks", () => {
  const ended = (patientId: string, date: string) => ({
    ...finding(patientId, "Park"),
    check: "CREDENTIALS_ENDED" as const,
    providerId: "usr_ana",
    providerFirstName: "Ana",
    providerLastName: "Rentería",
    date: date as CalendarDate,
    message: `A session on ${date} has a provider whose last credential expired on 2026-11-28.`,
  });
  const findings = [
    ended("usr_1", "2026-11-30"),
    ended("usr_2", "2026-12-18"),
    {
      ...finding("usr_1", "Park"),
      check: "NOT_DOCUMENTED" as const,
      ...{ providerId: "usr_bo", providerFirstName: "Bo", providerLastName: "Lind" },
    },
  ];
  const causes = causesOf(findings);
  // Of several patients of one name, it is said once; whom a cause is about is not said again.
  expect(causes.map(({ patients }) => patients)).toEqual([["Leo Park"], ["Leo Park"]]);
  const [declined] = causesOf([{ ...finding("usr_1", "Park"), check: "DELIVERED_TWICE" }]);
  expect([declined?.person?.name, declined?.patients]).toEqual(["Leo Park", []]);
  expect(causes.map(({ check, person, sentence }) => [check, person?.name, sentence])).toEqual([
    [
      "NOT_DOCUMENTED",
      "Bo Lind",
      "A session of 8 units on Nov 23 has ended, and is not documented.",
    ],
    [
      "CREDENTIALS_ENDED",
      "Ana Rentería",
      "The last credential ends Nov 28, 2026: 2 sessions after it, Nov 30 – Dec 18.",
    ],
  ]);
});

test("a spreadsheet has names for ids, and empty cells where there is nobody", () => {
  const own = {
    ...finding("usr_1", "Park"),
    ...{ check: "NOT_DOCUMENTED", providerId: null, payorId: "pay_1" },
    ...{ authorizationEndDate: "2026-12-31", units: 8 },
  } as Finding;
  const nobody = {
    ...finding(null, null),
    ...{ check: "PROVIDER_OVERLAP", providerId: "usr_2", payorId: null },
    ...{ providerFirstName: "Ana", providerLastName: "Ruiz" },
    ...{ authorizationEndDate: null, units: null },
  } as Finding;
  const [headings, ...rows] = findingRows([own, nobody], () => "Northgate");
  expect(headings?.length).toBe(8);
  expect(rows.map((row) => row.slice(0, -1))).toEqual([
    ["Not documented", "2026-11-23", "Leo Park", "", "Northgate", "2026-12-31", 8],
    ["Provider double-booked", "2026-11-23", "", "Ana Ruiz", "", "", ""],
  ]);
});

test("of one check, the largest cause comes first; members of a pool are one cause", () => {
  const over = (authorizationId: string, poolId: string | null, day: number) => ({
    ...finding("usr_1", "Park", `2026-11-0${day}`),
    ...{ check: "OVER_AUTHORIZED" as const, authorizationId, poolId },
    authorizationEndDate: "2026-12-31" as CalendarDate,
  });
  const causes = causesOf([
    over("auth_1", null, 1),
    over("auth_2", "apool_1", 2),
    over("auth_3", "apool_1", 3),
  ]);
  expect(causes.map(({ findings }) => findings.map((each) => each.authorizationId))).toEqual([
    ["auth_2", "auth_3"],
    ["auth_1"],
  ]);
  // A patient may have several of them.
  expect(causes[0]?.sentence).toBe(
    "2 periods over the authorized units, Nov 2 – 3. The authorization ends Dec 31, 2026.",
  );
});

test("what a change brings: sentences, with the name of whoever is booked twice, and what is more of what was there", () => {
  const about = (check: Finding["check"], more: Partial<Finding>): Finding => ({
    ...finding("usr_1", "Park"),
    ...{ check, providerId: null, authorizationId: "auth_1", poolId: null, units: 8 },
    ...{ message: "A period has 8 units more than authorized.", ...more },
  });
  const overlap = about("PROVIDER_OVERLAP", {
    ...{ providerId: "usr_2", providerFirstName: "Ana", providerLastName: "Ruiz", units: null },
    message: "A session on 2026-11-23 overlaps another one by 30 minutes.",
  });
  const over = about("OVER_AUTHORIZED", {});
  const told = (brought: Finding[], mended: Finding[] = [], left = 0): string[] =>
    broughtTexts({ brought, mended, totals: { brought: brought.length + left, mended: 0 } });
  expect(told([])).toEqual([]);
  expect(told([overlap, over])).toEqual([
    "Ana Ruiz: A session on Nov 23, 2026 overlaps another one by 30 minutes.",
    "A period has 8 units more than authorized.",
  ]);
  // Only its units have changed: to more, or to less.
  expect(told([over], [about("OVER_AUTHORIZED", { units: 5 })])).toEqual([
    "Over the authorized units: 3 units more.",
  ]);
  expect(told([over], [about("OVER_AUTHORIZED", { units: 9 })])).toEqual([]);
  // Another authorization's is another finding.
  const other = about("OVER_AUTHORIZED", { authorizationId: "auth_2", units: 5 });
  expect(told([over], [other])).toHaveLength(1);
  const many = Array.from({ length: 10 }, (_, day) =>
    about("NO_AUTHORIZATION", { message: `A session on 2026-11-${day + 10} has none.` }),
  );
  expect(told(many, [], 90)).toEqual([
    ...many.slice(0, 8).map((_, day) => `A session on Nov ${day + 10}, 2026 has none.`),
    "92 findings more.",
  ]);
});
