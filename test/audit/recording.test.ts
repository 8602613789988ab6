import { describe, expect, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import {
  newApiKey,
  newOrganization,
  newPatient,
  newSession,
  newUser,
} from "../support/factories.ts";
import { type CallOptions, NOW, newService } from "../support/harness.ts";

/**
 * Every request under /api/v1 writes one audit entry with the patients whose data it showed or
 * changed.
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
await newPatient(database, organization, { public_id: "usr_leo" });
await newUser(database, organization);
await newSession(database, organization, { public_id: "apt_1", client_id: "usr_leo" });

/** The entries that `work` writes, without their hashes and key ids. */
async function rowsOf(work: () => Promise<unknown>) {
  const read = () =>
    database.read((db) => db.selectFrom("audit_entries").selectAll().orderBy("sequence").execute());
  const before = (await read()).map((row) => row.hash);
  await work();
  return (await read())
    .filter((row) => !before.includes(row.hash))
    .map(({ hash, key_id, sequence, ...row }) => row);
}

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

/** An entry of a request to a route; to its path, unless another target is given. */
function row(route: string, status: number, more: Partial<Row> = {}): Row {
  const [method = "", path = ""] = route.split(" ");
  return {
    ...{ organization_id: organization, time: NOW as Instant, request_id: expect.any(String) },
    ...{ user_id: null, role: "ADMIN", method, route: path, status, target: `/api${path}` },
    ...{ patient_ids: "[]", address: null, operator: null, requests: null, ...more },
  };
}

const naming = (...ids: string[]) => ({ patient_ids: JSON.stringify(ids) });

type Asked = readonly [line: string, options?: CallOptions];

async function ask(asked: readonly Asked[]): Promise<void> {
  for (const [line, options = { key }] of asked) await service.call(line, options);
}

const search = "/api/v1/users?search=MRN%20123&pageSize=1&page=9999";
const count = "/api/v1/sessions?clientId=usr_leo&page=9999";
const ofLength = (length: number) => `/api/v1/users?search=`.padEnd(length, "a");
const hash = Bun.CryptoHasher.hash("sha256", ofLength(1_001), "hex");
// Repeated refusals of one key are summed up.
const keys = [await newApiKey(database, organization), await newApiKey(database, organization)];

describe("the audit trail has", () => {
  test.each<[name: string, asked: Asked[], rows: Row[]]>([
    [
      "an entry for a read, with every patient of the page",
      [["GET /api/v1/users", { key, headers: { "X-Request-Id": "r-1" } }]],
      [row("GET /v1/users", 200, { request_id: "r-1", ...naming("usr_leo") })],
    ],
    [
      "an entry for sessions, with their clients",
      [["GET /api/v1/sessions"], ["GET /api/v1/sessions/apt_1"]],
      [
        row("GET /v1/sessions", 200, naming("usr_leo")),
        row("GET /v1/sessions/{sessionId}", 200, {
          ...{ target: "/api/v1/sessions/apt_1", ...naming("usr_leo") },
        }),
      ],
    ],
    [
      "the query, since even a total discloses something about a patient",
      [[`GET ${search}`], [`GET ${count}`]],
      [
        row("GET /v1/users", 200, { target: search }),
        row("GET /v1/sessions", 200, { target: count, ...naming("usr_leo") }),
      ],
    ],
    [
      "up to 1,000 characters of the target, and the SHA-256 of a longer one",
      [1_000, 1_001].map((length, index) => [`GET ${ofLength(length)}`, { key: keys[index]! }]),
      [
        row("GET /v1/users", 400, { target: ofLength(1_000) }),
        row("GET /v1/users", 400, { target: `${ofLength(1_000)} sha256:${hash}` }),
      ],
    ],
    [
      "entries for refusals, without a caller if there was no valid key",
      [
        ...([["GET /api/v1/users?page=0"], ["DELETE /api/v1/users"]] as const),
        ...([["GET /api/v1/sessions/none"], ["GET /api/v1/nowhere", {}]] as const),
      ],
      [
        row("GET unknown", 401, {
          ...{ organization_id: "", role: null, target: null, address: "127.0.0.1" },
        }),
        row("GET /v1/users", 400, { target: "/api/v1/users?page=0" }),
        row("DELETE /v1/users", 405),
        row("GET /v1/sessions/{sessionId}", 404, { target: "/api/v1/sessions/none" }),
      ],
    ],
    [
      "no entry for requests outside the API",
      [
        ["GET /livez", {}],
        ["GET /nowhere", {}],
      ],
      [],
    ],
  ])("%s", async (_, asked, rows) => {
    expect(await rowsOf(() => ask(asked))).toEqual(rows);
    expect(JSON.stringify(service.log)).not.toMatch(/MRN|usr_leo/);
  });

  test("an entry for a change, with the created patient, and one for its replayed response", async () => {
    const json = { firstName: "New", lastName: "Patient", role: "PATIENT" };
    const headers = { "Idempotency-Key": "audited" };
    let made = "";
    const rows = await rowsOf(async () => {
      const { body } = await service.call("POST /api/v1/users", { key, json, headers });
      made = (body as { user: { publicId: string } }).user.publicId;
      await service.call("POST /api/v1/users", { key, json, headers });
    });
    const created = row("POST /v1/users", 200, naming(made));
    expect(rows).toEqual([created, created]);
  });

  test("no patient of an attempt that was rolled back for a request beside it", async () => {
    const json = { firstName: "A", lastName: "B", role: "PATIENT", email: "twice@maple.example" };
    const send = () => service.call("POST /api/v1/users", { key, json });
    const rows = await rowsOf(() => Promise.all([send(), send()]));
    const { public_id: made } = await database.read((db) =>
      db
        .selectFrom("users")
        .select("public_id")
        .where("email", "=", json.email)
        .executeTakeFirstOrThrow(),
    );
    expect(rows.toSorted((one, other) => one.status - other.status)).toMatchObject([
      { status: 200, ...naming(made) },
      { status: 400, ...naming(made) },
    ]);
  });
});
