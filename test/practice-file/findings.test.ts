import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../src/lib/instant.ts";
import { checksCases, loadChecksPractice } from "../support/checks/practices.ts";
import {
  issueKey,
  newApiKey,
  newLocation,
  newOrganization,
  newSession,
  newUser,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { onPostgresql } from "../support/postgresql/databases.ts";
import { runs } from "../support/runs.ts";

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
        const dry = await send(lines, "&dryRun=true");
        if (dry.status !== 200) return void (seen.refused += 1);
        const reports = new Map<string, Finding[]>();
        const { findings } = dry.body as { findings: Changes };
        // The window is known only afterwards: the report before is that of a practice that was not written to yet.
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
        const { status, body } = await send(lines, "");
        expect(status).toBe(200);
        expect((body as { findings: Changes }).findings).toEqual(findings);
        const fresh = possible === undefined ? [] : await report(possible);
        const [brought, mended] = [difference(fresh, old), difference(old, fresh)];
        expect({ lines, possible, findings }).toEqual({
          ...{ lines, possible },
          findings: {
            ...{ brought: brought.slice(0, 100), mended: mended.slice(0, 100) },
            totals: { brought: brought.length, mended: mended.length },
          },
        } as never);
        reports.clear();
        seen.files += 1;
        seen.brought += brought.length;
        seen.mended += mended.length;
      },
    ),
    // Each run is some ten requests, which take longer there.
    { numRuns: runs(onPostgresql ? 45 : 90) },
  );
  expect(seen.files).toBeGreaterThan(8);
  expect(Math.min(seen.brought, seen.mended)).toBeGreaterThan(5);
});

describe("findings=true", async () => {
  const { database } = service;
  beforeAll(() => service.clock.set("2026-03-11T15:00:00.000Z"));
  const organization = await newOrganization(database, { public_id: "org_files" });
  for (const [public_id, role] of [
    ["usr_kid", "PATIENT"],
    ["usr_other", "PATIENT"],
    ["usr_tech", "TECHNICIAN"],
  ] as const)
    await newUser(database, organization, { public_id, role });
  const key = await newApiKey(database, organization);
  const session = {
    ...{ type: "session", title: "Therapy", placeOfService: "HOME", locationId: "loc_1" },
    ...{ isSupervision: false, isClientPresent: true, isBillable: false },
    ...{
      status: "CONFIRMED",
      clientId: "usr_kid",
      technicianId: "usr_tech",
      nonBillableCode: "nbc_1",
    },
    ...{ startTime: "2026-03-12T15:00:00.000Z", endTime: "2026-03-12T16:00:00.000Z" },
  };
  const send = async (
    lines: readonly object[],
    {
      query = "findings=true",
      ...options
    }: { query?: string; key?: string; headers?: Record<string, string> } = {},
  ) => {
    const all = [{ type: "organization", publicId: organization }, ...lines];
    const { status, body } = await service.call(`POST /api/v1/practice-file?${query}`, {
      key: options.key ?? key,
      headers: { "content-type": "application/x-ndjson", ...options.headers },
      raw: all.map((line) => JSON.stringify(line)).join("\n"),
    });
    return { status, body: body as { findings?: Changes; validationErrors?: object[] } };
  };
  await send(
    [
      { type: "location", publicId: "loc_1", name: "Main" },
      { type: "nonBillableCode", publicId: "nbc_1", name: "Break" },
    ],
    { query: "" },
  );
  const lastPatients = async () => {
    const { patient_ids } = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select("patient_ids")
        .where("organization_id", "=", organization)
        .orderBy("sequence", "desc")
        .executeTakeFirstOrThrow(),
    );
    return JSON.parse(patient_ids) as string[];
  };

  test("says nothing unless it is asked", async () => {
    const { status, body } = await send([{ ...session, publicId: "apt_1" }], { query: "" });
    expect([status, "findings" in body]).toEqual([200, false]);
  });

  test("has the findings of GET /v1/checks, and the row names their patients", async () => {
    const other = { ...session, publicId: "apt_2", clientId: "usr_other" };
    const { body } = await send([other]);
    const { body: report } = await service.call("GET /api/v1/checks?pageSize=100", { key });
    const { data } = report as { data: Finding[] };
    expect(body.findings).toEqual({
      brought: data.filter(({ check }) => check === "PROVIDER_OVERLAP"),
      mended: [],
      totals: { brought: 1, mended: 0 },
    });
    expect(body.findings?.brought).toMatchObject([{ sessionIds: ["apt_1", "apt_2"] }]);
    expect(await lastPatients()).toEqual(["usr_kid", "usr_other"]);
    const mended = await send([{ type: "session", publicId: "apt_2", deleted: true }]);
    expect(mended.body.findings).toEqual({
      brought: [],
      mended: body.findings?.brought ?? [],
      totals: { brought: 0, mended: 1 },
    });
    expect(await lastPatients()).toEqual(["usr_kid", "usr_other"]);
  });

  test("of a file without records is empty", async () => {
    const none = { brought: [], mended: [], totals: { brought: 0, mended: 0 } };
    expect((await send([])).body.findings).toEqual(none);
    expect((await send([{ type: "session", publicId: "apt_1" }])).body.findings).toEqual(none);
  });

  test("is part of what an Idempotency-Key stands for", async () => {
    const headers = { "idempotency-key": "one-file" };
    const lines = [{ type: "session", publicId: "apt_1", title: "Therapy, again" }];
    expect((await send(lines, { headers })).status).toBe(200);
    expect((await send(lines, { headers, query: "" })).status).toBe(422);
    expect((await send(lines, { headers })).status).toBe(200);
  });

  test("is refused for other types, and for more than 500 changed records", async () => {
    const custom = (message: string) => ({
      status: 400,
      body: expect.objectContaining({
        validationErrors: [{ code: "custom", message, path: ["findings"] }],
      }),
    });
    const location = { type: "location", publicId: "loc_1", name: "Annex" };
    expect(await send([location])).toEqual(custom("Lines of the type location have no findings"));
    const sessions = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ ...session, publicId: `apt_many_${index}`, clientId: "usr_other" },
      }));
    const query = "dryRun=true&findings=true";
    expect(await send(sessions(501), { query })).toEqual(
      custom("Compares at most 500 changed records"),
    );
    const { body } = await send(sessions(500), { query });
    expect(body.findings?.totals).toEqual({ brought: 500, mended: 0 });
    expect(body.findings?.brought).toHaveLength(100);
  });

  test("tells whoever sees own patients only about theirs, as the report does", async () => {
    const limited = await newOrganization(database, {
      ...{ public_id: "org_limited", own_patients_only: "TECHNICIANS_AND_CLINICIANS" },
    });
    const people = { usr_kid: "PATIENT", usr_other: "PATIENT", usr_tech: "TECHNICIAN" } as const;
    const staff = { usr_second: "TECHNICIAN", usr_bcba: "CLINICIAN" } as const;
    for (const [public_id, role] of Object.entries({ ...people, ...staff }))
      await newUser(database, limited, { public_id, role });
    await newLocation(database, limited, { public_id: "loc_1" });
    const common = {
      ...({
        location_id: "loc_1",
        is_supervision: 1,
        clinician_id: "usr_bcba",
        is_billable: 1,
      } as const),
      ...{ end_time: "2026-03-11T16:00:00.000Z" as Instant },
    } as const;
    await newSession(database, limited, {
      ...{ ...common, public_id: "apt_own", client_id: "usr_kid", technician_id: "usr_tech" },
      start_time: "2026-03-11T15:00:00.000Z" as Instant,
      end_time: "2026-03-11T15:30:00.000Z" as Instant,
    });
    await newSession(database, limited, {
      ...{ ...common, public_id: "apt_strange", client_id: "usr_other" },
      ...{ technician_id: "usr_second", start_time: "2026-03-11T15:45:00.000Z" as Instant },
    });
    const moved = [
      { type: "organization", publicId: limited },
      { type: "session", publicId: "apt_own", endTime: "2026-03-11T15:50:00.000Z" },
    ];
    const brought = async (own: string) => {
      const { status, body } = await service.call(
        "POST /api/v1/practice-file?dryRun=true&findings=true",
        {
          ...{ key: own, headers: { "content-type": "application/x-ndjson" } },
          raw: moved.map((line) => JSON.stringify(line)).join("\n"),
        },
      );
      expect([status, body]).toEqual([200, expect.anything()]);
      return (body as { findings: Changes }).findings.brought.map(({ check }) => check);
    };
    expect(await brought(await newApiKey(database, limited))).toEqual([
      "NO_AUTHORIZATION",
      "PROVIDER_OVERLAP",
    ]);
    const holder = { userId: "usr_tech" };
    const { key: ofTechnician } = await issueKey(database, limited, { holder });
    expect(await brought(ofTechnician)).toEqual(["NO_AUTHORIZATION"]);
  });
});
