import { Elysia } from "elysia";
import type { Db } from "../../db/database.ts";
import { fromBit } from "../../db/schema.ts";
import { authorized } from "../http/authorized.ts";
import { commonErrors } from "../http/responses.ts";
import { isActiveFilter } from "../schema/fields.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { presenter } from "../schema/record-map.ts";
import { serviceLineMap } from "../schema/reference-data.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import {
  IntakeLabelPage,
  IntakeStageListQuery,
  IntakeStagePage,
  LocationPage,
  NonBillableCodePage,
  PageQuery,
  PayorPage,
  ServiceLine,
  ServiceLinePage,
} from "./model.ts";
import { listIntakeStages, listNamed, listServiceLines, type NamedTable } from "./repository.ts";

const presentLine = presenter(serviceLineMap, ServiceLine);

export const referenceData = new Elysia({ tags: ["Reference data"] })
  .use(authorized)
  .get(
    "/locations",
    ({ caller, query, read }) =>
      read((db) => pageOfNamed(db, "locations", caller.organizationId, query)),
    { ...listOf("listLocations", "locations"), response: { 200: LocationPage, ...commonErrors } },
  )
  .get(
    "/payors",
    ({ caller, query, read }) =>
      read((db) => pageOfNamed(db, "payors", caller.organizationId, query)),
    { ...listOf("listPayors", "payors"), response: { 200: PayorPage, ...commonErrors } },
  )
  .get(
    "/service-lines",
    ({ caller: { organizationId }, query, read }) =>
      read(async (db) => {
        const page = pageRequest(query);
        const { rows, total } = await listServiceLines(db, organizationId, page);
        return { data: rows.map((row) => presentLine(row)), pagination: pagination(page, total) };
      }),
    {
      ...listOf("listServiceLines", "service lines"),
      response: { 200: ServiceLinePage, ...commonErrors },
    },
  )
  .get(
    "/non-billable-codes",
    ({ caller, query, read }) =>
      read((db) => pageOfNamed(db, "non_billable_codes", caller.organizationId, query)),
    {
      ...listOf("listNonBillableCodes", "non-billable codes"),
      response: { 200: NonBillableCodePage, ...commonErrors },
    },
  )
  .get(
    "/intake-labels",
    ({ caller, query, read }) =>
      read((db) => pageOfNamed(db, "intake_labels", caller.organizationId, query)),
    {
      ...listOf("listIntakeLabels", "intake labels"),
      response: { 200: IntakeLabelPage, ...commonErrors },
    },
  )
  .get(
    "/intake-stages",
    ({ caller: { organizationId }, query, read }) =>
      read(async (db) => {
        const page = pageRequest(query);
        const filter = isActiveFilter(query.isActive);
        const { rows, total } = await listIntakeStages(db, organizationId, filter, page);
        return {
          data: rows.map((row) => ({
            publicId: row.public_id,
            key: row.built_in_key,
            name: row.name,
            position: row.position,
            isActive: fromBit(row.is_active),
          })),
          pagination: pagination(page, total),
        };
      }),
    {
      permission: "readReferenceData",
      query: IntakeStageListQuery,
      response: { 200: IntakeStagePage, ...commonErrors },
      detail: {
        operationId: "listIntakeStages",
        summary: "List intake stages",
        headers: [SEQUENCE],
        description:
          "The stages of the organization's intake board in their order, inactive ones included.",
      },
    },
  );

/** The parts of a route declaration that all lists without filters share. */
function listOf(operationId: string, what: string) {
  return {
    permission: "readReferenceData",
    query: PageQuery,
    detail: {
      operationId,
      summary: `List ${what}`,
      headers: [SEQUENCE],
      description: `The organization's ${what} in order of name.`,
    },
  } as const;
}

async function pageOfNamed(
  db: Db,
  table: NamedTable,
  organizationId: string,
  query: { page?: number; pageSize?: number },
) {
  const page = pageRequest(query);
  const { rows, total } = await listNamed(db, table, organizationId, page);
  return { data: rows, pagination: pagination(page, total) };
}
