import { validationBody } from "../support/list-rules.ts";
import { found, pages, shown } from "../support/pages.ts";
import { type Step, transcripts } from "../support/transcript.ts";
import { user } from "../support/users/bodies.ts";

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
const session = (publicId: string, clientId: string) => ({
  ...{ type: "session", publicId, clientId, title: "Visit", status: "CONFIRMED" },
  ...{ startTime: "2026-03-11T14:00:00.000Z", endTime: "2026-03-11T15:00:00.000Z" },
  ...{ isSupervision: false, isClientPresent: true, placeOfService: "OFFICE" },
  ...{ locationId: "loc_1", isBillable: true, isTelehealth: false, services: "svc_1" },
  authorizationId: `auth_${clientId.slice(4)}`,
});
const finds = (query: string, ids: string): Step =>
  found(
    `GET encounters?${query}`,
    [...ids].map((id) => `enc_${id}`),
  );

practice(
  [
    { type: "location", publicId: "loc_1", name: "Main" },
    { type: "payor", publicId: "pay_acme", name: "Acme Health" },
    { type: "serviceLine", publicId: "svc_1", name: "Therapy", billingUnitMinutes: 15 },
    ...["leo", "mia"].flatMap((name) => [
      user(`usr_${name}`, "PATIENT"),
      {
        ...{ type: "authorization", publicId: `auth_${name}`, patientId: `usr_${name}` },
        ...{ payorId: "pay_acme", authorizationNumber: "A-1", authorizationStatus: "AUTHORIZED" },
        ...{ authorizationDate: "2026-01-01", authorizationExpirationDate: "2026-12-31" },
        ...{
          authorizedUnitsQuantity: 8,
          authorizedUnitFrequency: "WEEKLY",
          serviceLineId: "svc_1",
        },
      },
    ]),
    ...[session("apt_1", "usr_leo"), session("apt_bare", "usr_mia")],
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
