import { expect } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import { forgetWrites } from "../../src/organizations/write-repository.ts";
import { NOW } from "../support/harness.ts";
import { newLead } from "../support/intake-leads/practice.ts";
import {
  behaviorGoal,
  fullPractice,
  organization,
  patient,
  technician,
} from "../support/practice-file/full-practice.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { refused, type Step, transcripts, whole } from "../support/transcript.ts";

/** `GET /v1/practice-file`: `changes` says what was done with each record, and `since` begins with a day. */

const practice = (await transcripts())(fullPractice);
const own = { ...organization, publicId: "$organization" };
const annex = { type: "location", publicId: "loc_new", name: "Annex" };
const north = { ...annex, name: "North annex" };

/** Somebody writes lines at a time. */
const write = (at: string, who: string, ...lines: Fields[]): Step[] => [
  [at],
  [`${who}: POST practice-file`, lines, 200],
];
const did = (change: string, publicId: unknown, changedBy: string, changedAt: string) => ({
  ...{ change, publicId, changedBy, changedAt },
});
/** As the service does in the night. */
const forget = (before: string): Step => [
  (database, organizationId) =>
    database.write((trx) => forgetWrites(trx, organizationId, before as Instant), {
      organizationId,
    }),
];
const changes = (query: string, ...records: object[]): Step => [
  `GET practice-file?changes=true&${query}`,
  200,
  [whole(own), ...records],
];

const june = (day: number) => `2026-06-0${day}T12:00:00.000Z`;
const deletion = did("DELETED", "pay_new", "Dana Cole", june(7));
practice(
  "changes say what was done after the sequence, and when and by whom a record was written last: a person, a key, or a command's operator",
  [
    [
      "GET practice-file?ids=loc_main&changes=true",
      200,
      [{}, did("CREATED", "loc_main", "ana", NOW)],
    ],
    ...write(june(2), "ADMIN", {
      ...{ type: "user", publicId: "usr_boss", role: "ADMIN", firstName: "Dana", lastName: "Cole" },
    }),
    ...write(june(3), "usr_boss", annex, { type: "payor", publicId: "pay_new", name: "Fairwind" }),
    ...write(june(4), "ADMIN", north),
    [june(6)],
    [...([`PATCH goals/${String(behaviorGoal.publicId)}`, { status: "MASTERED" }, 200] as const)],
    ...write(june(7), "usr_boss", { type: "payor", publicId: "pay_new", deleted: true }),
    // The location was made after 1, and changed after 3.
    changes(
      "after=1",
      did("CREATED", "loc_new", "test", june(4)),
      did("CREATED", "usr_boss", "test", june(2)),
      did("CHANGED", "goal_behavior", "test", june(6)),
      deletion,
    ),
    changes("after=3&types=location,payor", did("CHANGED", "loc_new", "test", june(4)), deletion),
  ],
);

practice(
  "a person and a lead made by the API are new, and so is a record that was deleted and made again",
  [
    ...write(june(2), "ADMIN", annex),
    ...write(june(2), "ADMIN", { type: "location", publicId: "loc_new", deleted: true }),
    ...write(june(3), "ADMIN", annex),
    [
      ...(["POST users", { firstName: "Ida", lastName: "Quist", role: "PATIENT" }, 200] as const),
      { user: { publicId: "$ida" } },
    ],
    [
      ...(["POST intake-leads", newLead(), 201] as const),
      { client: { publicId: "$client" }, caregiver: { publicId: "$caregiver" } },
    ],
    changes(
      "after=2&types=location,user,intakeLead",
      ...["loc_new", "$ida", "$client", "$caregiver", expect.stringMatching(/^lead_/)].map((id) =>
        did("CREATED", id, "test", june(3)),
      ),
    ),
  ],
);

practice("changes are for ADMIN alone, whatever the types", [
  ["BILLING_MANAGER: GET practice-file?types=encounter", 200],
  [
    "BILLING_MANAGER: GET practice-file?types=encounter&changes=true",
    403,
    { error: "Insufficient permissions for this action" },
  ],
  ["BILLING_MANAGER: GET practice-file?types=encounter&changes=false", 200],
]);

const since = (day: string, ...records: object[]): Step => [
  ...([`GET practice-file?since=${day}`, 200, [whole(own), ...records]] as const),
  { "Caseload-Sequence": "3" },
];
// In the zone of the practice, New York, a day begins at 4:00, or at 5:00 in winter.
practice("since begins with the day in the practice's time zone", [
  ...write("2026-06-03T03:59:59.999Z", "ADMIN", annex),
  ...write("2026-06-03T04:00:00.000Z", "ADMIN", north),
  since("2026-03-11", ...[north, ...fullPractice.slice(1)].map(() => ({}))),
  since("2026-06-02", whole(north)),
  since("2026-06-03", whole(north)),
  since("2026-06-04"),
]);

practice("no day, and one beside a sequence, are a 400", [
  ["GET practice-file?since=2026-06-31", 400, { validationErrors: [{ path: ["since"] }] }],
  refused("GET practice-file?since=2026-06-01&after=1", "since", "Stands instead of after"),
]);

const wroteLast = (changedBy: string | null, changedAt: string | null): Step => [
  "GET practice-file?changes=true&ids=loc_main",
  200,
  [{}, { publicId: "loc_main", changedBy, changedAt }],
];
practice("who wrote what is not known after 400 days, except of the last write", [
  forget("2026-06-02T00:00:00.000Z"),
  wroteLast("ana", NOW),
  ...write("2026-06-03T12:00:00.000Z", "ADMIN", annex),
  forget("2026-06-02T00:00:00.000Z"),
  wroteLast(null, null),
]);

practice("what changes nothing is not taken for the last write after 400 days", [
  forget("2027-08-01T00:00:00.000Z"),
  ...write("2027-08-01T12:00:00.000Z", "ADMIN"),
  wroteLast("ana", NOW),
]);

const locationsSince = (day: string, ...records: object[]): Step => [
  ...([`GET practice-file?since=${day}&types=location`, 200, [{}, ...records]] as const),
];
const south = { ...annex, name: "South annex" };
const sinceEachDay = [
  ...["2026-11-30", "2027-07-01", "2026-06-02"].map((day) => locationsSince(day, south)),
  locationsSince("2027-07-02"),
];
practice(
  "since begins with any day of the last 400, also if nothing was written before it that is known",
  [
    ...write("2026-12-01T12:00:00.000Z", "ADMIN", annex),
    ...write("2026-12-02T12:00:00.000Z", "ADMIN", north),
    // 2026-06-02 is 394 days before.
    ...write("2027-07-01T12:00:00.000Z", "ADMIN", south),
    ...sinceEachDay,
    forget("2026-06-02T00:00:00.000Z"),
    ...sinceEachDay,
  ],
);

const unknownSince = (day: string): Step => [
  `GET practice-file?since=${day}&types=location`,
  410,
  { error: `Changes since ${day} are no longer known; export everything` },
];
practice("a day more than 400 days ago is a 410, except of a practice whose first write is known", [
  ...write("2026-07-01T12:00:00.000Z", "ADMIN", annex),
  ...write("2026-08-01T12:00:00.000Z", "ADMIN", north),
  // 400 days after 2026-07-15.
  ["2027-08-19T04:00:00.000Z"],
  locationsSince("2020-01-01", ...[{}, north, {}]),
  forget("2026-07-15T00:00:00.000Z"),
  locationsSince("2026-07-15", north),
  ...["2026-07-14", "2020-01-01"].map(unknownSince),
]);

practice("a day before changes are known is a 410", [unknownSince("2026-03-11")], {
  organization: { changes_known_from: 1 },
});

practice(
  "ids are those of the records to send, of the types that are named, in the order of an export",
  [
    [
      "GET practice-file?ids=usr_tech,loc_main,usr_none,usr_kid",
      200,
      whole([
        own,
        { type: "location", publicId: "loc_main", name: "Main clinic" },
        patient,
        technician,
      ]),
    ],
    [
      "SCHEDULING_MANAGER: GET practice-file?ids=usr_tech,loc_main&types=user",
      200,
      whole([own, technician]),
    ],
    ["SCHEDULING_MANAGER: GET practice-file?ids=usr_tech", 403],
  ],
);

const ids = Array.from({ length: 101 }, (_, index) => `usr_${index}`);
practice("ids beside a sequence or a day, and more than 100, are a 400", [
  ...["after=1", "since=2026-06-01"].map((query) =>
    refused(`GET practice-file?ids=usr_1&${query}`, "ids", "Stands instead of after and since"),
  ),
  [`GET practice-file?ids=${ids.slice(1).join(",")}`, 200],
  [`GET practice-file?ids=${ids.join(",")}`, 400],
  ["GET practice-file?ids=usr_1,,usr_2", 400],
]);
