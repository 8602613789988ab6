import { describe, expect, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import {
  newApiKey,
  newOrganization,
  newPatient,
  newSession,
  newUser,
} from "../support/factories.ts";
import { NOW, newService } from "../support/harness.ts";

/**
 * Every request under /api/v1 writes one audit entry with the patients whose data it showed or
 * changed.
 */

const service = await newService();
const organization = await newOrganization(service.database);
const key = await newApiKey(service.database, organization);
const patient = await newPatient(service.database, organization);
await newUser(service.database, organization);

/** The entries that `work` writes, without their hashes and key ids. */
async function rowsOf(work: () => Promise<unknown>) {
  const read = () =>
    service.database.read((db) =>
      db.selectFrom("audit_entries").selectAll().orderBy("sequence").execute(),
    );
  const before = (await read()).map((row) => row.hash);
  await work();
  return (await read())
    .filter((row) => !before.includes(row.hash))
    .map(({ hash, key_id, sequence, ...row }) => row);
}

type Row = Awaited<ReturnType<typeof rowsOf>>[number];
type Told = Pick<Row, "method" | "route" | "status" | "target"> & Partial<Row>;

const expectedRow = (row: Told): Row => ({
  organization_id: organization,
  time: NOW as Instant,
  request_id: expect.any(String),
  user_id: null,
  role: "ADMIN",
  patient_ids: "[]",
  address: null,
  operator: null,
  requests: null,
  ...row,
});

describe("the audit trail", () => {
  test("has an entry for a read, with every patient of the page", async () => {
    const headers = { "X-Request-Id": "r-1" };
    const rows = await rowsOf(() => service.call("GET /api/v1/users", { key, headers }));
    expect(rows).toEqual([
      expectedRow({
        request_id: "r-1",
        method: "GET",
        route: "/v1/users",
        status: 200,
        target: "/api/v1/users",
        patient_ids: JSON.stringify([patient]),
      }),
    ]);
  });

  test("has an entry for sessions, with their clients", async () => {
    const id = await newSession(service.database, organization, { client_id: patient });
    const rows = await rowsOf(async () => {
      await service.call("GET /api/v1/sessions", { key });
      await service.call(`GET /api/v1/sessions/${id}`, { key });
    });
    const patient_ids = JSON.stringify([patient]);
    expect(rows).toEqual([
      expectedRow({
        method: "GET",
        route: "/v1/sessions",
        status: 200,
        target: "/api/v1/sessions",
        patient_ids,
      }),
      expectedRow({
        method: "GET",
        route: "/v1/sessions/{sessionId}",
        status: 200,
        target: `/api/v1/sessions/${id}`,
        patient_ids,
      }),
    ]);
  });

  test("has the query, since even a total discloses something about a patient", async () => {
    const search = "/api/v1/users?search=MRN%20123&pageSize=1&page=9999";
    const count = `/api/v1/sessions?clientId=${patient}&page=9999`;
    const rows = await rowsOf(async () => {
      await service.call(`GET ${search}`, { key });
      await service.call(`GET ${count}`, { key });
    });
    expect(rows).toEqual([
      expectedRow({ method: "GET", route: "/v1/users", status: 200, target: search }),
      expectedRow({
        method: "GET",
        route: "/v1/sessions",
        status: 200,
        target: count,
        patient_ids: JSON.stringify([patient]),
      }),
    ]);
    const log = JSON.stringify(service.log);
    expect([log.includes("MRN"), log.includes(patient)]).toEqual([false, false]);
  });

  test("has up to 1,000 characters of the target, and the SHA-256 of a longer one", async () => {
    const ofLength = (length: number) => `/api/v1/users?search=`.padEnd(length, "a");
    const [short, long] = [ofLength(1_000), ofLength(1_001)];
    const rows = await rowsOf(async () => {
      for (const target of [short, long])
        await service.call(`GET ${target}`, {
          key: await newApiKey(service.database, organization),
        });
    });
    const hash = Bun.CryptoHasher.hash("sha256", long, "hex");
    expect(rows.map(({ target }) => target)).toEqual([
      short,
      `${long.slice(0, 1_000)} sha256:${hash}`,
    ]);
  });

  test("has one entry for a change, with the created patient", async () => {
    const json = { firstName: "New", lastName: "Patient", role: "PATIENT" };
    let made = "";
    const rows = await rowsOf(async () => {
      const answer = await service.call("POST /api/v1/users", { key, json });
      made = (answer.body as { user: { publicId: string } }).user.publicId;
    });
    expect(rows).toEqual([
      expectedRow({
        method: "POST",
        route: "/v1/users",
        status: 200,
        target: "/api/v1/users",
        patient_ids: JSON.stringify([made]),
      }),
    ]);
  });

  test("has no patient of an attempt that was rolled back for a request beside it", async () => {
    const json = { firstName: "A", lastName: "B", role: "PATIENT", email: "twice@maple.example" };
    const send = () => service.call("POST /api/v1/users", { key, json });
    const rows = await rowsOf(() => Promise.all([send(), send()]));
    const { public_id: made } = await service.database.read((db) =>
      db
        .selectFrom("users")
        .select("public_id")
        .where("email", "=", json.email)
        .executeTakeFirstOrThrow(),
    );
    const patient_ids = JSON.stringify([made]);
    expect(rows.toSorted((one, other) => one.status - other.status)).toMatchObject([
      { status: 200, patient_ids },
      { status: 400, patient_ids },
    ]);
  });

  test("has an entry for a replayed response, with its patients", async () => {
    const json = { firstName: "New", lastName: "Patient", role: "PATIENT" };
    const headers = { "Idempotency-Key": "audited" };
    const rows = await rowsOf(async () => {
      await service.call("POST /api/v1/users", { key, json, headers });
      await service.call("POST /api/v1/users", { key, json, headers });
    });
    expect(rows).toHaveLength(2);
    expect(rows[1]).toEqual({ ...rows[0]!, request_id: expect.any(String) });
  });

  test("has entries for refusals, without a caller if there was no valid key", async () => {
    const rows = await rowsOf(async () => {
      await service.call("GET /api/v1/users?page=0", { key });
      await service.call("DELETE /api/v1/users", { key });
      await service.call("GET /api/v1/sessions/none", { key });
      await service.call("GET /api/v1/nowhere");
    });
    expect(rows).toEqual([
      {
        ...expectedRow({ method: "GET", route: "unknown", status: 401, target: null }),
        organization_id: "",
        role: null,
        address: "127.0.0.1",
      },
      expectedRow({
        method: "GET",
        route: "/v1/users",
        status: 400,
        target: "/api/v1/users?page=0",
      }),
      expectedRow({ method: "DELETE", route: "/v1/users", status: 405, target: "/api/v1/users" }),
      expectedRow({
        method: "GET",
        route: "/v1/sessions/{sessionId}",
        status: 404,
        target: "/api/v1/sessions/none",
      }),
    ]);
  });

  test("has no entry for requests outside the API", async () => {
    const rows = await rowsOf(async () => {
      await service.call("GET /livez");
      await service.call("GET /nowhere");
    });
    expect(rows).toEqual([]);
  });
});
