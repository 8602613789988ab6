import { Elysia } from "elysia";
import { fromBit } from "../../db/schema.ts";
import { authorized } from "../http/authorized.ts";
import { commonErrors } from "../http/responses.ts";
import { isActiveFilter } from "../schema/fields.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { SpecializationListQuery, SpecializationPage } from "./model.ts";
import { listSpecializations } from "./repository.ts";

export const specializations = new Elysia({ prefix: "/specializations", tags: ["Specializations"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, query, read }) =>
      read(async (db) => {
        const page = pageRequest(query);
        const filter = isActiveFilter(query.isActive);
        const { rows, total } = await listSpecializations(db, organizationId, filter, page);
        return {
          data: rows.map((row) => ({
            publicId: row.public_id,
            name: row.name,
            isActive: fromBit(row.is_active),
          })),
          pagination: pagination(page, total),
        };
      }),
    {
      permission: "readSpecializations",
      query: SpecializationListQuery,
      response: { 200: SpecializationPage, ...commonErrors },
      detail: {
        operationId: "listSpecializations",
        summary: "List specialization categories",
        headers: [SEQUENCE],
        description:
          "The organization's specialization categories in order of name, soft-deleted ones included.",
      },
    },
  );
