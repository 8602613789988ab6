import { fromBit } from "../../db/schema.ts";
import { endpoint } from "../http/endpoint.ts";
import { isActiveFilter } from "../schema/fields.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { SpecializationListQuery, SpecializationPage } from "./model.ts";
import { countSpecializations, listSpecializations } from "./repository.ts";

const listSpecializationsEndpoint = endpoint({
  method: "GET",
  path: "/v1/specializations",
  operationId: "listSpecializations",
  tag: "Specializations",
  summary: "List specialization categories",
  description:
    "The organization's specialization categories in order of name, soft-deleted ones included.",
  permission: "readSpecializations",
  query: SpecializationListQuery,
  status: 200,
  answer: SpecializationPage,
  async read(db, { principal, query }) {
    const page = pageRequest(query);
    const filter = isActiveFilter(query.isActive);
    const rows = await listSpecializations(db, principal.organizationId, filter, page);
    const total = await countSpecializations(db, principal.organizationId, filter);
    return {
      data: rows.map((row) => ({
        publicId: row.public_id,
        name: row.name,
        isActive: fromBit(row.is_active),
      })),
      pagination: pagination(page, total),
    };
  },
});

export const specializationEndpoints = [listSpecializationsEndpoint];
