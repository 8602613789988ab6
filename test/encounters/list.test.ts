import { validationBody } from "../support/list-rules.ts";
import { found, pages, shown } from "../support/pages.ts";
import * as lines from "../support/practice-file/lines.ts";
import { type Step, transcripts } from "../support/transcript.ts";

/** GET /v1/encounters: delivered units. */

const practice = await transcripts();

const encounter = (
  publicId: string,
  authorizationId: string,
  sessionId: string | null,
  startTime: string,
  units: number,
) => ({ publicId, authorizationId, sessionId, startTime, units });
const encounters = [
  encounter("enc_z", "auth_leo", null, "2026-03-10T23:59:59.999Z", 4),
  encounter("enc_a", "auth_leo", "apt_1", "2026-03-11T00:00:00.000Z", 8.25),
  encounter("enc_b", "auth_mia", null, "2026-03-11T00:00:00.000Z", 0),
  encounter("enc_c", "auth_mia", null, "2026-03-11T23:59:59.999Z", 0.5),
  encounter("enc_d", "auth_leo", "apt_1", "2026-03-12T03:59:59.999Z", 2),
];
const finds = (query: string, ids: string): Step =>
  found(
    `GET encounters?${query}`,
    [...ids].map((id) => `enc_${id}`),
  );

practice(
  [
    ...[lines.location("loc_main"), lines.payor("pay_acme"), lines.serviceLine("svc_1")],
    ...["leo", "mia"].flatMap((name) => {
      const own = { patientId: `usr_${name}`, payorId: "pay_acme" };
      return [lines.patient(`usr_${name}`), lines.authorization(`auth_${name}`, own)];
    }),
    lines.session("apt_1", "2026-03-11 14:00-15:00", { authorizationId: "auth_leo" }),
    lines.session("apt_bare", "2026-03-11 14:00-15:00", { clientId: "usr_mia" }),
    ...encounters.map((each) => ({ type: "encounter", ...each })).toReversed(),
  ],
  { elsewhere: [] },
)("encounters come in pages, by start and id, and by filters", [
  shown("GET encounters", encounters),
  ...pages(
    "GET encounters",
    encounters.map(({ publicId }) => publicId),
  ),
  finds("authorizationId=auth_mia", "bc"),
  finds("sessionId=apt_1", "ad"),
  finds("sessionId=apt_bare", ""),
  finds("patientId=usr_leo", "zad"),
  finds("patientId=usr_leo&authorizationId=auth_mia", ""),
  finds("patientId=usr_none", ""),
  finds("authorizationId=", ""),
  // Days are UTC days unless timezone is given, both included.
  finds("startDate=2026-03-11", "abcd"),
  finds("endDate=2026-03-10", "z"),
  finds("startDate=2026-03-11&endDate=2026-03-11", "abc"),
  finds("startDate=2026-03-11&endDate=2026-03-11&timezone=America/New_York", "cd"),
  finds("startDate=2026-03-10&endDate=2026-03-10&timezone=America/New_York", "zab"),
  finds("startDate=2026-03-11&patientId=usr_leo&timezone=Asia/Tokyo", "zad"),
  finds("timezone=Asia/Tokyo", "zabcd"),
  [
    ...(["GET encounters?startDate=2026-03-12&endDate=2026-03-11", 400] as const),
    validationBody({
      ...{ code: "custom", message: "startDate must be on or before endDate" },
      path: ["startDate"],
    }),
  ],
]);
