import { describe, expect, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import { newApiKey, newOrganization, newUser } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { describePages, idsIn } from "../support/list-rules.ts";

/** GET /v1/users: order, pages and the organization's own users (specification, section 4.5). */

const path = "/api/v1/users";
const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
const other = await newOrganization(database);

/** User ids with their days of creation and update in March. */
const times = [
  ["usr_e", "01", "20"],
  ["usr_a", "02", "18"],
  ["usr_b", "02", "19"],
  ["usr_c", "02", "19"],
  ["usr_d", "03", "18"],
] as const;
for (const [public_id, created, updated] of times.toReversed())
  await newUser(database, organization, {
    public_id,
    created_at: `2026-03-${created}T09:00:00.000Z` as Instant,
    updated_at: `2026-03-${updated}T09:00:00.000Z` as Instant,
  });
const ids = times.map(([id]) => id);

const list = {
  service,
  path,
  key,
  ids,
  keyOfEmpty: await newApiKey(database, other),
  // The specification states no maximum page; the largest safe integer is the limit.
  maxPage: Number.MAX_SAFE_INTEGER,
};

describePages(list);

describe("sort orders by the given fields, then by id", () => {
  test.each([
    ["createdAt_asc", ["usr_e", "usr_a", "usr_b", "usr_c", "usr_d"]],
    ["createdAt_desc", ["usr_d", "usr_a", "usr_b", "usr_c", "usr_e"]],
    ["updatedAt_asc", ["usr_a", "usr_d", "usr_b", "usr_c", "usr_e"]],
    ["updatedAt_desc", ["usr_e", "usr_b", "usr_c", "usr_a", "usr_d"]],
    ["createdAt_desc,updatedAt_asc", ["usr_d", "usr_a", "usr_b", "usr_c", "usr_e"]],
    ["createdAt_asc,updatedAt_desc", ["usr_e", "usr_b", "usr_c", "usr_a", "usr_d"]],
    ["updatedAt_asc,createdAt_desc", ["usr_d", "usr_a", "usr_b", "usr_c", "usr_e"]],
    ["updatedAt_asc%2CcreatedAt_asc", ["usr_a", "usr_d", "usr_b", "usr_c", "usr_e"]],
  ])("%s", async (sort, expected) => {
    const answer = await service.call(`GET ${path}?sort=${sort}`, { key });
    expect([answer.status, idsIn(answer)]).toEqual([200, expected]);
    const pages = [1, 2, 3].map(async (page) =>
      idsIn(await service.call(`GET ${path}?sort=${sort}&page=${page}&pageSize=2`, { key })),
    );
    expect((await Promise.all(pages)).flat()).toEqual(expected);
  });
});

describe("sort=lastName orders by the folded last name, then by first name and id", async () => {
  const practice = await newOrganization(database);
  const keyOfPractice = await newApiKey(database, practice);
  const names = [
    ["usr_7", "Ana", "Álvarez"],
    ["usr_6", "ana", "ALVAREZ"],
    ["usr_5", "Bo", "Alvarez"],
    ["usr_4", "Zoë", "de la Cruz"],
    ["usr_3", "Aaron", "Delacruz"],
    ["usr_2", "Ida", "Łucka"],
    ["usr_1", "Ida", "Lund"],
    ["usr_0", "Nina", "Й"],
  ];
  for (const [index, [public_id = "", first_name = "", last_name = ""]] of names.entries())
    await newUser(database, practice, {
      ...{ public_id, first_name, last_name, is_active: index % 2 === 0 ? 1 : 0 },
      created_at: `2026-03-0${(index % 3) + 1}T09:00:00.000Z` as Instant,
    });
  const ascending = ["6", "7", "5", "4", "3", "2", "1", "0"];
  const descending = ["0", "1", "2", "3", "4", "5", "6", "7"];

  test.each([
    ["sort=lastName_asc", ascending],
    ["sort=lastName_desc", descending],
    ["sort=lastName_asc&isActive=true", ["7", "5", "3", "1"]],
    ["sort=lastName_desc&role=TECHNICIAN", descending],
    ["sort=lastName_asc&search=alvarez", ["6", "7", "5"]],
    ["sort=createdAt_desc,lastName_asc", ["5", "2", "6", "3", "0", "7", "4", "1"]],
    ["sort=lastName_desc,createdAt_desc", descending],
  ])("?%s", async (query, expected) => {
    const response = await service.call(`GET ${path}?${query}`, { key: keyOfPractice });
    expect([response.status, idsIn(response)]).toEqual([200, expected.map((id) => `usr_${id}`)]);
    const pages = [1, 2, 3, 4].map(async (page) =>
      idsIn(
        await service.call(`GET ${path}?${query}&page=${page}&pageSize=2`, { key: keyOfPractice }),
      ),
    );
    expect((await Promise.all(pages)).flat()).toEqual(expected.map((id) => `usr_${id}`));
  });
});
