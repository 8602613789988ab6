import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { PageSlice } from "../lib/page.ts";

const DEFAULT_PAGE = 1;
const DEFAULT_PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 100;

/** The greatest page number, in lists that document one. */
export const MAX_PAGE = 1_000_000;

/** The `page` and `pageSize` parameters of a list; both have defaults. */
export function pageParameters(maxPage: number, maxPageSize = MAX_PAGE_SIZE) {
  return {
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxPage,
        default: DEFAULT_PAGE,
        description: "Page number, from 1.",
      }),
    ),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxPageSize,
        default: DEFAULT_PAGE_SIZE,
        description: "Items per page.",
      }),
    ),
  };
}

/** The requested page. */
export interface PageRequest extends PageSlice {
  page: number;
}

export function pageRequest(query: { page?: number; pageSize?: number }): PageRequest {
  const { page = DEFAULT_PAGE, pageSize = DEFAULT_PAGE_SIZE } = query;
  return { page, pageSize, offset: (page - 1) * pageSize };
}

export const Pagination = Type.Object(
  {
    page: Type.Integer(),
    pageSize: Type.Integer(),
    totalCount: Type.Integer(),
    totalPages: Type.Integer(),
  },
  { $id: "Pagination" },
);

/** The response body of a list. */
export function Page<Item extends TSchema>(item: Item, $id: string) {
  return Type.Object({ data: Type.Array(item), pagination: Pagination }, { $id });
}

/** The `pagination` of a response. `totalPages` is 0 if there are no rows. */
export function pagination(request: PageRequest, totalCount: number): Static<typeof Pagination> {
  const { page, pageSize } = request;
  return { page, pageSize, totalCount, totalPages: Math.ceil(totalCount / pageSize) };
}
