import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { toBit } from "../../db/schema.ts";
import type { Role } from "../../src/access/roles.ts";
import type { Instant } from "../../src/lib/instant.ts";
import type { PageSlice } from "../../src/lib/page.ts";
import { searchTerms } from "../../src/lib/text.ts";
import { insertUser } from "../../src/users/creation-repository.ts";
import { derivedColumns, userRow } from "../../src/users/rows.ts";
import {
  countUsers,
  listUsers,
  type UserFilter,
  type UserOrder,
} from "../../src/users/repository.ts";
import { newOrganization } from "../factories.ts";
import { NOW, newDatabase } from "../harness.ts";
import { importFile, mustImport } from "../practice-file/practice-file.ts";

/**
 * A search finds what comparing each user's text finds, in the same order and number (decisions 3), whether users are
 * in the index of texts or wait for it (migration 0009).
 */

const database = await newDatabase();

interface User {
  id: string;
  role: "CAREGIVER" | "ADMIN";
  isActive: boolean;
  firstName: string;
  lastName: string;
  createdAt: string;
  updatedAt: string;
}

const rolledBack = new Error("rolled back");

/** One after the other, and some at the same moment. */
const moments = ["2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z", NOW];

const caregiver = (id: string, user: Partial<User> = {}): User => ({
  id,
  role: "CAREGIVER",
  isActive: true,
  firstName: "Ana",
  lastName: "Ruiz",
  createdAt: NOW,
  updatedAt: NOW,
  ...user,
});

async function create(trx: Db, organizationId: string, users: readonly User[]): Promise<void> {
  for (const { id, role, firstName, lastName, createdAt } of users)
    await insertUser(
      trx,
      userRow(organizationId, {
        publicId: id,
        role,
        firstName,
        lastName,
        createdAt: createdAt as Instant,
        updatedAt: createdAt as Instant,
      }),
    );
}

async function rename(trx: Db, organizationId: string, user: User): Promise<void> {
  const names = { first_name: user.firstName, last_name: user.lastName };
  const none = { email: null, phone_number: null, internal_record_id: null };
  await trx
    .updateTable("users")
    .set({ ...names, ...derivedColumns({ ...names, ...none }) })
    .set({ is_active: toBit(user.isActive), updated_at: user.updatedAt as Instant })
    .where("organization_id", "=", organizationId)
    .where("public_id", "=", user.id)
    .execute();
}

async function remove(trx: Db, organizationId: string, id: string): Promise<void> {
  await trx
    .deleteFrom("users")
    .where("organization_id", "=", organizationId)
    .where("public_id", "=", id)
    .execute();
}

const fileOf = (organizationId: string, users: readonly User[]) => [
  { type: "organization", publicId: organizationId, name: "Maple", timezone: "UTC" },
  ...users.map(({ id, ...user }) => ({ type: "user", publicId: id, ...user })),
];

/** What a search finds, and what comparing each user's text does. */
async function answers(
  organizationId: string,
  filter: UserFilter,
  order: UserOrder[],
  page: PageSlice,
) {
  return database.read(async (db) => {
    const total = await countUsers(db, organizationId, filter);
    const rows = await listUsers(db, organizationId, filter, order, page, total);
    const expected = await compared(db, organizationId, filter, order);
    const { offset, pageSize } = page;
    return {
      found: { ids: rows.map((row) => row.public_id), total },
      expected: { ids: expected.slice(offset, offset + pageSize), total: expected.length },
    };
  });
}

async function compared(
  db: Db,
  organizationId: string,
  { searchTerms: terms, role, isActive, emailKey }: UserFilter,
  order: UserOrder[],
): Promise<string[]> {
  const conditions = [
    sql`organization_id = ${organizationId}`,
    ...terms.map(
      (term) => sql`search_text like ${`%${term.replaceAll(/[\\%_]/g, "\\$&")}%`} escape '\\'`,
    ),
    ...(role === undefined ? [] : [sql`role = ${role}`]),
    ...(isActive === undefined ? [] : [sql`is_active = ${toBit(isActive)}`]),
    ...(emailKey === undefined ? [] : [sql`email_key = ${emailKey}`]),
  ];
  const keys = [
    ...order.map(({ column, direction }) => sql`${sql.ref(column)} ${sql.raw(direction)}`),
    sql`public_id`,
  ];
  const { rows } = await sql<{ public_id: string }>`
    select public_id from users where ${sql.join(conditions, sql` and `)} order by ${sql.join(keys)}
  `.execute(db);
  return rows.map((row) => row.public_id);
}

const byCreation: UserOrder[] = [{ column: "created_at", direction: "asc" }];

/** Holds all pages of a search to what it must find, and says how many that are. */
async function expectSame(organizationId: string, search: string): Promise<number> {
  const filter = { searchTerms: searchTerms(search) };
  const pageSize = 40;
  for (let offset = 0; ; offset += pageSize) {
    const page = { offset, pageSize };
    const { found, expected } = await answers(organizationId, filter, byCreation, page);
    expect(found).toEqual(expected);
    if (offset > found.total) return found.total;
  }
}

describe("any users and any terms", () => {
  // Mostly few, so that texts share them; and all that means something to a pattern, a query or an encoding.
  const character = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom("a", "n") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...["ñ", "Á", "ß", "й", "李", "明", "𠮷", "😀", "\u0301", "\ufffd", "\ufffe", "ﬁ"],
        ...["%", "_", "\\", '"', "'", "*", "^", "+", "-", "(", ":", "AND", " ", "\t", "\n"],
      ),
    },
  );
  const text = (maxLength: number) =>
    fc.array(character, { minLength: 1, maxLength }).map((all) => all.join(""));
  const name = fc.oneof(text(8), fc.constantFrom("Banana", "Nabanan", "李明李明", 'a"b"a"')).map(
    // As they are checked when they come in.
    (given) => given.trim().slice(0, 60).toWellFormed() || "Ana",
  );

  const user = fc.record({
    id: fc.constantFrom(...Array.from({ length: 20 }, (_, index) => `usr_${index}`)),
    role: fc.constantFrom("CAREGIVER", "ADMIN"),
    isActive: fc.boolean(),
    firstName: name,
    lastName: name,
    createdAt: fc.constantFrom(...moments),
    updatedAt: fc.constantFrom(...moments),
  });
  const step = fc.record({
    kind: fc.constantFrom("create", "create", "import", "import", "rename", "remove"),
    organization: fc.nat({ max: 1 }),
    users: fc.uniqueArray(user, { minLength: 1, maxLength: 12, selector: ({ id }) => id }),
    isRolledBack: fc.boolean(),
  });

  const order: fc.Arbitrary<UserOrder[]> = fc.oneof(
    fc.constant(byCreation),
    fc.uniqueArray(
      fc.record({
        column: fc.constantFrom("created_at", "updated_at"),
        direction: fc.constantFrom("asc", "desc"),
      }),
      { minLength: 1, maxLength: 2, selector: ({ column }) => column },
    ),
  );
  const search = fc.record({
    organization: fc.nat({ max: 1 }),
    terms: fc.array(text(4), { minLength: 1, maxLength: 2 }),
    role: fc.constantFrom<(Role | undefined)[]>(undefined, undefined, "CAREGIVER"),
    isActive: fc.constantFrom(undefined, undefined, true, false),
    order,
    offset: fc.constantFrom(0, 0, 1, 3),
    pageSize: fc.constantFrom(1, 2, 25),
  });

  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  /** Takes a step, or all of it back. Users who are created anew are removed first. */
  async function take({ kind, users, isRolledBack }: Step, organizationId: string): Promise<void> {
    if (kind === "import") {
      await importFile(database, fileOf(organizationId, users), { dryRun: isRolledBack });
      return;
    }
    const work = database.write(async (trx) => {
      for (const user of users) {
        if (kind === "rename") await rename(trx, organizationId, user);
        else await remove(trx, organizationId, user.id);
        if (kind === "create") await create(trx, organizationId, [user]);
      }
      if (isRolledBack) throw rolledBack;
    });
    await work.catch((error) => expect(error).toBe(rolledBack));
  }

  test("give the same rows in the same order, and the same total", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 10 }),
        fc.array(search, { minLength: 5, maxLength: 10 }),
        async (steps, searches) => {
          const organizations = [
            await newOrganization(database),
            await newOrganization(database),
          ] as const;
          for (const each of steps) await take(each, organizations[each.organization] ?? "");
          for (const { organization, terms, role, isActive, order, ...page } of searches) {
            const filter = {
              searchTerms: searchTerms(terms.join(" ")),
              ...(role !== undefined && { role }),
              ...(isActive !== undefined && { isActive }),
            };
            if (filter.searchTerms.length === 0) continue;
            const { found, expected } = await answers(
              organizations[organization] ?? "",
              filter,
              order,
              page,
            );

            expect(found).toEqual(expected);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("an organization's users", () => {
  /** Of whom each third is a Banana. */
  const people = (from: number, to: number, lastName = "Ruiz") =>
    Array.from({ length: to - from }, (_, index) =>
      caregiver(`usr_${String(from + index).padStart(5, "0")}`, {
        firstName: (from + index) % 3 === 0 ? "Banana" : "Ana",
        lastName,
      }),
    );

  const waiting = (organizationId: string) =>
    database.read(async (db) => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from users
        where organization_id = ${organizationId} and search_rowid is null
      `.execute(db);
      return rows[0]?.count;
    });

  const outOfOrder = (organizationId: string) =>
    database.read(async (db) => {
      const { rows } = await sql<{ count: number }>`
        select center + 1 - lowest as count from user_search_progress
        where organization_id = ${organizationId}
      `.execute(db);
      return rows[0]?.count;
    });

  test("wait for the index until they are 256, and are found before and after", async () => {
    const organization = await newOrganization(database);
    const counts: unknown[] = [];
    for (const [from, to] of [
      [0, 255],
      [255, 256],
      [256, 257],
    ] as const) {
      await database.write((trx) => create(trx, organization, people(from, to)));
      counts.push([await waiting(organization), await expectSame(organization, "banana")]);
    }
    expect(counts).toEqual([
      [255, 85],
      [0, 86],
      [1, 86],
    ]);
  });

  test("are listed in the order of their creation, whatever their ids say", async () => {
    const organization = await newOrganization(database);
    const inOrder = people(0, 300).map((user, index) => ({
      ...user,
      createdAt: `2026-01-01T00:00:00.${String(299 - index).padStart(3, "0")}Z`,
    }));
    await mustImport(database, fileOf(organization, inOrder.slice(0, 150)));
    expect(await expectSame(organization, "ana")).toBe(150);
    await database.write((trx) => create(trx, organization, inOrder.slice(150)));
    expect(await expectSame(organization, "ana")).toBe(300);
  });

  test("are listed in their new order when an import changes when they were created", async () => {
    const organization = await newOrganization(database);
    await mustImport(database, fileOf(organization, people(0, 100)));
    const last = people(90, 100).map((user) => ({ ...user, createdAt: moments[0] ?? "" }));
    await mustImport(database, fileOf(organization, last));
    expect(await expectSame(organization, "ana")).toBe(100);
  });

  test("are not mistaken for each other where a text has what is no character", async () => {
    const organization = await newOrganization(database);
    const names = ["na\ufffda", "na\ufffea", "na\uffffa", "na\u{1fffe}a"];
    const users = names.map((firstName, index) => caregiver(`usr_${index}`, { firstName }));
    await mustImport(database, fileOf(organization, users));
    const totals = names.map((name) => expectSame(organization, name));
    expect(await Promise.all(totals)).toEqual([1, 1, 1, 1]);
  });

  test("wait no longer than another organization's lets them", async () => {
    const [one, other] = [await newOrganization(database), await newOrganization(database)];
    await database.write((trx) => create(trx, one, people(0, 200)));
    await database.write((trx) => create(trx, other, people(0, 200)));
    expect([await waiting(one), await waiting(other)]).toEqual([200, 200]);
  });

  test("who were not created after all are not found: the 256th took them into the index", async () => {
    const organization = await newOrganization(database);
    await database.write((trx) => create(trx, organization, people(0, 255)));
    const failed = database.write(async (trx) => {
      await create(trx, organization, people(255, 258));
      throw rolledBack;
    });
    await expect(failed).rejects.toBe(rolledBack);
    expect([await waiting(organization), await expectSame(organization, "banana")]).toEqual([
      255, 85,
    ]);
    await database.write((trx) => create(trx, organization, people(255, 256, "Fig")));
    expect([
      await waiting(organization),
      await expectSame(organization, "banana"),
      await expectSame(organization, "fig"),
    ]).toEqual([0, 86, 1]);
  });

  test("are all in the index after an import", async () => {
    const organization = await newOrganization(database);
    await database.write((trx) => create(trx, organization, people(0, 10)));
    await mustImport(database, fileOf(organization, people(5, 305)));
    expect([await waiting(organization), await expectSame(organization, "banana")]).toEqual([
      0, 102,
    ]);
  });

  test("wait again after a change, and are found by their new names only", async () => {
    const organization = await newOrganization(database);
    await mustImport(database, fileOf(organization, people(0, 30)));
    await database.write((trx) =>
      rename(trx, organization, caregiver("usr_00000", { firstName: "Cherry" })),
    );
    expect([
      await waiting(organization),
      await expectSame(organization, "banana"),
      await expectSame(organization, "cherry"),
    ]).toEqual([1, 9, 1]);
  });

  test("may all be changed by an import, which leaves other organizations' as they are", async () => {
    const [one, other] = [await newOrganization(database), await newOrganization(database)];
    for (const organization of [one, other])
      await mustImport(database, fileOf(organization, people(0, 300)));
    await mustImport(database, fileOf(one, people(0, 300, "Figueroa")));
    expect([
      await expectSame(one, "figueroa"),
      await expectSame(one, "ruiz"),
      await expectSame(other, "banana"),
      await expectSame(other, "ruiz"),
    ]).toEqual([300, 0, 100, 300]);
  });

  test("are put in order when many come who were created earlier", async () => {
    const organization = await newOrganization(database);
    const found = async () => [
      await outOfOrder(organization),
      await expectSame(organization, "ana"),
      await expectSame(organization, "nan"),
    ];
    await mustImport(database, fileOf(organization, people(0, 10)));
    const earlier = (from: number, to: number) =>
      people(from, to).map((user) => ({ ...user, createdAt: moments[0] ?? "" }));
    await mustImport(database, fileOf(organization, earlier(10, 110)));
    expect(await found()).toEqual([100, 110, 37]);
    await mustImport(database, fileOf(organization, earlier(110, 1_100)));
    expect(await found()).toEqual([0, 1_100, 367]);
    await database.write((trx) => create(trx, organization, people(1_100, 1_400)));
    expect(await found()).toEqual([0, 1_400, 467]);
  });
});
