import { beforeEach, describe, expect, test } from "bun:test";
import type { KeyKind } from "../../src/callers/key-format.ts";
import { newRateLimits } from "../../src/http/limits/rate-limits.ts";
import { issueKey, newApiKey, newOrganization, newSession, newUser } from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";
import { clinician, patient, technician } from "../support/practice-file/lines.ts";
import { statementsOf } from "../support/statements.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** Calendars: who creates, lists and revokes them, and what their feeds say to whom. */

const service = await newService();
const { database, clock } = service;

let organization: string;
let admin: string;
let userId: string;
let own: string;

beforeEach(async () => {
  clock.set("2026-03-11T15:00:00.000Z");
  organization = await newOrganization(database, { time_zone: "America/New_York" });
  admin = await newApiKey(database, organization);
  userId = await newUser(database, organization, { role: "TECHNICIAN" });
  ({ key: own } = await issueKey(database, organization, { holder: { userId } }));
});

interface Calendar {
  id: string;
  path: string;
}

const create = (key: string, json: object = {}) =>
  service.call("POST /api/v1/calendars", { key, json });
const list = async (key: string) => (await service.call("GET /api/v1/calendars", { key })).body;
const revoke = (key: string, id: string) => service.call(`DELETE /api/v1/calendars/${id}`, { key });
const feed = (path: string, headers: Record<string, string> = {}) =>
  service.call(`GET ${path}`, { headers });

async function newCalendar(): Promise<Calendar> {
  const { status, body } = await create(own);
  expect(status).toBe(200);
  return body as Calendar;
}

const NOT_FOUND = { error: "Not found", statusCode: 404 };
const FORBIDDEN = { error: "Insufficient permissions for this action", statusCode: 403 };

const practice = await transcripts();
const staff = [
  ...[technician("usr_tech"), technician("usr_other"), clinician("usr_noor"), patient("usr_leo")],
  ...[
    technician("usr_gone", { isActive: false }),
    { ...technician("usr_care"), role: "CAREGIVER" },
  ],
];
const calendarOf = (userId: string, status: number, body?: object): Step => [
  ...(["POST calendars", { userId }, status, body] as const),
];
const refused = (statusCode: number, error: string) => whole({ error, statusCode });
const another = (id: string): Step => ["usr_tech: POST calendars", {}, 200, { id }];

practice(staff, { elsewhere: staff })("a calendar of one's own; its path is said once", [
  [
    "usr_tech: POST calendars",
    { name: " phone " },
    200,
    whole({
      id: expect.stringMatching(/^key_/),
      path: expect.stringMatching(/^\/calendar\/caseloadcal_[0-9a-z]{39}\.ics$/),
      ...{ name: "phone", createdAt: NOW },
    }),
  ],
  [
    "usr_tech: GET calendars",
    200,
    whole({
      data: [{ id: "$id", userId: "usr_tech", name: "phone", createdAt: NOW, lastUsedAt: null }],
    }),
  ],
  ["elsewhere: GET calendars", 200, whole({ data: [] })],
  ["elsewhere: DELETE calendars/$id", 404, refused(404, "Calendar not found")],
  // A sixth is refused until one is revoked.
  ...["$2", "$3", "$4", "$5"].map(another),
  ["usr_tech: POST calendars", {}, 409, refused(409, "Too many calendars")],
  ["usr_tech: DELETE calendars/$id", 200, whole({ message: "Calendar revoked successfully" })],
  another("$6"),
]);

practice(staff)("an ADMIN creates one for any active staff, and must say for whom", [
  calendarOf("usr_tech", 200, { name: "Calendar" }),
  [
    "POST calendars",
    {},
    400,
    { validationErrors: [{ code: "invalid_type", message: "Required", path: ["userId"] }] },
  ],
  calendarOf("usr_none", 404, refused(404, "User not found")),
  ...["usr_gone", "usr_leo", "usr_care"].map((id) =>
    calendarOf(id, 409, refused(409, "Only active staff have calendars")),
  ),
  // Others only for themselves, also if the other is unknown.
  ...["usr_other", "usr_none"].map((userId): Step => [
    ...(["usr_tech: POST calendars", { userId }, 403, FORBIDDEN] as const),
  ]),
  ["CLINICIAN: POST calendars", { userId: "usr_tech" }, 403, FORBIDDEN],
  ["CLINICIAN: POST calendars", { name: 5 }, 403, FORBIDDEN],
  ["CLINICIAN: GET calendars", 403, FORBIDDEN],
  ["CLINICIAN: DELETE calendars/key_1", 403, FORBIDDEN],
]);

practice(staff)("an ADMIN sees and revokes all, others their own", [
  calendarOf("usr_other", 200, { id: "$theirs" }),
  ["2026-03-11T15:00:01.000Z"],
  another("$mine"),
  ["GET calendars", 200, { data: [{ id: "$theirs" }, { id: "$mine" }] }],
  ["usr_tech: GET calendars", 200, { data: [{ id: "$mine" }] }],
  ["usr_tech: DELETE calendars/$theirs", 404, refused(404, "Calendar not found")],
  ["usr_tech: DELETE calendars/key_none", 404, refused(404, "Calendar not found")],
  ["DELETE calendars/$theirs", 200],
  ["DELETE calendars/$mine", 200],
  ["GET calendars", 200, { data: [] }],
  ["DELETE calendars/$mine", 404],
]);

test("nothing is stored under an Idempotency-Key, whose form is checked", async () => {
  const again = (key: string) =>
    service.call("POST /api/v1/calendars", {
      ...{ key: own, json: {}, headers: { "Idempotency-Key": key } },
    });
  const [first, second] = [await again("once"), await again("once")];
  expect((first.body as Calendar).path).not.toBe((second.body as Calendar).path);
  expect(second.headers.get("idempotency-replayed")).toBeNull();
  expect((await again("a b")).status).toBe(400);
  const stored = await database.read((db) =>
    db.selectFrom("idempotent_responses").selectAll().execute(),
  );
  expect(stored).toEqual([]);
});

test("keys of other kinds are no calendars", async () => {
  for (const kind of ["API", "AGENT"] satisfies KeyKind[]) {
    const { id } = await issueKey(database, organization, {
      ...{ holder: { userId }, kind },
    });
    expect((await revoke(admin, id)).status).toBe(404);
  }
  expect(await list(admin)).toEqual({ data: [] });
});

describe("GET /calendar/{token}", () => {
  test("has the sessions of the technician or clinician from 14 days before to 56 days after today", async () => {
    const { path } = await newCalendar();
    const at = (start_time: string, row: object = {}) =>
      newSession(database, organization, {
        ...{ start_time, end_time: start_time, technician_id: userId, ...row },
      } as never);
    const expected = [
      // Today is March 11 in New York, where clocks were set forward on March 8.
      await at("2026-02-25T05:00:00.000Z"),
      await at("2026-03-11T15:00:00.000Z", { technician_id: null, clinician_id: userId }),
      await at("2026-05-07T03:59:59.999Z", { status: "DECLINED" }),
    ];
    await at("2026-02-25T04:59:59.999Z");
    await at("2026-05-07T04:00:00.000Z");
    await at("2026-03-11T15:00:00.000Z", { technician_id: null });
    const { status, headers, text } = await feed(path);
    expect(status).toBe(200);
    expect(headers.toJSON()).toMatchObject({
      "content-type": "text/calendar; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    });
    const uids = [...text.matchAll(/^UID:(.*)\r$/gm)].map(([, uid]) => uid);
    expect(uids).toEqual(expected.map((id) => `${id}.${organization}@caseload`));
  });

  test("tells nothing of a patient", async () => {
    const { path } = await newCalendar();
    const client_id = await newUser(database, organization, {
      ...{ role: "PATIENT", first_name: "Leonardo", last_name: "Parkinson" },
    });
    await newSession(database, organization, {
      ...{ client_id, title: "Leonardo P., direct therapy", technician_id: userId },
      ...{ start_time: "2026-03-12T15:00:00.000Z", end_time: "2026-03-12T16:00:00.000Z" },
    } as never);
    const { text } = await feed(path);
    expect(text).toContain("BEGIN:VEVENT");
    for (const told of ["Leonardo", "Parkinson", "P.", client_id]) expect(text).not.toContain(told);
  });

  test("is the same on a day, and a 304 for whoever has it", async () => {
    const { path } = await newCalendar();
    await newSession(database, organization, {
      ...{ technician_id: userId, start_time: "2026-03-12T15:00:00.000Z" },
      end_time: "2026-03-12T16:00:00.000Z",
    } as never);
    const first = await feed(path);
    const tag = first.headers.get("etag") ?? "";
    clock.set("2026-03-12T03:59:00.000Z");
    expect((await feed(path)).text).toBe(first.text);
    for (const value of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const { status, text, headers } = await feed(path, { "If-None-Match": value });
      expect({ status, text, tag: headers.get("etag") }).toEqual({ status: 304, text: "", tag });
    }
    clock.set("2026-03-12T04:00:00.000Z");
    expect((await feed(path, { "If-None-Match": tag })).status).toBe(200);
    const head = await service.call(`HEAD ${path}`);
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test("anything else is a 404: other keys, no .ics, unknown, inactive or no staff any more", async () => {
    const { path } = await newCalendar();
    const { key: agent } = await issueKey(database, organization, {
      ...{ holder: { userId }, kind: "AGENT" },
    });
    const swapped = path.replace(/(.)(.)\.ics$/, "$2$1.ics");
    for (const wrong of [
      path.slice(0, -".ics".length),
      `/calendar/${own}.ics`,
      `/calendar/${agent}.ics`,
      swapped === path ? "/calendar/x.ics" : swapped,
      "/calendar/.ics",
      "/calendar/%.ics",
      `${path}/`,
    ])
      expect(await feed(wrong)).toMatchObject({ status: 404, body: NOT_FOUND });
    expect(await service.call(`POST ${path}`)).toMatchObject({ status: 404, body: NOT_FOUND });
    const change = (row: object) =>
      database.write(
        (trx) => trx.updateTable("users").set(row).where("public_id", "=", userId).execute(),
        { organizationId: organization },
      );
    expect((await feed(path)).status).toBe(200);
    await change({ is_active: 0 });
    expect(await feed(path)).toMatchObject({ status: 404, body: NOT_FOUND });
    await change({ is_active: 1, role: "CAREGIVER" });
    expect(await feed(path)).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  test("its token is no key of the API", async () => {
    const { path } = await newCalendar();
    const key = path.slice("/calendar/".length, -".ics".length);
    const { status, body } = await service.call("GET /api/v1/sessions", { key });
    expect({ status, body }).toEqual({
      ...{ status: 403, body: { error: "Access denied", statusCode: 403 } },
    });
  });

  test("a 200 leaves a row without patients and without the token, others none; so does the log", async () => {
    const { path } = await newCalendar();
    const rows = () =>
      database.read((db) =>
        db
          .selectFrom("audit_entries")
          .select(["method", "route", "target", "user_id", "role", "status", "patient_ids"])
          .where("organization_id", "=", organization)
          .where("route", "like", "/calendar%")
          .execute(),
      );
    const { headers } = await feed(path);
    await feed(path, { "If-None-Match": headers.get("etag") ?? "" });
    await feed(path.replace(".ics", ""));
    expect(await rows()).toEqual([
      {
        ...{ method: "GET", route: "/calendar/{token}", target: "/calendar", status: 200 },
        ...{ user_id: userId, role: "TECHNICIAN", patient_ids: "[]" },
      },
    ]);
    expect(JSON.stringify(service.log)).not.toContain("caseloadcal_");
    expect(service.log.map(({ route }) => route)).toContain("/calendar/{token}");
  });

  test("reads the sessions by one statement", async () => {
    const { path } = await newCalendar();
    await feed(path);
    const { statements } = await statementsOf(() => feed(path));
    expect(statements.filter((text) => text.includes('"sessions"'))).toHaveLength(1);
  });

  test("that were revoked are kept, the newest 20 of a person, and none of them works", async () => {
    const paths: string[] = [];
    for (let count = 0; count < 23; count += 1) {
      clock.advance(1_000);
      const { id, path } = await newCalendar();
      await revoke(own, id);
      paths.push(path);
    }
    const last = await newCalendar();
    const keys = await database.read((db) =>
      db
        .selectFrom("api_keys")
        .select(["id", "revoked_at"])
        .where("user_id", "=", userId)
        .where("kind", "=", "CALENDAR")
        .execute(),
    );
    expect(keys.filter(({ revoked_at }) => revoked_at !== null)).toHaveLength(20);
    expect(keys).toHaveLength(21);
    expect((await feed(last.path)).status).toBe(200);
    for (const path of [paths[0], paths[22]])
      expect((await service.call(`GET ${path}`)).status).toBe(404);
  });

  test("is limited by its key, and wrong addresses by who asks", async () => {
    const limited = await newService({
      limits: newRateLimits(2),
      addressOf: () => "203.0.113.7",
    });
    const id = await newOrganization(limited.database);
    const holder = { userId: await newUser(limited.database, id) };
    const { key } = await issueKey(limited.database, id, { holder, kind: "CALENDAR" });
    const ask = async (token: string) => (await limited.call(`GET /calendar/${token}.ics`)).status;
    expect([await ask(key), await ask(key), await ask(key)]).toEqual([200, 200, 429]);
    const wrong: number[] = [];
    for (let times = 0; times < 21; times += 1) wrong.push(await ask("caseloadcal_wrong"));
    expect(wrong).toEqual([...Array<number>(20).fill(404), 429]);
  });
});
