import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { sql } from "kysely";
import { endpoints } from "./support/endpoints.ts";
import { type Json, withField } from "./support/body-rules.ts";
import { newApiKey, newIntakeStage, newOrganization, newUser } from "./support/factories.ts";
import { type Answer, newService, TestService } from "./support/harness.ts";
import { fillOrganization, idsOf } from "./support/isolation-practice.ts";
import { newCaregiver, newLead } from "./support/intake-leads/practice.ts";
import { filled, lists, type Naming, namings, reads } from "./support/operations.ts";
import {
  databaseOfFullPractice,
  fullPractice,
  idsOfFullPractice,
} from "./support/practice-file/full-practice.ts";
import { mustImport } from "./support/practice-file/practice-file.ts";

/**
 * Two organizations in one database. Wherever a request can name a record, an id of the other
 * organization gets the response of an unknown id, byte for byte, and the other organization's rows
 * do not change.
 */

const service = await newService();
const { database } = service;
const ours = await newOrganization(database);
const theirs = await newOrganization(database);
const key = await newApiKey(database, ours);
const theirKey = await newApiKey(database, theirs);

/**
 * The ids of each organization end with a suffix, so that tests can replace it by that of unknown
 * ids.
 */
const OURS = "_ours__";
const THEIRS = "_theirs";
const NOBODY = "_nobody";

const ids = idsOf(ours, OURS);
const unknown = idsOf(ours, NOBODY);
await fillOrganization(database, ours, OURS);
await fillOrganization(database, theirs, THEIRS);

const call = (line: string, json?: Json) => {
  const [method, path] = line.split(" ");
  return service.call(`${method} /api${path}`, { key, ...(json !== undefined && { json }) });
};
const get = (path: string) => call(`GET ${path}`);
const post = (path: string, json: Json) => call(`POST ${path}`, json);
const newUserOf = (role: string, more: Json) =>
  post("/v1/users", { firstName: "Ida", lastName: "Newly", role, ...more });
const lead = (field: string, value: unknown) =>
  post("/v1/intake-leads", withField(newLead(), ["client", field], value));

/** Sends the request of a naming with an id there, and else with our own ones. */
async function send({ request, kind }: Naming, id: string): Promise<Answer> {
  const { line, ...sent } = filled(request, (other) => (other === kind ? id : ids(other)));
  const answer = await service.call(line, { key, ...sent });
  expect(answer.status).toBeLessThan(500);
  return answer;
}

/** All rows of the other organization as JSON, sorted, since a table has no order. */
async function theirRows(): Promise<Record<string, string[]>> {
  return database.read(async (db) => {
    const tables = (await db.introspection.getTables()).filter(({ columns }) =>
      columns.some(({ name }) => name === "organization_id"),
    );
    const rowsOf: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await sql`
        select * from ${sql.table(name)} where organization_id = ${theirs}
      `.execute(db);
      rowsOf[name] = rows.map((row) => JSON.stringify(row)).toSorted();
    }
    return rowsOf;
  });
}

const NEW_ID = /(usr|lead|goal)_[0-9a-z]{26}/;

/** A response without its request id, the requested id, new ids, and the sequence that a write has got. */
function comparable({ status, headers, text }: Answer, id: string): unknown {
  const { "x-request-id": _, ...others } = headers.toJSON();
  // Of two writes that are done, the second has the next sequence.
  const isDone = NEW_ID.test(text) || /^\{"(recorded|success)"/.test(text);
  return {
    status,
    headers: isDone ? { ...others, "caseload-sequence": undefined } : others,
    text: text.replaceAll(id, "<id>").replaceAll(new RegExp(NEW_ID, "g"), "<new id>"),
  };
}

describe("an id of another organization is an unknown id", () => {
  const theirId = idsOf(theirs, THEIRS);

  test.each(namings)("$operation: $field ($kind)", async (naming) => {
    const [their, none] = [theirId(naming.kind), unknown(naming.kind)];
    const before = await theirRows();
    const answers = [await send(naming, their), await send(naming, none)] as const;
    expect(comparable(answers[0], their)).toEqual(comparable(answers[1], none));
    expect(await theirRows()).toEqual(before);
  });

  test.each(namings)(
    "the organization's own id gets another response: $operation: $field ($kind)",
    async (naming) => {
      const [own, none] = [ids(naming.kind), unknown(naming.kind)];
      const answers = [await send(naming, own), await send(naming, none)] as const;
      // Links of a new user are shown only in the list.
      const isSkipped = /^(providerPayors|careTeam)/.test(naming.field);
      if (isSkipped) expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      else expect(comparable(answers[0], own)).not.toEqual(comparable(answers[1], none));
    },
  );

  test("a new user is linked to records of its own organization only", async () => {
    const links = await database.read(async (db) => [
      ...(await db.selectFrom("care_team_links").selectAll().execute()),
      ...(await db.selectFrom("provider_payors").selectAll().execute()),
    ]);
    const text = JSON.stringify(links.filter((link) => link.organization_id === ours));
    expect(text).not.toMatch(/_theirs|_nobody/);
    for (const own of ["usr_technician_ours__", "usr_clinician_ours__", "pay_main_ours__"])
      expect(text).toContain(own);
  });

  test("requests are declared with every field of every operation that refers to a record", () => {
    const listed = namings.map(({ operation, field }) => `${operation} ${field}`);
    const fields = endpoints.flatMap(({ method, path, params, query, body }) =>
      [params, query, body].flatMap((schema) =>
        namesIn(schema).map((field) => `${method} ${path} ${field}`),
      ),
    );
    expect([...new Set(listed)].toSorted()).toEqual([...new Set(fields)].toSorted());
  });
});

/** The properties of a schema, at any depth, that hold ids. */
function namesIn(schema: TSchema | undefined): string[] {
  if (schema === undefined) return [];
  const properties: Record<string, TSchema> = schema.properties ?? {};
  const variants: TSchema[] = schema.anyOf ?? [];
  const parts = schema.items ? [...variants, schema.items] : variants;
  return [
    ...Object.keys(properties).filter((name) =>
      /(^ids|^cancel|Ids?|Locations|Payors|^specializations)$/.test(name),
    ),
    ...[...parts, ...Object.values(properties)].flatMap(namesIn),
  ];
}

describe("records of another organization", () => {
  const list = async (path: string) => (await get(path)).text;

  test.each([
    ["users", "search", "client_theirs"],
    ["users", "email", "client_theirs@isolation.example"],
    ["users", "search", "record_theirs"],
  ])("are not found in the list of %s by %s", async (resource, parameter, value) => {
    const none = value.replace("theirs", "nobody");
    const query = (text: string) => list(`/v1/${resource}?${parameter}=${text}`);
    expect(await query(value)).toBe(await query(none));
  });

  test.each(lists)("are not in the answer of $path", async ({ path, example }) => {
    const { line } = filled(example, ids);
    const { status, text } = await service.call(line, { key });
    expect(status).toBe(200);
    // The key is of no user, so it has no passkeys.
    if (path !== "/v1/passkeys") expect(text).toContain(path === "/v1/me" ? ours : OURS);
    expect(text).not.toContain(THEIRS);
    expect(text).not.toContain(theirs);
  });

  test("do not reserve the email address of a new user or caregiver", async () => {
    const email = `client${THEIRS}@isolation.example`;
    expect((await newUserOf("TECHNICIAN", { email })).status).toBe(200);
    const body = { ...newLead(), caregiver: newCaregiver({ email: `second.${email}` }) };
    await newUser(database, theirs, { email: `second.${email}` });
    expect((await post("/v1/intake-leads", body)).status).toBe(201);
  });

  test("do not provide an intake stage for a key", async () => {
    await newIntakeStage(database, theirs, { built_in_key: "WAITLIST" });
    const their = await lead("intakeStatusKey", "WAITLIST");
    const none = await lead("intakeStatusKey", "ARCHIVED");
    expect(comparable(their, "WAITLIST")).toEqual(comparable(none, "ARCHIVED"));
    expect(their.status).toBe(400);
  });

  test("do not use up an Idempotency-Key", async () => {
    const json = { firstName: "Ida", lastName: "Newly" };
    const send = (callersKey: string, retryKey: string, body: Json) =>
      service.call("POST /api/v1/users", {
        key: callersKey,
        json: body,
        headers: { "Idempotency-Key": retryKey },
      });
    expect((await send(theirKey, "shared", json)).status).toBe(200);
    const other = { ...json, firstName: "Ivo" };
    const [used, unused] = [await send(key, "shared", other), await send(key, "unused", other)];
    expect(comparable(used, "shared")).toEqual(comparable(unused, "unused"));
    expect(used.status).toBe(200);
  });
});

test("records of another organization with the same ids change no read", async () => {
  const database = await databaseOfFullPractice();
  const service = new TestService(database);
  const key = await newApiKey(database, "org_maple");
  const responses = async () => {
    const texts: Record<string, string> = {};
    for (const read of reads) {
      const { line } = filled(read, idsOfFullPractice);
      texts[line] = (await service.call(line, { key })).text;
    }
    return texts;
  };
  const alone = await responses();
  const [organization, ...records] = fullPractice;
  await mustImport(database, [
    { ...organization, publicId: "org_birch" },
    ...JSON.parse(JSON.stringify(records), (name, value) =>
      /name|title|number/i.test(name) && typeof value === "string" ? `${value} 2` : value,
    ),
  ]);
  expect(await responses()).toEqual(alone);
});
