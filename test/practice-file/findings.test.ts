import { expect, test } from "bun:test";
import fc from "fast-check";
import { checksCases, loadChecksPractice } from "../support/checks/practices.ts";
import { newApiKey } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { onPostgresql } from "../support/postgresql/databases.ts";
import {
  at,
  clinician,
  location,
  patient,
  serviceLine,
  session,
  technician,
} from "../support/practice-file/lines.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { runs } from "../support/runs.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/**
 * `POST /v1/practice-file?findings=true`: what it says is the difference of two reports of the whole practice, before the
 * file and after it.
 */

const service = await newService();
let organizations = 0;

type Line = { type: string; publicId: string } & Record<string, unknown>;
type Finding = Record<string, unknown>;

interface Changes {
  brought: Finding[];
  mended: Finding[];
  totals: { brought: number; mended: number };
}

const DAY = 86_400_000;
const later = (instant: unknown, milliseconds: number) =>
  new Date(Date.parse(String(instant)) + milliseconds).toISOString();

/** A change of some record: of which one, which change, and how far. */
const act = fc.record({
  type: fc.constantFrom(
    "session",
    "session",
    "session",
    "encounter",
    "user",
    "authorization",
    "authorizationPool",
  ),
  place: fc.nat(40),
  kind: fc.nat(5),
  by: fc.constantFrom(-7 * DAY, -DAY, -3_600_000, 60_000, 3_600_000, DAY, 40 * DAY),
});

type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

/** The lines of a change. */
function linesOf({ type, place, kind, by }: Act, records: readonly Line[], index: number): Line[] {
  const some = records.filter((record) => record.type === type);
  const record = some[place % Math.max(1, some.length)];
  if (record === undefined) return [];
  const line = (fields: object) => [{ type, publicId: record.publicId, ...fields } as Line];
  const { startTime, endTime } = record;
  if (type === "session")
    return (
      [
        line({ startTime: later(startTime, by), endTime: later(endTime, by) }),
        line({ status: kind % 2 === 0 ? "DECLINED" : "CONFIRMED" }),
        line({ status: "PATIENT_NO_SHOW" }),
        line({ technicianId: "usr_tech_2" }),
        line({ deleted: true }),
        [
          {
            ...record,
            publicId: `apt_new_${index}`,
            startTime: later(startTime, by),
            endTime: later(endTime, by),
          },
        ],
      ] as Line[][]
    )[kind]!;
  if (type === "encounter")
    return (
      [
        line({ units: 0 }),
        line({ units: 12 }),
        line({ deleted: true }),
        line({ startTime: later(startTime, by) }),
        [{ ...record, publicId: `enc_new_${index}` }],
        line({}),
      ] as Line[][]
    )[kind]!;
  if (type === "user")
    return line(
      [
        { isActive: false },
        { isActive: true },
        record.role === "PATIENT" ? { timezone: "Pacific/Kiritimati" } : { credentials: [] },
        { firstName: "Mia" },
        { isActive: record.isActive === false },
        {},
      ][kind]!,
    );
  if (type === "authorizationPool")
    return line(
      [
        { totalUnits: 1 },
        { totalUnits: 90 },
        { payorId: "pay_other" },
        {},
        { totalUnits: 0.5 },
        {},
      ][kind]!,
    );
  const shift = (date: unknown) =>
    later(`${String(date)}T00:00:00Z`, Math.trunc(by / DAY) * DAY).slice(0, 10);
  return line(
    [
      { authorizedUnitsQuantity: 1 },
      { authorizationExpirationDate: shift(record.authorizationExpirationDate) },
      { authorizationDate: shift(record.authorizationDate) },
      { payorId: "pay_other" },
      { authorizedUnitsQuantity: 500 },
      {},
    ][kind]!,
  );
}

const dayIn = (instant: unknown, zone: string) =>
  Temporal.Instant.from(String(instant)).toZonedDateTimeISO(zone).toPlainDate();

/** The days that lines touch, by the records before and after. */
function windowOf(
  lines: readonly Line[],
  before: readonly Line[],
  after: readonly Line[],
  now: string,
) {
  const stored = [...before, ...after];
  const byId = (id: unknown) => stored.filter(({ publicId }) => publicId === id);
  const own = String(stored.find(({ type }) => type === "organization")?.timezone ?? "UTC");
  const touched = lines.flatMap(({ publicId }) => byId(publicId));
  const sessions = [
    ...touched.filter(({ type }) => type === "session"),
    ...touched
      .filter(({ type }) => type === "encounter")
      .flatMap(({ sessionId }) => byId(sessionId)),
  ];
  const encounters = touched.filter(({ type }) => type === "encounter");
  const patients = [
    ...sessions.flatMap(({ clientId }) => byId(clientId)),
    ...encounters
      .flatMap(({ authorizationId }) => byId(authorizationId))
      .flatMap(({ patientId }) => byId(patientId)),
    ...touched.filter(({ type, role }) => type === "user" && role === "PATIENT"),
    ...touched
      .filter(({ type }) => type.startsWith("authorization"))
      .flatMap(({ patientId }) => byId(patientId)),
  ];
  const supported = (zone: unknown) => {
    // Temporal takes an offset for a zone, which has no name of IANA.
    if (/^[+-]/.test(String(zone))) return own;
    try {
      Temporal.Now.instant().toZonedDateTimeISO(String(zone));
      return String(zone);
    } catch {
      return own;
    }
  };
  const zones =
    patients.length === 0 ? [own] : patients.map(({ timezone }) => supported(timezone ?? own));
  const times = [
    ...sessions.flatMap(({ startTime, endTime }) => [startTime, endTime]),
    ...encounters.map(({ startTime }) => startTime),
  ];
  const days = times.flatMap((time) => zones.map((zone) => dayIn(time, zone)));
  if (touched.some(({ type }) => type === "user" || type.startsWith("authorization"))) {
    const today = dayIn(now, own);
    days.push(today.subtract({ days: 28 }), today.add({ days: 337 }));
  }
  const sorted = days.toSorted(Temporal.PlainDate.compare);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const end = first.add({ days: 365 });
  return {
    startDate: first.toString(),
    endDate: (Temporal.PlainDate.compare(last, end) > 0 ? end : last).toString(),
  };
}

/** What makes a finding the same one. */
function identity({ check, units, ...rest }: Finding): string {
  const ids = Object.keys(rest).filter((name) => /Ids?$/.test(name));
  return JSON.stringify([check, units, ids.toSorted().map((name) => [name, rest[name]])]);
}

function difference(some: readonly Finding[], others: readonly Finding[]): Finding[] {
  const left = others.map(identity);
  return some.filter((finding) => {
    const place = left.indexOf(identity(finding));
    if (place !== -1) left.splice(place, 1);
    return place === -1;
  });
}

test("what is brought and mended is the difference of two reports of the whole practice", async () => {
  const seen = { brought: 0, mended: 0, refused: 0, files: 0 };
  await fc.assert(
    fc.asyncProperty(
      checksCases(),
      fc.array(act, { minLength: 1, maxLength: 4 }),
      async (one, acts) => {
        organizations += 1;
        const organization = `org_${organizations}`;
        await loadChecksPractice(service.database, organization, one.practice);
        const key = await newApiKey(service.database, organization);
        service.clock.set(one.now);
        const stored = async (): Promise<Line[]> => {
          const { text } = await service.call("GET /api/v1/practice-file", { key });
          return text
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line) as Line);
        };
        const report = async (window: object): Promise<Finding[]> => {
          const found: Finding[] = [];
          for (let page = 1; ; page += 1) {
            const query = new URLSearchParams({ ...window, pageSize: "100", page: String(page) });
            const { body } = await service.call(`GET /api/v1/checks?${query}`, { key });
            const { data, pagination } = body as {
              data: Finding[];
              pagination: { totalPages: number };
            };
            found.push(...data);
            if (page >= pagination.totalPages) return found;
          }
        };
        const send = (lines: readonly Line[], query: string) =>
          service.call(`POST /api/v1/practice-file?findings=true${query}`, {
            key,
            headers: { "content-type": "application/x-ndjson" },
            raw: [{ type: "organization", publicId: organization }, ...lines]
              .map((line) => JSON.stringify(line))
              .join("\n"),
          });

        const before = await stored();
        const all = acts.flatMap((each, index) => linesOf(each, before, index));
        const lines = [
          ...new Map(all.map((line) => [`${line.type} ${line.publicId}`, line])).values(),
        ];
        // By the records as they are, and as they will be: the first report is read before anything is written.
        const possible = windowOf(
          lines,
          before,
          [
            ...before,
            ...lines.map(
              (line) =>
                ({
                  ...before.find(
                    ({ publicId, type }) => publicId === line.publicId && type === line.type,
                  ),
                  ...line,
                }) as Line,
            ),
          ],
          one.now,
        );
        const old = possible === undefined ? [] : await report(possible);
        // A dry run is the same program on each engine.
        const dry = onPostgresql ? undefined : await send(lines, "&dryRun=true");
        const { status, body } = await send(lines, "");
        const { findings } = body as { findings: Changes };
        if (dry !== undefined) {
          const told = (dry.body as { findings: Changes }).findings;
          expect([dry.status, told]).toEqual([status, findings]);
        }
        if (status !== 200) return void (seen.refused += 1);
        const fresh = possible === undefined ? [] : await report(possible);
        const [brought, mended] = [difference(fresh, old), difference(old, fresh)];
        expect({ lines, possible, findings }).toEqual({
          ...{ lines, possible },
          findings: {
            ...{ brought: brought.slice(0, 100), mended: mended.slice(0, 100) },
            totals: { brought: brought.length, mended: mended.length },
          },
        } as never);
        seen.files += 1;
        seen.brought += brought.length;
        seen.mended += mended.length;
      },
    ),
    // Requests take longer there.
    { numRuns: runs(onPostgresql ? 30 : 90) },
  );
  expect(seen.files).toBeGreaterThan(8);
  expect(Math.min(seen.brought, seen.mended)).toBeGreaterThan(5);
});

const times = { startTime: at("2026-03-12 15:00"), endTime: at("2026-03-12 16:00") };
const visit = (publicId: string, more: Fields = {}): Fields => ({
  ...{ type: "session", publicId, title: "Therapy", status: "CONFIRMED", placeOfService: "HOME" },
  ...{ isSupervision: false, isClientPresent: true, isBillable: false, nonBillableCode: "nbc_1" },
  ...{ locationId: "loc_main", clientId: "usr_leo", technicianId: "usr_ana", ...times, ...more },
});
const ofOther = { clientId: "usr_other" };
const transcript = await transcripts();
const people = [
  location("loc_main"),
  patient("usr_leo"),
  patient("usr_other"),
  technician("usr_ana"),
];
const practice = transcript([
  ...people,
  { type: "nonBillableCode", publicId: "nbc_1", name: "Break" },
  visit("apt_1"),
]);

const send = (lines: Fields[], findings: object): Step => [
  ...(["POST practice-file?findings=true", lines, 200, { findings: whole(findings) }] as const),
];
const nothing = { brought: [], mended: [], totals: { brought: 0, mended: 0 } };
const named: Step = ["audit", 200, { patient_ids: '["usr_leo","usr_other"]' }];

practice("findings are those of GET /v1/checks, and the audit row names their patients", [
  send([visit("apt_2", ofOther)], {
    ...{ ...nothing, brought: ["$overlap"], totals: { brought: 1, mended: 0 } },
  }),
  named,
  [
    ...(["GET checks?check=PROVIDER_OVERLAP", 200] as const),
    { data: [{ check: "PROVIDER_OVERLAP", sessionIds: ["apt_1", "apt_2"] }] },
  ],
  ["GET checks?check=PROVIDER_OVERLAP", 200, { data: ["$overlap"] }],
  send([{ type: "session", publicId: "apt_2", deleted: true }], {
    ...{ ...nothing, mended: ["$overlap"], totals: { brought: 0, mended: 1 } },
  }),
  named,
]);

practice("findings are not told unless asked for, and empty of a file without records", [
  [
    ...(["POST practice-file", [visit("apt_2")], 200] as const),
    whole({
      ...{ organizationId: "$organization", dryRun: false, sequence: 2 },
      ...{ counts: expect.anything(), changes: expect.anything(), notes: expect.anything() },
    }),
  ],
  send([], nothing),
  send([{ type: "session", publicId: "apt_1" }], nothing),
]);

const again = [{ type: "session", publicId: "apt_1", title: "Therapy, again" }];
practice("findings are part of what an Idempotency-Key stands for", [
  ["POST practice-file?findings=true Idempotency-Key: once", again, 200],
  ["POST practice-file Idempotency-Key: once", again, 422],
  ["POST practice-file?findings=true Idempotency-Key: once", again, 200],
]);

const visits = Array.from({ length: 501 }, (_, index) => visit(`apt_many_${index}`, ofOther));
const refusedFor = (lines: Fields[], message: string): Step => [
  "POST practice-file?findings=true&dryRun=true",
  lines,
  400,
  { validationErrors: [whole({ code: "custom", message, path: ["findings"] })] },
];
practice("findings are refused for other types, and for more than 500 changed records", [
  refusedFor(
    [location("loc_main", { name: "Annex" })],
    "Lines of the type location have no findings",
  ),
  refusedFor(visits, "Compares at most 500 changed records"),
  [
    "POST practice-file?findings=true&dryRun=true",
    visits.slice(1),
    200,
    {
      findings: { brought: Array(100).fill({}), totals: whole({ brought: 500, mended: 0 }) },
    },
  ],
]);

const supervised = { isSupervision: true, clinicianId: "usr_noor" };
const brought = (who: string, ...checks: string[]): Step => [
  `${who}: POST practice-file?dryRun=true&findings=true`,
  [{ type: "session", publicId: "apt_own", endTime: at("2026-03-11 15:50") }],
  200,
  { findings: { brought: checks.map((check) => ({ check })) } },
];
transcript(
  [
    ...[...people, technician("usr_second"), clinician("usr_noor"), serviceLine("svc_1")],
    session("apt_own", "2026-03-11 15:00-15:30", { ...supervised, technicianId: "usr_ana" }),
    session("apt_strange", "2026-03-11 15:45-16:00", {
      ...{ ...supervised, ...ofOther, technicianId: "usr_second" },
    }),
  ],
  { organization: { own_patients_only: "TECHNICIANS_AND_CLINICIANS" } },
)("findings tell whoever sees own patients only about theirs, as the report does", [
  brought("ADMIN", "NO_AUTHORIZATION", "PROVIDER_OVERLAP"),
  brought("usr_ana", "NO_AUTHORIZATION"),
]);
