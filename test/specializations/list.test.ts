import { describe, expect, test } from "bun:test";
import { newApiKey, newOrganization, newSpecialization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { describePages, idsIn } from "../support/list-rules.ts";

/** GET /v1/specializations (specification, section 4.7). */

const path = "/api/v1/specializations";
const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);

// Sorted by name, in the order of code points, then by id.
const rows = [
  { public_id: "spec_9", name: "ABA", is_active: 1 },
  { public_id: "spec_2", name: "Feeding", is_active: 0 },
  { public_id: "spec_3", name: "Feeding", is_active: 1 },
  { public_id: "spec_1", name: "Speech", is_active: 0 },
  { public_id: "spec_4", name: "Ängste", is_active: 1 },
] as const;
for (const row of rows.toReversed()) await newSpecialization(database, organization, row);
const ids = rows.map((row) => row.public_id);

const other = await newOrganization(database);
const list = {
  service,
  path,
  key,
  ids,
  keyOfEmpty: await newApiKey(database, other),
  maxPage: 1_000_000,
};

test("categories have three fields and are sorted by name, then id, inactive ones included", async () => {
  const { status, body } = await service.call(`GET ${path}`, { key });
  expect([status, body]).toEqual([
    200,
    {
      data: [
        { publicId: "spec_9", name: "ABA", isActive: true },
        { publicId: "spec_2", name: "Feeding", isActive: false },
        { publicId: "spec_3", name: "Feeding", isActive: true },
        { publicId: "spec_1", name: "Speech", isActive: false },
        { publicId: "spec_4", name: "Ängste", isActive: true },
      ],
      pagination: { page: 1, pageSize: 25, totalCount: 5, totalPages: 1 },
    },
  ]);
});

describePages(list);

describe("isActive", () => {
  test.each([
    ["true", ["spec_9", "spec_3", "spec_4"]],
    ["false", ["spec_2", "spec_1"]],
  ])("%s filters", async (value, expected) => {
    const answer = await service.call(`GET ${path}?isActive=${value}`, { key });
    expect([answer.status, idsIn(answer)]).toEqual([200, expected]);
  });

  test("pages and totals cover the filtered categories only", async () => {
    const answer = await service.call(`GET ${path}?isActive=true&page=2&pageSize=2`, { key });
    expect([idsIn(answer), answer.body]).toEqual([
      ["spec_4"],
      expect.objectContaining({
        pagination: { page: 2, pageSize: 2, totalCount: 3, totalPages: 2 },
      }),
    ]);
  });
});
