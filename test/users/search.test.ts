import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { toBit } from "../../db/schema.ts";
import type { Role } from "../../src/callers/roles.ts";
import type { Instant } from "../../src/lib/instant.ts";
import type { PageSlice } from "../../src/lib/page.ts";
import { searchTerms } from "../../src/lib/text.ts";
import { insertUser } from "../../src/users/creation-repository.ts";
import { derivedColumns, userRow } from "../../src/users/rows.ts";
import { listUsers, type UserFilter, type UserOrder } from "../../src/users/repository.ts";
import { newOrganization } from "../support/factories.ts";
import { NOW, newDatabase } from "../support/harness.ts";
import { importFile } from "../support/practice-file/practice-file.ts";
import { runs } from "../support/runs.ts";

/** The search index gives the users, order and totals of a comparison with each user's text. */

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

/** Distinct and equal times of creation. */
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
    await insertUser(trx, {
      ...userRow(organizationId, {
        publicId: id,
        role,
        firstName,
        lastName,
        createdAt: createdAt as Instant,
        updatedAt: createdAt as Instant,
      }),
      sequence: 1,
      first_sequence: 1,
    });
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

/** The result of a search, and of a comparison with each user's text. */
async function answers(
  organizationId: string,
  filter: UserFilter,
  order: UserOrder[],
  page: PageSlice,
) {
  return database.read(async (db) => {
    const { rows, total } = await listUsers(db, organizationId, filter, { ...page, order });
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

describe("random users and random terms", () => {
  // Few different characters, so that texts share terms, and characters that are special in
  // patterns, queries or encodings.
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
    // Terms are prepared as the endpoint prepares them.
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
        column: fc.constantFrom("created_at", "updated_at", "last_name_key"),
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

  /** Executes a step, or rolls it back. Users that are created again are removed first. */
  async function take({ kind, users, isRolledBack }: Step, organizationId: string): Promise<void> {
    if (kind === "import") {
      await importFile(database, fileOf(organizationId, users), { dryRun: isRolledBack });
      return;
    }
    const work = database.write(
      async (trx) => {
        for (const user of users) {
          if (kind === "rename") await rename(trx, organizationId, user);
          else await remove(trx, organizationId, user.id);
          if (kind === "create") await create(trx, organizationId, [user]);
        }
        if (isRolledBack) throw rolledBack;
      },
      { organizationId },
    );
    await work.catch((error) => expect(error).toBe(rolledBack));
  }

  test("the search and the comparison give the same rows, order and total", async () => {
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
      { numRuns: runs(40) },
    );
  });
});

describe("a page of a search", () => {
  const people = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      caregiver(`usr_${String(index).padStart(3, "0")}`, {
        firstName: index % 3 === 0 ? "Banana" : "Ana",
        // Four users have each time of creation, so that pages begin and end among equal times.
        createdAt: `2026-01-01T00:00:00.${String(Math.floor(index / 4)).padStart(3, "0")}Z`,
      }),
    );

  test.each([
    ["a term that all users have", "ana", 100],
    ["a term that some users have", "banana", 34],
    ["several terms that some users have", "na banana ruiz", 34],
    ["a repeated term", "banana BANANA banana", 34],
    ["a term that no user has", "cherry", 0],
  ])("has the total of %s, whichever page it is", async (_, search, total) => {
    const organization = await newOrganization(database);
    await database.write((trx) => create(trx, organization, people(100)), {
      organizationId: organization,
    });
    for (const direction of ["asc", "desc"] as const)
      for (const column of ["created_at", "updated_at"] as const)
        for (const offset of [0, 1, 30, 33, 34, 40, 99, 100, 200]) {
          const page = { offset, pageSize: 7 };
          const filter = { searchTerms: searchTerms(search) };
          const order = [{ column, direction }];
          const { found, expected } = await answers(organization, filter, order, page);
          expect(found).toEqual(expected);
          expect(found.total).toBe(total);
        }
  });
});
