import { expect, test } from "bun:test";
import { roles, staffRoles } from "../../src/callers/roles.ts";
import { plainBody } from "../support/body-rules.ts";
import { issueKey, newOrganization } from "../support/factories.ts";
import { newService, TestService } from "../support/harness.ts";
import { connect, textOf } from "../support/mcp/agent.ts";
import { found } from "../support/pages.ts";
import * as lines from "../support/practice-file/lines.ts";
import { type Fields, mustImport } from "../support/practice-file/practice-file.ts";
import { newSignIn } from "../support/sign-in/browser.ts";
import { type Step, transcripts } from "../support/transcript.ts";
import { user } from "../support/users/bodies.ts";

/**
 * Own patients: the organization's `ownPatientsOnly` limits what technicians (and clinicians) read to the patients whom
 * they are booked with. `strangers.test.ts` has every place that names a record, `own.test.ts` random practices.
 */

const practice = await transcripts();

const records = [
  ...[lines.location("loc_main"), lines.payor("pay_acme"), lines.serviceLine("svc_1")],
  ...[user("usr_tech", "TECHNICIAN"), user("usr_other_tech", "TECHNICIAN")],
  user("usr_bcba", "CLINICIAN", { careTeamTechnicianIds: ["usr_tech"] }),
  ...[user("usr_other_bcba", "CLINICIAN"), user("usr_parent", "CAREGIVER")],
  lines.patient("usr_kid", { caregiverId: "usr_parent", userStatus: "ACTIVE" }),
  lines.authorization("auth_1", { patientId: "usr_kid", payorId: "pay_acme" }),
];
const session = (publicId: string, times: string, more: Fields = {}) =>
  lines.session(publicId, times, {
    ...{ technicianId: "usr_tech", clientId: "usr_kid", authorizationId: "auth_1", ...more },
  });
const TODAY = "2026-03-11 15:00-16:00";
const others = { technicianId: "usr_other_tech" };
const ofOthers = { ...others, clientId: "usr_kid_2", authorizationId: null };
const nobodys = { clientId: null, authorizationId: null };

const limited = (...more: Fields[]) =>
  practice([...records, ...more], {
    organization: { own_patients_only: "TECHNICIANS_AND_CLINICIANS" },
  });
const add = (...more: Fields[]): Step => ["POST practice-file", more, 200];
const limitTo = (ownPatientsOnly: string | null) => add({ type: "organization", ownPatientsOnly });

/** Whether somebody sees the patient, by id. */
const sees = (who: string, id = "usr_kid"): Step => [`${who}: GET users/${id}`, 200];
const misses = (who: string, id = "usr_kid"): Step => [
  `${who}: GET users/${id}`,
  404,
  plainBody(404, "User not found"),
];

limited()("a patient is nobody's own by no session and no name, and so is their caregiver", [
  ...[misses("usr_tech"), misses("usr_bcba"), misses("usr_tech", "usr_parent")],
]);
for (const [name, time, isOwn] of [
  ["90 days ago", "2025-12-11 15:00-16:00", true],
  ["90 days and a millisecond ago", "2025-12-11 14:59:59.999-15:30", false],
  ["to come", "2027-03-11 15:00-16:00", true],
] as const)
  limited(session("apt_1", time))(
    `a patient is one's own by a session that began ${name}: ${isOwn}`,
    [isOwn ? sees("usr_tech") : misses("usr_tech"), misses("usr_other_tech")],
  );
limited(session("apt_1", TODAY, { status: "DECLINED", clinicianId: "usr_other_bcba" }))(
  "by a session with any status, as its technician or clinician, or of a technician whom one leads",
  [
    ...[sees("usr_tech"), sees("usr_other_bcba"), sees("usr_bcba"), misses("usr_other_tech")],
    sees("usr_tech", "usr_parent"),
  ],
);
limited(session("apt_1", TODAY))("not of a technician whom others lead", [
  misses("usr_other_bcba"),
]);
for (const name of [{ primaryClinicianId: "usr_bcba" }, { clinicianIds: ["usr_bcba"] }])
  limited()(`by their ${JSON.stringify(name)}`, [
    add({ type: "user", publicId: "usr_kid", ...name }),
    ...[sees("usr_bcba"), misses("usr_other_bcba")],
  ]);
limited()("from the booking of a substitute on, until 90 days after the session", [
  ["2026-03-11T11:50:00.000Z"],
  misses("usr_other_tech"),
  add(session("apt_1", "2026-03-11 12:00-13:00", others)),
  sees("usr_other_tech"),
  ["2026-06-09T12:00:00.000Z"],
  sees("usr_other_tech"),
  ["2026-06-09T12:00:00.001Z"],
  misses("usr_other_tech"),
]);

limited(
  session("apt_own", TODAY),
  session("apt_others", TODAY, others),
  session("apt_meeting", TODAY, nobodys),
  session("apt_their_meeting", TODAY, { ...others, ...nobodys }),
)("sessions of others with them are shown; and one's own without a patient, but not others'", [
  found("usr_tech: GET sessions", ["apt_meeting", "apt_others", "apt_own"]),
]);
limited(session("apt_1", "2025-12-01 15:00-16:00"))(
  "one's own sessions with somebody who is no more one's own are gone with them",
  [["usr_tech: GET sessions/apt_1", 404, plainBody(404, "Session not found")]],
);
/** What an administrator gets, too. */
const same = (path: string, name: string): Step[] => [
  [`GET ${path}`, 200, name],
  [`usr_tech: GET ${path}`, 200, name],
];
const delivered = { authorizationId: "auth_1" };
limited(
  session("apt_1", TODAY),
  session("apt_2", TODAY, others),
  lines.encounter("enc_1", "2026-03-11 15:00", 4, { ...delivered, sessionId: "apt_1" }),
  lines.encounter("enc_2", "2026-03-11 15:00", 4, { ...delivered, sessionId: "apt_2" }),
)("the numbers are whole, and hours of staff are those of all", [
  ...same("authorization-utilization/auth_1", "$overview"),
  ...same("authorization-utilization/auth_1/summary", "$summary"),
  ...same("authorization-utilization/auth_1/ledger", "$ledger"),
  ...same("supervision?month=2026-03", "$supervision"),
]);
const overlaps = "checks?check=PROVIDER_OVERLAP&startDate=2026-03-01&endDate=2026-03-31";
limited(
  user("usr_kid_2", "PATIENT"),
  session("apt_1", TODAY, others),
  session("apt_2", TODAY, ofOthers),
)("an overlap with a session of another's patient is no finding", [
  add({ type: "user", publicId: "usr_kid", primaryClinicianId: "usr_bcba" }),
  [`GET ${overlaps}`, 200, { totals: { PROVIDER_OVERLAP: 1 } }],
  [`usr_bcba: GET ${overlaps}`, 200, { totals: { PROVIDER_OVERLAP: 0 } }],
]);

const isStaff = (role: string) => (staffRoles as readonly string[]).includes(role);
const settings: [setting: string | null, limitedRoles: string[]][] = [
  [null, []],
  ["TECHNICIANS", ["TECHNICIAN"]],
  ["TECHNICIANS_AND_CLINICIANS", ["TECHNICIAN", "CLINICIAN"]],
];
for (const [setting, limitedRoles] of settings)
  practice(records, { organization: { own_patients_only: setting } })(
    `with ${setting} these are limited: ${limitedRoles.join()}`,
    roles.flatMap((role): Step[] => {
      const ownPatientsOnly = limitedRoles.includes(role);
      return [
        [`${role}: GET me`, 200, { key: { role, ownPatientsOnly } }],
        // A key without a user has no patients.
        ...(isStaff(role) ? [ownPatientsOnly ? misses(role) : sees(role)] : []),
      ];
    }),
  );
limited()("only an administrator changes it, with the next request; a file always has it", [
  ...staffRoles.map((role): Step => [
    `${role}: POST practice-file?dryRun=true`,
    [{ type: "organization", ownPatientsOnly: null }],
    role === "ADMIN" ? 200 : 403,
  ]),
  misses("usr_tech"),
  ["GET practice-file?types=goal", 200, [{ ownPatientsOnly: "TECHNICIANS_AND_CLINICIANS" }]],
  limitTo(null),
  sees("usr_tech"),
  ["GET practice-file?types=goal", 200, [{ ownPatientsOnly: null }]],
]);

const forbidden = plainBody(403, "Insufficient permissions for this action");
limited(
  user("usr_kid_2", "PATIENT"),
  session("apt_1", TODAY),
  session("apt_2", TODAY, others),
  session("apt_3", TODAY, ofOthers),
)("a practice file of a limited caller is of own patients", [
  [
    "usr_tech: POST practice-file",
    [{ type: "session", publicId: "apt_1", status: "PATIENT_NO_SHOW" }],
    // Of own patients.
    ...([200, { changes: { session: { missing: 1 } } }] as const),
  ],
  // What is not of one's own day is the same 403, whether the id is known or not.
  ...["apt_2", "apt_none"].map((publicId): Step => [
    "usr_tech: POST practice-file",
    [{ type: "session", publicId, status: "DECLINED" }],
    ...([403, "$forbidden"] as const),
  ]),
  ...[
    ...["", "?types=session", "?after=1&types=session", "?ids=apt_1"],
    "?types=session&changes=true&ids=apt_1",
  ].map((query): Step => [`usr_tech: GET practice-file${query}`, 403, forbidden]),
  [
    ...(["usr_tech: GET practice-file?types=session&ids=apt_1,apt_3", 200] as const),
    [{ publicId: "$organization" }, { publicId: "apt_1" }],
  ],
]);

const named = (path: string, status: number, body?: unknown): Step[] => [
  [`usr_tech: GET ${path}`, status, body],
  ["audit", status, { patient_ids: '["usr_kid"]' }],
];
limited()("the audit trail names whom somebody asked for, also where they do not see the patient", [
  ...named("users/usr_kid", 404, plainBody(404, "User not found")),
  ...named("sessions?clientId=usr_kid", 200, { data: [] }),
  ...named("names?ids=usr_parent,usr_kid", 200, { data: [] }),
  ...named("practice-file?types=session&ids=usr_kid", 200, [{ type: "organization" }]),
  ...named("users?search=usr_kid", 200, { data: [] }),
  // And nobody for an id that the practice does not have.
  misses("usr_tech", "usr_none"),
  ["audit", 404, { patient_ids: "[]" }],
]);

const service = await newService();
const { database } = service;

async function newLimited() {
  const publicId = await newOrganization(database, { own_patients_only: "TECHNICIANS" });
  const write = (...more: Fields[]) =>
    mustImport(database, [{ type: "organization", publicId }, ...more]);
  await write(...records);
  return { publicId, write };
}

test("who signs in is limited, too", async () => {
  const { publicId, write } = await newLimited();
  const { userId, headers } = await newSignIn(database, publicId, "TECHNICIAN");
  const read = () => service.call("GET /api/v1/users/usr_kid", { headers });
  expect((await read()).status).toBe(404);
  await write(session("apt_1", TODAY, { technicianId: userId }));
  expect((await read()).status).toBe(200);
});

test("and agents, whose tools ask the API", async () => {
  const { publicId, write } = await newLimited();
  const agent = await issueKey(database, publicId, {
    ...{ holder: { userId: "usr_tech" }, kind: "AGENT" as const },
  });
  const agents = new TestService(database, { agents: { isLocal: true } });
  const client = await connect(agents, agent.key);
  const find = () => textOf(client, "find_person", { search: "usr_kid" });
  expect(await find()).not.toContain("PATIENT");
  await write(session("apt_1", TODAY));
  expect(await find()).toContain("PATIENT");
});

test("a calendar has the sessions of its user, since it names no patient", async () => {
  const { publicId, write } = await newLimited();
  await write(session("apt_old", "2026-03-01 15:00-16:00"));
  const { key } = await issueKey(database, publicId, {
    ...{ holder: { userId: "usr_tech" }, kind: "CALENDAR" as const },
  });
  const { status, text } = await service.call(`GET /calendar/${key}.ics`);
  expect(status).toBe(200);
  expect(text).toContain("UID:apt_old");
});
