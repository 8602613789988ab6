import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { type Database, NO_ORGANIZATION } from "../../db/database.ts";
import { type AuditEntry, EMPTY_CHAIN, nextRow } from "../../src/audit/chain.ts";
import { recordEntry, settleHeads } from "../../src/audit/trail.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newOrganization } from "../support/factories.ts";
import { NOW, newDatabase } from "../support/harness.ts";

const entry = (organizationId: string, requestId: string): AuditEntry => ({
  organizationId,
  time: NOW as Instant,
  requestId,
  keyId: "key_1",
  userId: null,
  role: "ADMIN",
  method: "GET",
  route: "/v1/users",
  status: 200,
  patientIds: ["usr_1"],
  target: "/api/v1/users?search=ana",
  address: null,
  operator: null,
  requests: null,
});

/** A database with chains of five entries in two organizations. */
async function newTrail(): Promise<Database> {
  const database = await newDatabase();
  for (const public_id of ["org_a", "org_b"]) await newOrganization(database, { public_id });
  await database.write(async (trx) => {
    for (let number = 1; number <= 5; number++)
      for (const organization of ["org_a", "org_b"])
        await recordEntry(trx, entry(organization, `r-${number}`));
  }, NO_ORGANIZATION);
  await settleHeads(database);
  return database;
}

/** The chain of requests without a valid key, without entries. */
const UNOWNED = { organizationId: "", head: EMPTY_CHAIN };

const verify = (database: Database, known = new Map()) =>
  database.read((db) => verifyChains(db, known));

/** The fault that verification finds after a statement has changed the database. */
async function faultAfter(statement: string) {
  const database = await newTrail();
  await database.write(async (trx) => {
    for (const single of statement.split(";")) await sql.raw(single).execute(trx);
  }, NO_ORGANIZATION);
  const [unowned, a, b] = await verify(database);
  expect([unowned, b?.fault]).toEqual([UNOWNED, undefined]);
  return a?.fault;
}

describe("a chain of the audit trail", () => {
  test("is valid as written, separately for each organization", async () => {
    const database = await newTrail();
    let head = EMPTY_CHAIN;
    for (let number = 1; number <= 5; number++) {
      const { sequence, hash } = nextRow(head, entry("org_a", `r-${number}`));
      head = { sequence, hash };
    }
    expect((await verify(database)).slice(0, 2)).toEqual([
      UNOWNED,
      { organizationId: "org_a", head },
    ]);
    expect(await verify(database)).toHaveLength(3);
  });

  test("is valid when it is empty", async () => {
    const database = await newDatabase();
    await newOrganization(database, { public_id: "org_new" });
    expect(await verify(database)).toEqual([
      UNOWNED,
      { organizationId: "org_new", head: EMPTY_CHAIN },
    ]);
  });

  const where = "where organization_id = 'org_a' and sequence";
  const copied =
    "organization_id, 6, time, request_id, key_id, user_id, role, method, route, status, patient_ids, hash, target, address, operator, requests";
  const attacks: [string, string, { sequence: number; message: string }][] = [
    ...[
      "time",
      "request_id",
      "key_id",
      "user_id",
      "role",
      "method",
      "route",
      "target",
      "address",
      "operator",
    ].map((column): [string, string, { sequence: number; message: string }] => [
      `a changed ${column}`,
      `update audit_entries set ${column} = 'other' ${where} = 3`,
      { sequence: 3, message: "row 3 is not as it was written" },
    ]),
    [
      "a changed status",
      `update audit_entries set status = 403 ${where} = 1`,
      { sequence: 1, message: "row 1 is not as it was written" },
    ],
    [
      "a patient left out",
      `update audit_entries set patient_ids = '[]' ${where} = 5`,
      { sequence: 5, message: "row 5 is not as it was written" },
    ],
    [
      "a patient hidden behind another spelling of the id",
      `update audit_entries set patient_ids = '["usr_\\u0031"]' ${where} = 3`,
      { sequence: 3, message: "row 3 is not as it was written" },
    ],
    [
      "an invalid list of patients",
      `update audit_entries set patient_ids = '["usr_1"' ${where} = 3`,
      { sequence: 3, message: "row 3 is not as it was written" },
    ],
    [
      "a removed query",
      `update audit_entries set target = null ${where} = 2`,
      { sequence: 2, message: "row 2 is not as it was written" },
    ],
    [
      "a changed number of requests",
      `update audit_entries set requests = 2 ${where} = 2`,
      { sequence: 2, message: "row 2 is not as it was written" },
    ],
    [
      "a removed row",
      `delete from audit_entries ${where} = 3`,
      { sequence: 3, message: "row 3 is missing" },
    ],
    [
      "rows cut off the end",
      `delete from audit_entries ${where} >= 4`,
      { sequence: 4, message: "row 4 is missing" },
    ],
    [
      "all rows removed",
      `delete from audit_entries ${where} >= 1`,
      { sequence: 1, message: "row 1 is missing" },
    ],
    [
      "a row added at the end",
      `insert into audit_entries select ${copied} from audit_entries ${where} = 5`,
      { sequence: 6, message: "row 6 is not as it was written" },
    ],
    [
      "two exchanged rows",
      `update audit_entries set request_id = case sequence when 2 then 'r-3' else 'r-2' end ${where} in (2, 3)`,
      { sequence: 2, message: "row 2 is not as it was written" },
    ],
    [
      "a changed head",
      "update audit_heads set hash = 'x' where organization_id = 'org_a'",
      { sequence: 5, message: "the head of the chain was changed" },
    ],
    [
      "a removed head",
      "delete from audit_heads where organization_id = 'org_a'",
      { sequence: 6, message: "the head of the chain is gone" },
    ],
    [
      "a chain deleted with its head",
      "delete from audit_heads where organization_id = 'org_a'; delete from audit_entries where organization_id = 'org_a'",
      { sequence: 1, message: "the chain is gone" },
    ],
  ];
  for (const [name, statement, fault] of attacks)
    test(`detects ${name} and reports the first wrong entry`, async () => {
      expect(await faultAfter(statement)).toEqual(fault);
    });

  test("that was rewritten with its head is detected by a head saved elsewhere", async () => {
    const database = await newTrail();
    const kept = new Map(
      (await verify(database)).map((chain) => [chain.organizationId, chain.head]),
    );
    await database.write(async (trx) => {
      await sql`delete from audit_entries where organization_id = 'org_a'`.execute(trx);
      const start = { sequence: 0, hash: EMPTY_CHAIN.hash };
      await trx
        .updateTable("audit_heads")
        .set(start)
        .where("organization_id", "=", "org_a")
        .execute();
      for (const number of [1, 2, 3, 4, 5, 6])
        await recordEntry(trx, entry("org_a", `x-${number}`));
    }, NO_ORGANIZATION);
    expect((await verify(database)).map((chain) => chain.fault)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect((await verify(database, kept)).map((chain) => chain.fault)).toEqual([
      undefined,
      { sequence: 5, message: "row 5 is not the one whose head was kept" },
      undefined,
    ]);
  });

  test("that was truncated with its head is detected by a head saved elsewhere", async () => {
    const database = await newTrail();
    const kept = new Map(
      (await verify(database)).map((chain) => [chain.organizationId, chain.head]),
    );
    await database.write(async (trx) => {
      await sql`delete from audit_entries where organization_id = 'org_a'`.execute(trx);
      await sql`delete from audit_heads where organization_id = 'org_a'`.execute(trx);
    }, NO_ORGANIZATION);
    expect((await verify(database, kept))[1]?.fault).toEqual({
      sequence: 1,
      message: "the chain is gone",
    });
  });

  test("that was truncated remains invalid when entries are added", async () => {
    const database = await newTrail();
    await database.write(async (trx) => {
      await sql`delete from audit_entries where organization_id = 'org_a' and sequence > 3`.execute(
        trx,
      );
      await recordEntry(trx, entry("org_a", "r-6"));
    }, NO_ORGANIZATION);
    expect((await verify(database))[1]?.fault).toEqual({
      sequence: 4,
      message: "row 4 is missing",
    });
  });

  test("whose head was deleted continues after its last entry, and the missing head remains detectable", async () => {
    const database = await newTrail();
    await database.write(async (trx) => {
      await sql`delete from audit_heads where organization_id = 'org_a'`.execute(trx);
      await recordEntry(trx, entry("org_a", "r-6"));
    }, NO_ORGANIZATION);
    expect((await verify(database))[1]?.fault).toEqual({
      sequence: 7,
      message: "the head of the chain is gone",
    });
  });
});
