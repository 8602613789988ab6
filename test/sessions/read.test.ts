import { placesOfService, sessionStatuses } from "../../src/sessions/model.ts";
import { plainBody } from "../support/body-rules.ts";
import { validationBody } from "../support/list-rules.ts";
import { found, pages } from "../support/pages.ts";
import {
  authorization,
  clinician,
  location,
  patient,
  payor,
  serviceLine,
  technician,
} from "../support/practice-file/lines.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** GET /v1/sessions and /v1/sessions/{sessionId} (specification, sections 4.3 and 4.4). */

const practice = await transcripts();

const people = [
  ...[location("loc_main"), location("loc_home"), payor("pay_acme"), serviceLine("svc_97153")],
  { type: "nonBillableCode", publicId: "nbc_meeting", name: "Meeting" },
  ...[patient("usr_leo"), patient("usr_mia"), technician("usr_tech"), clinician("usr_bcba")],
  authorization("auth_leo", { payorId: "pay_acme", serviceLineId: "svc_97153" }),
];
/** Sessions with every field, as responses have them. */
const billable = {
  ...{ publicId: "apt_billable", title: "Direct therapy", status: "CONFIRMED" },
  ...{ startTime: "2026-03-10T14:00:00.000Z", endTime: "2026-03-10T15:30:00.000Z" },
  ...{ isSupervision: false, isClientPresent: true, placeOfService: "HOME" },
  ...{ locationId: "loc_main", technicianId: "usr_tech", clientId: "usr_leo" },
  ...{ isBillable: true, isTelehealth: true, clinicianId: "usr_bcba" },
  ...{ providerLocationId: "loc_home", services: "svc_97153" },
};
const meeting = {
  ...{ publicId: "apt_meeting", title: "Team meeting", status: "UNCONFIRMED" },
  ...{ startTime: "2026-03-11T08:00:00.000Z", endTime: "2026-03-11T08:00:00.000Z" },
  ...{ isSupervision: true, isClientPresent: false, placeOfService: "OFFICE" },
  ...{ locationId: "loc_main", technicianId: "usr_tech", clientId: "usr_mia" },
  ...{ isBillable: false, nonBillableCode: "nbc_meeting" },
};
const lines = (sessions: readonly Fields[]) => [
  ...people,
  ...sessions.map((session) => ({ type: "session", ...session })),
];

const nobody = { technicianId: null, clientId: null };
const each = [
  ...[billable, meeting],
  {
    ...{ ...billable, ...nobody, publicId: "apt_bare", isTelehealth: false },
    ...{ clinicianId: null, providerLocationId: null },
  },
  { ...meeting, ...nobody, publicId: "apt_lonely" },
  ...sessionStatuses.map((status) => ({ ...billable, publicId: `apt_${status}`, status })),
  ...placesOfService.map((placeOfService) => ({
    ...{ ...billable, publicId: `apt_${placeOfService}`, placeOfService },
  })),
  ...["7", "A-z_0", "x".repeat(128)].map((publicId) => ({ ...billable, publicId })),
];
practice(lines(each), { elsewhere: lines([{ ...billable, publicId: "apt_theirs" }]) })(
  "a session has its fields, whatever is in them; an unknown one is 404",
  [
    ...each.map((session): Step => [`GET sessions/${session.publicId}`, 200, whole(session)]),
    ...["apt_none", "usr_leo", "loc_main", "$organization", "APT_BILLABLE", "apt_theirs"].map(
      (id): Step => [`GET sessions/${id}`, 404, plainBody(404, "Session not found")],
    ),
  ],
);

const at = (time: string) => ({
  ...{ startTime: `2026-03-${time}Z`, endTime: "2026-04-01T00:00:00.000Z" },
});
const [z, b, c, d, e] = [
  { ...billable, publicId: "apt_z", ...at("10T23:59:59.999"), clinicianId: null },
  { ...billable, publicId: "apt_b", ...at("11T00:00:00.000"), ...nobody, clinicianId: null },
  { ...billable, publicId: "apt_c", ...at("11T00:00:00.000") },
  { ...billable, publicId: "apt_d", ...at("11T23:59:59.999"), clientId: "usr_mia" },
  { ...meeting, publicId: "apt_e", ...at("12T00:00:00.000") },
] as const;

const finds = (query: string, ids: string): Step =>
  found(
    `GET sessions?${query}`,
    [...ids].map((id) => `apt_${id}`),
  );

practice(lines([e, d, { ...c, authorizationId: "auth_leo" }, b, z]), { elsewhere: people })(
  "sessions come in pages, by start and id, and by filters with the total of the filtered ones",
  [
    ...pages(
      "GET sessions",
      [z, b, c, d, e].map(({ publicId }) => publicId),
    ),
    [
      ...(["GET sessions?startDate=2026-03-11", 200] as const),
      whole({
        data: [b, c, d, e],
        pagination: { page: 1, pageSize: 25, totalCount: 4, totalPages: 1 },
      }),
    ],
    [
      ...(["GET sessions?technicianId=usr_tech&pageSize=3&page=2", 200] as const),
      {
        data: [{ publicId: "apt_e" }],
        pagination: { page: 2, pageSize: 3, totalCount: 4, totalPages: 2 },
      },
    ],
    finds("sort=startTime_asc", "zbcde"),
    finds("sort=startTime_desc", "edbcz"),
    finds("sort=startTime_desc&clientId=usr_leo", "cz"),
    finds("sort=startTime_desc&startDate=2026-03-11&endDate=2026-03-11", "dbc"),
    finds("clientId=usr_leo", "zc"),
    finds("clientId=usr_mia", "de"),
    finds("technicianId=usr_tech", "zcde"),
    finds("clinicianId=usr_bcba", "cd"),
    finds("clientId=usr_leo&clinicianId=usr_bcba", "c"),
    finds("clientId=usr_leo&technicianId=usr_tech&clinicianId=usr_bcba", "c"),
    finds("authorizationId=auth_leo", "c"),
    finds("authorizationId=auth_leo&startDate=2026-03-11&endDate=2026-03-11", "c"),
    finds("authorizationId=auth_leo&clientId=usr_mia", ""),
    // Ids are opaque: an unknown one, or one of another record type, matches nothing.
    ...["usr_none", "", "USR_LEO", "usr_leo%20", "%25", "%", "%zz", "apt_c"].map((id) =>
      finds(`clientId=${id}`, ""),
    ),
    finds("clientId=usr_%6Ceo", "zc"),
    finds("technicianId=usr_bcba", ""),
    finds("clinicianId=usr_tech", ""),
    finds("authorizationId=AUTH_LEO", ""),
    // Days are UTC days, both included. A session belongs to the day on which it starts.
    finds("startDate=2026-03-10", "zbcde"),
    finds("startDate=2026-03-11", "bcde"),
    finds("startDate=2026-03-12", "e"),
    finds("startDate=2026-03-13", ""),
    finds("endDate=2026-03-12", "zbcde"),
    finds("endDate=2026-03-11", "zbcd"),
    finds("endDate=2026-03-10", "z"),
    finds("endDate=2026-03-09", ""),
    finds("startDate=2026-03-11&endDate=2026-03-11", "bcd"),
    finds("startDate=0001-01-01&endDate=9999-12-31", "zbcde"),
    finds("startDate=2026-03-11&endDate=2026-03-11&clientId=usr_mia", "d"),
    finds("startDate=2026-03-12&clientId=usr_leo", ""),
    finds("endDate=2026-03-10&technicianId=usr_tech", "z"),
    finds("startDate=2026-03-11&clinicianId=usr_bcba&clientId=usr_leo", "c"),
    finds("startDate=2024-02-29", "zbcde"),
    // With timezone, days begin and end by the clocks of that zone.
    finds("timezone=America/New_York", "zbcde"),
    finds("startDate=2026-03-11&timezone=America/New_York", "de"),
    finds("endDate=2026-03-10&timezone=America/New_York", "zbc"),
    finds("startDate=2026-03-11&endDate=2026-03-11&timezone=Asia/Tokyo", "zbc"),
    finds("startDate=2026-03-12&timezone=Asia/Tokyo", "de"),
    finds("startDate=2026-03-12&timezone=Asia/Tokyo&clientId=usr_leo", ""),
    finds("startDate=2026-03-11&endDate=2026-03-11&timezone=US/Pacific", "de"),
    finds("startDate=2026-03-11&endDate=2026-03-11&timezone=UTC", "bcd"),
    // A calendar day that the zone skipped is empty.
    finds("startDate=2011-12-30&endDate=2011-12-30&timezone=Pacific/Apia", ""),
    finds("startDate=0001-01-01&endDate=9999-12-31&timezone=Pacific/Kiritimati", "zbcde"),
    finds("startDate=9999-12-31&timezone=America/New_York", ""),
    finds("endDate=0001-01-01&timezone=Asia/Tokyo", ""),
    ...["startDate=2026-03-12&endDate=2026-03-11", "endDate=0001-01-01&startDate=9999-12-31"].map(
      (query): Step => [
        ...([`GET sessions?${query}`, 400] as const),
        validationBody({
          ...{ code: "custom", message: "startDate must be on or before endDate" },
          path: ["startDate"],
        }),
      ],
    ),
  ],
);

practice(
  lines(
    [...sessionStatuses, ...sessionStatuses].map((status, index) => ({
      ...{ ...billable, publicId: `apt_${index}`, status, ...at(`1${index}T14:00:00.000`) },
      clientId: index < 5 ? "usr_leo" : "usr_mia",
    })),
  ),
)("by one status or several, with other filters and in pages", [
  finds("status=CONFIRMED", "05"),
  finds("status=REQUESTED_TO_CANCEL,CONFIRMED", "0459"),
  finds("status=CONFIRMED,CONFIRMED", "05"),
  finds("status=DECLINED%2CPATIENT_NO_SHOW", "2378"),
  finds(`status=${sessionStatuses.join()}`, "0123456789"),
  finds("status=CONFIRMED,DECLINED&clientId=usr_mia", "57"),
  finds("status=CONFIRMED,DECLINED&startDate=2026-03-12&endDate=2026-03-15", "25"),
  finds("status=CONFIRMED&startDate=2026-03-16&timezone=Asia/Tokyo", ""),
  found("GET sessions?status=CONFIRMED,UNCONFIRMED&pageSize=2&page=2", ["apt_5", "apt_6"], 4),
  found("GET sessions?status=CONFIRMED&page=9", [], 2),
]);
