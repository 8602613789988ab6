import { expect, test } from "bun:test";
import { newClient } from "../support/client.ts";
import { newService } from "../support/harness.ts";
import {
  authorization,
  authorizationPool,
  encounter,
  location,
  patient,
  payor,
  serviceLine,
  session,
} from "../support/practice-file/lines.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { statementsOf, withoutBoundaries } from "../support/statements.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/**
 * POST /v1/authorization-utilization/{publicId}/what-if: when sessions fit, and refusals. More cases are in
 * test/vectors/utilization, and counting is compared with an oracle in what-if-properties.test.ts.
 */

const practice = await transcripts();

/** A session from 14:00 to 15:00 UTC on a day, which is four units. */
const hourOn = (date: string) => ({
  startTime: `${date}T14:00:00.000Z`,
  endTime: `${date}T15:00:00.000Z`,
});
/** An authorization for March 2026 with 8 units a week. */
const march = (publicId: string, more: Fields = {}) =>
  authorization(publicId, {
    ...{ authorizedUnitsQuantity: 8, authorizationDate: "2026-03-02" },
    ...{ authorizationExpirationDate: "2026-03-31", ...more },
  });
const book = (publicId: string, authorizationId: string, date: string, more: Fields = {}) =>
  session(publicId, `${date} 14:00-15:00`, { authorizationId, ...more });
const member = (publicId: string, more: Fields) =>
  march(publicId, {
    ...{ authorizationPoolId: "apool_1", authorizedUnitsQuantity: null },
    ...{ authorizedUnitFrequency: null, ...more },
  });

/** In the first whole week one session was delivered and one is ahead. In the next, one is declined. */
const lines = [
  ...[location("loc_main"), payor("pay_acme"), serviceLine("svc_1"), patient("usr_leo")],
  ...[march("auth_alone"), march("auth_other")],
  book("apt_delivered", "auth_alone", "2026-03-09"),
  encounter("enc_1", "2026-03-09 14:00", 3.5, {
    ...{ authorizationId: "auth_alone", sessionId: "apt_delivered" },
  }),
  book("apt_ahead", "auth_alone", "2026-03-13"),
  book("apt_declined", "auth_alone", "2026-03-17", { status: "DECLINED" }),
  book("apt_elsewhere", "auth_other", "2026-03-04"),
];

const post = (id: string, question: object, status: number, body?: object): Step => [
  ...([`POST authorization-utilization/${id}/what-if`, question, status, body] as const),
];
const fits = (question: object, ...periods: object[]): Step =>
  post(
    "auth_alone",
    question,
    200,
    whole({
      ...{ authorizationPublicId: "auth_alone", poolPublicId: null },
      ...{ timezone: "America/New_York", fits: true, periods, poolPeriods: null, outside: [] },
    }),
  );
const period = (
  startDate: string,
  endDate: string,
  [unitsAuthorized, unitsCommitted, unitsAfter, unitsOver]: readonly number[],
) => ({
  ...{ startDate, endDate, unitsAuthorized, unitsCommitted, unitsAfter, unitsOver },
});
const week = (after: number) => period("2026-03-08", "2026-03-14", [8, 7.5, after, 0]);

practice(lines)("an authorization on its own", [
  fits({}),
  fits({ add: [], cancel: [] }),
  // Null means absent, and unknown fields are ignored.
  fits({ add: null, cancel: null, timezone: null }),
  fits({ adds: [hourOn("2026-03-12")], publicId: "auth_none" }),
  // The period of a session that was declined is shown, too.
  fits({ cancel: ["apt_declined"] }, period("2026-03-15", "2026-03-21", [8, 0, 0, 0])),
  // Cancelled twice, a session counts once.
  fits({ cancel: ["apt_ahead", "apt_ahead"] }, week(3.5)),
  fits(
    { add: [hourOn("2026-03-30"), hourOn("2026-03-03")] },
    period("2026-03-02", "2026-03-07", [8, 0, 4, 0]),
    period("2026-03-29", "2026-03-31", [8, 0, 4, 0]),
  ),
  // An instant with an offset, and a session without length.
  fits({ add: [{ startTime: "2026-03-12T10:00-04:00", endTime: "2026-03-12T14:00Z" }] }, week(7.5)),
]);

practice([
  ...[...lines, authorizationPool("apool_1", { totalUnits: 12 })],
  member("auth_early", { authorizationExpirationDate: "2026-03-12" }),
  member("auth_late", { authorizedUnitsQuantity: 6, authorizationDate: "2026-03-10" }),
  member("auth_monthly", { authorizedUnitsQuantity: 8, authorizedUnitFrequency: "MONTHLY" }),
  member("auth_weekly", { authorizedUnitsQuantity: 8, authorizedUnitFrequency: "WEEKLY" }),
  book("apt_early", "auth_early", "2026-03-05"),
])("a member of a pool has its own periods and the pool's, both in the pool's frequency", [
  post(
    "auth_late",
    { add: [hourOn("2026-03-11")] },
    200,
    whole({
      ...{ authorizationPublicId: "auth_late", poolPublicId: "apool_1" },
      ...{ timezone: "America/New_York", fits: true, outside: [] },
      periods: [period("2026-03-10", "2026-03-31", [6, 0, 4, 0])],
      poolPeriods: [period("2026-03-02", "2026-03-31", [12, 4, 8, 0])],
    }),
  ),
  post(
    "apool_1",
    { add: [hourOn("2026-03-11")] },
    400,
    error(400, "A pool has no sessions: name an authorization of it"),
  ),
]);

const reversed = { startTime: "2026-03-12T15:00:00Z", endTime: "2026-03-12T14:59:59.999Z" };
const invalid = (...issues: (readonly [readonly (string | number)[], string])[]) =>
  whole({
    ...{ message: "Validation Error", statusCode: 400 },
    validationErrors: issues.map(([path, message]) => ({ code: "custom", message, path })),
  });
const early = (index: number) =>
  [["add", index, "endTime"], "endTime must not be before startTime"] as const;
const foreign = (index: number) =>
  [["cancel", index], "Must be a session of this authorization"] as const;
const notFound = error(404, "Authorization not found");

practice(
  [
    ...[...lines, patient("usr_odd", { timezone: "Eastern Time" })],
    march("auth_zoneless", { patientId: "usr_odd" }),
  ],
  { elsewhere: [...lines, march("auth_theirs"), book("apt_theirs", "auth_theirs", "2026-03-10")] },
)("refused", [
  post("auth_none", {}, 404, notFound),
  post("usr_leo", {}, 404, notFound),
  post("auth_theirs", {}, 404, notFound),
  // Sessions of another organization are unknown.
  [
    "elsewhere: POST authorization-utilization/auth_theirs/what-if",
    { timezone: "UTC", cancel: ["apt_theirs"] },
    200,
  ],
  post("auth_alone", { cancel: ["apt_theirs"] }, 400, invalid(foreign(0))),
  // By index.
  post(
    "auth_alone",
    {
      add: [hourOn("2026-03-11"), reversed, reversed],
      cancel: ["apt_ahead", "apt_none", "apt_elsewhere", ""],
    },
    400,
    invalid(early(1), early(2), foreign(1), foreign(2), foreign(3)),
  ),
  // Before an unknown authorization.
  post("auth_none", { add: [reversed], cancel: ["apt_none"] }, 400, invalid(early(0))),
  // 50 at most.
  post(
    "auth_alone",
    { cancel: Array(500).fill("apt_none") },
    400,
    invalid(...Array.from({ length: 50 }, (_, index) => foreign(index))),
  ),
  post(
    "auth_zoneless",
    {},
    422,
    error(422, "The patient's home address has no supported time zone: pass timezone"),
  ),
  post("auth_zoneless", { timezone: "UTC" }, 200),
  // Issues of the body are reported first.
  post("auth_zoneless", { cancel: ["apt_none"] }, 400),
  // A malformed id is reported before the body.
  post(
    "a.b",
    { add: 5 },
    400,
    invalid([["publicId"], "Must be an id of 1 to 128 letters, digits, underscores or hyphens"]),
  ),
]);

function error(statusCode: number, text: string) {
  return whole({ error: text, statusCode });
}

/** What a transcript does not show: time, headers and what is written. */
const service = await newService();
const { key } = await newClient(service, [
  ...lines,
  march("auth_forever", {
    ...{ authorizedUnitFrequency: "DAILY", authorizationExpirationDate: "9999-12-31" },
  }),
]);
const ask = (id: string, json: object, headers: Record<string, string> = {}) =>
  service.call(`POST /api/v1/authorization-utilization/${id}/what-if`, { key, json, headers });

test("DAILY without end: periods between two added sessions are not computed", async () => {
  // Processor time, because other processes may be busy. All periods would take seconds.
  const before = process.cpuUsage();
  const { body } = await ask("auth_forever", { add: [hourOn("2026-03-10"), hourOn("9999-12-30")] });
  expect(body).toMatchObject({
    fits: true,
    periods: [{ startDate: "2026-03-10" }, { startDate: "9999-12-30" }],
  });
  expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(1);
});

test("no response is stored for an Idempotency-Key, which must be one", async () => {
  const again = { "Idempotency-Key": "again" };
  const first = await ask("auth_alone", { add: [hourOn("2026-03-18")] }, again);
  const second = await ask("auth_alone", {}, again);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.headers.has("idempotency-replayed")).toBe(false);
  const kept = await service.database.read((db) =>
    db.selectFrom("idempotent_responses").selectAll().execute(),
  );
  expect(kept).toEqual([]);
  const { status, body } = await ask("auth_alone", {}, { "Idempotency-Key": "a b" });
  const text = "Idempotency-Key must be 1 to 255 visible ASCII characters";
  expect([status, body]).toEqual([400, { error: text, statusCode: 400 }]);
});

test("the statements write nothing but an audit entry, and are the same for large requests", async () => {
  const statementsFor = async (count: number) => {
    const add = Array(count).fill(hourOn("2026-03-18"));
    return (await statementsOf(() => ask("auth_alone", { add, cancel: ["apt_ahead"] }))).statements;
  };
  const statements = await statementsFor(500);
  // A large body waits for its slot, and so has a snapshot of a later turn than its key.
  expect(withoutBoundaries(statements)).toEqual(withoutBoundaries(await statementsFor(1)));
  const writing = statements.filter((text) => /^(insert|update|delete)/.test(text));
  expect(writing).toContainEqual(expect.stringMatching(/^insert into "audit_entries"/));
  expect(writing.filter((text) => !text.includes("audit"))).toEqual([]);
});
