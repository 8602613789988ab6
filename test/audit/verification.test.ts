import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import { type AuditEntry, EMPTY_CHAIN, nextHead } from "../../src/audit/chain.ts";
import { recordEntry } from "../../src/audit/recording.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { NOW, newDatabase } from "../harness.ts";

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
});

/** A database with chains of five rows in two organizations. */
async function newTrail(): Promise<Database> {
  const database = await newDatabase();
  await database.write(async (trx) => {
    for (let number = 1; number <= 5; number++)
      for (const organization of ["org_a", "org_b"])
        await recordEntry(trx, entry(organization, `r-${number}`));
  });
  return database;
}

const verify = (database: Database, known = new Map()) =>
  database.read((db) => verifyChains(db, known));

/** What is found after somebody has run a statement on the file. */
async function faultAfter(statement: string) {
  const database = await newTrail();
  await database.write((trx) => sql.raw(statement).execute(trx));
  const [a, b] = await verify(database);
  expect(b?.fault).toBeUndefined();
  return a?.fault;
}

describe("a chain of the audit trail", () => {
  test("is whole as it was written, each organization's apart from the others'", async () => {
    const database = await newTrail();
    let head = EMPTY_CHAIN;
    for (let number = 1; number <= 5; number++)
      head = nextHead(head, entry("org_a", `r-${number}`));
    expect((await verify(database))[0]).toEqual({ organizationId: "org_a", head });
    expect(await verify(database)).toHaveLength(2);
  });

  test("is whole while there is nothing in it", async () => {
    expect(await verify(await newDatabase())).toEqual([]);
  });

  const where = "where organization_id = 'org_a' and sequence";
  const copied =
    "organization_id, 6, time, request_id, key_id, user_id, role, method, route, status, patient_ids, hash";
  const attacks: [string, string, { sequence: number; message: string }][] = [
    ...["time", "request_id", "key_id", "user_id", "role", "method", "route"].map(
      (column): [string, string, { sequence: number; message: string }] => [
        `a changed ${column}`,
        `update audit_entries set ${column} = 'other' ${where} = 3`,
        { sequence: 3, message: "row 3 is not as it was written" },
      ],
    ),
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
      "two rows that changed places",
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
      { sequence: 1, message: "row 1 was added after the end of the chain" },
    ],
  ];
  for (const [name, statement, fault] of attacks)
    test(`shows ${name}, and names the first row`, async () => {
      expect(await faultAfter(statement)).toEqual(fault);
    });

  test("that was rewritten with its head shows against a head that was kept elsewhere", async () => {
    const database = await newTrail();
    const kept = new Map(
      (await verify(database)).map((chain) => [chain.organizationId, chain.head]),
    );
    await database.write(async (trx) => {
      await sql`delete from audit_entries where organization_id = 'org_a'`.execute(trx);
      await sql`delete from audit_heads where organization_id = 'org_a'`.execute(trx);
      for (const number of [1, 2, 3, 4, 5, 6])
        await recordEntry(trx, entry("org_a", `x-${number}`));
    });
    expect((await verify(database)).map((chain) => chain.fault)).toEqual([undefined, undefined]);
    expect((await verify(database, kept)).map((chain) => chain.fault)).toEqual([
      { sequence: 5, message: "row 5 is not the one whose head was kept" },
      undefined,
    ]);
  });

  test("that was cut off with its head shows against a head that was kept elsewhere", async () => {
    const database = await newTrail();
    const kept = new Map(
      (await verify(database)).map((chain) => [chain.organizationId, chain.head]),
    );
    await database.write(async (trx) => {
      await sql`delete from audit_entries where organization_id = 'org_a'`.execute(trx);
      await sql`delete from audit_heads where organization_id = 'org_a'`.execute(trx);
    });
    expect((await verify(database, kept))[0]?.fault).toEqual({
      sequence: 1,
      message: "row 1 is missing",
    });
  });
});
