import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { issueKey, newOrganization } from "../support/factories.ts";
import { type Answer, newService } from "../support/harness.ts";
import { fillOrganization, idsOf } from "../support/isolation-practice.ts";
import {
  ABOUT_A_PATIENT,
  filled,
  lists,
  type Naming,
  namings,
  type Operation,
  operations,
} from "../support/operations.ts";

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
const [OWN, OTHERS] = ["_ours__", "_theirs"] as const;
const ids = idsOf(organization, OWN);
const others = idsOf(organization, OTHERS);
const nobody = idsOf(organization, "_nobody");
for (const suffix of [OWN, OTHERS]) await fillOrganization(database, organization, suffix);

const keyOf = async (userId: string, options = {}): Promise<string> =>
  (await issueKey(database, organization, { holder: { userId }, ...options })).key;

const callers = await Promise.all(
  ["technician", "clinician"].map(async (name) => ({ name, key: await keyOf(ids(name)) })),
);

/** Sends the request of a naming with an id there, and else with ids of one's own. */
function send({ request, kind }: Naming, key: string, id: string): Promise<Answer> {
  const { line, ...sent } = filled(request, (other) => (other === kind ? id : ids(other)));
  return service.call(line, { key, ...sent });
}

/** Of staff and reference data, everybody sees everything. */
const cases = callers.flatMap(({ name: caller, key }) =>
  namings
    .filter(({ kind }) => ABOUT_A_PATIENT.includes(kind))
    .map((naming) => ({ ...naming, caller, key })),
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
  test.each(cases)("for a $caller: $operation: $field ($kind)", async ({ key, ...naming }) => {
    const [their, none] = [others(naming.kind), nobody(naming.kind)];
    const before = await rows();
    const answers = [await send(naming, key, their), await send(naming, key, none)] as const;
    expect(answers[0].status).toBeLessThan(500);
    expect(comparable(answers[0], their)).toEqual(comparable(answers[1], none));
    expect(await rows()).toEqual(before);
  });

  // Leads, what supports billing, and whole practice files are refused to these callers.
  const readable = cases.filter(
    ({ operation, request }) =>
      /^GET (?!.*(intake-leads|billing-support))/.test(operation) &&
      !request.line.includes("practice-file?ids"),
  );
  test.each(readable)(
    "that of an own one is known to a $caller: $operation: $field ($kind)",
    async ({ key, ...naming }) => {
      const [own, none] = [ids(naming.kind), nobody(naming.kind)];
      const answers = [await send(naming, key, own), await send(naming, key, none)] as const;
      expect(comparable(answers[0], own)).not.toEqual(comparable(answers[1], none));
    },
  );
});

/** Ids of records that are about a patient. */
const OF_A_PATIENT =
  /\b(usr_client|lead|goal|apt|auth|apool|tp|client|record|enc)_\w*(ours|theirs)_*/;

describe("what names no patient has the same numbers for everybody, as hours of staff:", () => {
  // Whose key it is, and whether it is limited, `me` says.
  const aboutNobody = operations.filter(
    ({ method, operationId, operation }) =>
      method === "GET" &&
      operationId !== "getMe" &&
      !namings.some((one) => one.operation === operation && ABOUT_A_PATIENT.includes(one.kind)),
  );

  async function limit(own_patients_only: string | null): Promise<void> {
    await database.write(
      (trx) => trx.updateTable("organizations").set({ own_patients_only }).execute(),
      { organizationId: organization },
    );
  }

  async function texts({ requests }: Operation, key: string): Promise<string[]> {
    const answers: string[] = [];
    for (const request of requests)
      answers.push((await service.call(filled(request, ids).line, { key })).text);
    return answers;
  }

  test.each(
    callers.flatMap((caller) => aboutNobody.map((operation) => ({ ...caller, operation }))),
  )("$operation.operation, for a $name", async ({ key, operation }) => {
    const limited = await texts(operation, key);
    await limit(null);
    const unlimited = await texts(operation, key);
    await limit("TECHNICIANS_AND_CLINICIANS");
    const isAboutPatients = unlimited.some((text) => OF_A_PATIENT.test(text));
    if (!isAboutPatients) expect(limited).toEqual(unlimited);
  });
});

describe("nothing of another's patient is in", () => {
  const cases = callers.flatMap(({ name, key }) =>
    lists.map(({ path, example }) => ({ name, path, example, key })),
  );

  test.each(cases)("$path, for a $name", async ({ example, key }) => {
    const { text } = await service.call(filled(example, ids).line, { key });
    const named = text.match(new RegExp(OF_A_PATIENT, "g")) ?? [];
    expect(named.filter((id) => id.endsWith(OTHERS))).toEqual([]);
  });

  test.each(callers)("users found by text or email, for a $name", async ({ key }) => {
    const find = (query: string) => service.call(`GET /api/v1/users?${query}`, { key });
    for (const query of [
      "search=client_theirs",
      "search=record_theirs",
      "email=client_theirs@isolation.example",
    ]) {
      const [their, none] = [await find(query), await find(query.replace("theirs", "nobody"))];
      expect(their.text).toBe(none.text);
    }
  });
});
