import { describe, expect, test } from "bun:test";
import { type NamedTable, namedTables } from "../../src/reference-data/repository.ts";
import {
  newApiKey,
  newIntakeLabel,
  newIntakeStage,
  newLocation,
  newNonBillableCode,
  newOrganization,
  newPayor,
  newServiceLine,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { describePages, idsIn } from "../support/list-rules.ts";

/** Lists of an organization's reference data, whose ids other requests use. */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
const other = await newOrganization(database);
const keyOfEmpty = await newApiKey(database, other);

/** Sorted by name, in the order of code points, then by id. */
const rows = [
  { public_id: "x_9", name: "ABA" },
  { public_id: "x_2", name: "Main" },
  { public_id: "x_3", name: "Main" },
  { public_id: "x_1", name: "West" },
  { public_id: "x_4", name: "Ägidius" },
];
const ids = rows.map((row) => row.public_id);
const factories: Record<NamedTable, typeof newLocation> = {
  locations: newLocation,
  payors: newPayor,
  service_lines: newServiceLine,
  non_billable_codes: newNonBillableCode,
  intake_labels: newIntakeLabel,
};
for (const create of Object.values(factories))
  for (const row of rows.toReversed()) await create(database, organization, row);

const stages = [
  { public_id: "stage_5", position: -1, built_in_key: null, is_active: 1 },
  { public_id: "stage_4", position: 1, built_in_key: "LEAD", is_active: 1 },
  { public_id: "stage_1", position: 2, built_in_key: null, is_active: 0 },
  { public_id: "stage_3", position: 2, built_in_key: "WAITLIST", is_active: 1 },
  { public_id: "stage_2", position: 10, built_in_key: null, is_active: 0 },
] as const;
for (const stage of stages.toReversed())
  await newIntakeStage(database, organization, { ...stage, name: "Stage" });

const pathOf = (list: string) => `/api/v1/${list}`;
const read = (list: string) => service.call(`GET ${pathOf(list)}`, { key });

const lists = namedTables.map((table) => [table.replaceAll("_", "-"), factories[table]] as const);

describe.each(lists)("GET /v1/%s", (list) => {
  test("items have the documented fields and are sorted by name, then id", async () => {
    const units =
      list === "service-lines"
        ? {
            billingUnitMinutes: 15,
            code: null,
            modifiers: [],
            recordsData: false,
            isGroup: false,
            kind: null,
          }
        : {};
    const { status, body } = await read(list);
    expect([status, body]).toEqual([
      200,
      {
        data: rows.map(({ public_id, name }) => ({ publicId: public_id, name, ...units })),
        pagination: { page: 1, pageSize: 25, totalCount: 5, totalPages: 1 },
      },
    ]);
  });

  describePages({ service, path: pathOf(list), key, ids, keyOfEmpty, maxPage: 1_000_000 });
});

test("a service line that is billed by the visit has no billingUnitMinutes; it may have a code and modifiers", async () => {
  const ofVisits = await newOrganization(database);
  await newServiceLine(database, ofVisits, {
    ...{ billing_unit_minutes: null, code: "H2019", modifiers: '["HO","95"]' },
  });
  const { body } = await service.call("GET /api/v1/service-lines", {
    key: await newApiKey(database, ofVisits),
  });
  expect(body).toMatchObject({
    data: [{ billingUnitMinutes: null, code: "H2019", modifiers: ["HO", "95"] }],
  });
});

describe("GET /v1/intake-stages", () => {
  const list = {
    ...{ service, path: pathOf("intake-stages"), key, keyOfEmpty, maxPage: 1_000_000 },
    ids: stages.map((stage) => stage.public_id),
  };
  describePages(list);

  test("stages have the documented fields and are sorted by position, inactive ones included", async () => {
    const { status, body } = await read("intake-stages");
    expect([status, body]).toEqual([
      200,
      {
        data: stages.map((stage) => ({
          publicId: stage.public_id,
          key: stage.built_in_key,
          name: "Stage",
          position: stage.position,
          isActive: stage.is_active === 1,
        })),
        pagination: { page: 1, pageSize: 25, totalCount: 5, totalPages: 1 },
      },
    ]);
  });

  test("isActive filters, with the filtered total", async () => {
    expect(idsIn(await read("intake-stages?isActive=false"))).toEqual(["stage_1", "stage_2"]);
    const active = await read("intake-stages?isActive=true&pageSize=2&page=2");
    expect(active.body).toMatchObject({
      data: [{ publicId: "stage_3" }],
      pagination: { page: 2, pageSize: 2, totalCount: 3, totalPages: 2 },
    });
  });
});
