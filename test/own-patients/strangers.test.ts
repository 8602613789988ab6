import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import type { Json } from "../support/body-rules.ts";
import { endpoints } from "../support/endpoints.ts";
import { issueKey, newOrganization } from "../support/factories.ts";
import { type Answer, newService } from "../support/harness.ts";
import { fillOrganization } from "../support/isolation-practice.ts";
import { namingsOf } from "../support/namings.ts";

/**
 * Wherever a request can name a record, that of another's patient gets the response of an unknown id, byte for byte, from
 * a caller who sees own patients only. The practice has two patients with one of each record; the caller is booked with
 * the first one.
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database, {
  own_patients_only: "TECHNICIANS_AND_CLINICIANS",
});
const [OWN, OTHERS, NOBODY] = ["_ours__", "_theirs", "_nobody"] as const;
for (const suffix of [OWN, OTHERS]) await fillOrganization(database, organization, suffix);

const keyOf = async (userId: string, options = {}): Promise<string> =>
  (await issueKey(database, organization, { holder: { userId }, ...options })).key;

const callers = await Promise.all(
  ["technician", "clinician"].map(async (name) => {
    const key = await keyOf(`usr_${name}${OWN}`);
    const call = (line: string, json?: Json) => {
      const [method, path] = line.split(" ");
      return service.call(`${method} /api${path}`, { key, ...(json !== undefined && { json }) });
    };
    return { name, call };
  }),
);

/** Names of what is about a patient; of staff and reference data, everybody sees everything. */
const ABOUT_A_PATIENT = /^(usr_client|lead|goal|apt|auth|apool|tp)_?/;

const cases = callers.flatMap(({ name: caller, call }) =>
  namingsOf(call, OWN).flatMap(({ operation, field, names, send }) =>
    names
      .filter((name) => ABOUT_A_PATIENT.test(name))
      .map((name) => ({ caller, operation, field, name, send })),
  ),
);

async function rows(): Promise<Record<string, string[]>> {
  return database.read(async (db) => {
    const rowsOf: Record<string, string[]> = {};
    for (const table of ["goals", "deletions", "sessions", "encounters", "users"]) {
      const stored = await sql`select * from ${sql.table(table)}`.execute(db);
      rowsOf[table] = stored.rows.map((row) => JSON.stringify(row)).toSorted();
    }
    return rowsOf;
  });
}

function comparable({ status, headers, text }: Answer, id: string): unknown {
  const { "x-request-id": _, ...others } = headers.toJSON();
  return { status, headers: others, text: text.replaceAll(id, "<id>") };
}

describe("the id of another's patient, or of a record of theirs, is an unknown id", () => {
  test.each(cases)("for a $caller: $operation: $field ($name)", async ({ name, send }) => {
    const before = await rows();
    const [their, none] = [await send(name + OTHERS), await send(name + NOBODY)];
    expect(comparable(their, name + OTHERS)).toEqual(comparable(none, name + NOBODY));
    expect(await rows()).toEqual(before);
  });

  const readable = cases.filter(({ operation }) =>
    /^GET (?!.*(intake-leads|practice-file))/.test(operation),
  );
  test.each(readable)(
    "that of an own one is known to a $caller: $operation: $field ($name)",
    async ({ name, send }) => {
      const [own, none] = [await send(name + OWN), await send(name + NOBODY)];
      expect(comparable(own, name + OWN)).not.toEqual(comparable(none, name + NOBODY));
    },
  );

  test.each(callers)("for a $name: ids of practice-file, with types", async ({ call }) => {
    const types = "user,authorizationPool,authorization,session,encounter,treatmentPlan,goal";
    const names = ["usr_client", "apool_main", "auth_alone", "apt_main", "enc_main", "tp_main"];
    const read = (suffix: string) => {
      const ids = [...names, "goal_main"].map((name) => name + suffix);
      return call(`GET /v1/practice-file?types=${types}&ids=${ids}`);
    };
    const [own, others, nobody] = [await read(OWN), await read(OTHERS), await read(NOBODY)];
    expect(others.text).toBe(nobody.text);
    expect(own.text.trim().split("\n")).toHaveLength(8);
  });

  test.each(callers)("for a $name: sessions to be cancelled in a what-if", async ({ call }) => {
    const ask = (id: string) =>
      call(`POST /v1/authorization-utilization/auth_alone${OWN}/what-if`, { cancel: [id] });
    const [their, none] = [await ask(`apt_main${OTHERS}`), await ask(`apt_main${NOBODY}`)];
    expect(comparable(their, `apt_main${OTHERS}`)).toEqual(comparable(none, `apt_main${NOBODY}`));
    expect((await ask(`apt_main${OWN}`)).status).toBe(200);
  });
});

describe("nothing of another's patient is in", () => {
  const days = "startDate=2026-03-01&endDate=2026-03-31";
  const queries: Record<string, string> = {
    "/v1/checks": days,
    "/v1/delivery": days,
    "/v1/billing-lines": days,
    "/v1/supervision": "month=2026-03",
    "/v1/names": `ids=usr_client${OTHERS},usr_client${OWN}`,
  };
  const lists = endpoints
    .filter(({ method, path }) => method === "GET" && !path.includes("{"))
    .map(({ path }) => path);
  const cases = callers.flatMap(({ name, call }) => lists.map((path) => ({ name, path, call })));

  test.each(cases)("$path, for a $name", async ({ path, call }) => {
    const { text } = await call(`GET ${path}?${queries[path] ?? "pageSize=100"}`);
    const theirs = text.match(/\w+_theirs/g) ?? [];
    expect(
      theirs.filter((id) => ABOUT_A_PATIENT.test(id) || /^(client|record|enc)_/.test(id)),
    ).toEqual([]);
  });

  test.each(callers)("users found by text or email, for a $name", async ({ call }) => {
    for (const query of [
      "search=client_theirs",
      "search=record_theirs",
      "email=client_theirs@isolation.example",
    ]) {
      const [their, none] = [
        await call(`GET /v1/users?${query}`),
        await call(`GET /v1/users?${query.replace("theirs", "nobody")}`),
      ];
      expect(their.text).toBe(none.text);
    }
  });
});
