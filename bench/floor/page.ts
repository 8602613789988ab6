export const PAGE_SIZE = 25;

/** An answer of a list. */
export interface FloorPage {
  data: object[];
  pagination: { page: number; pageSize: number; totalCount: number; totalPages: number };
}

/** The first page of a list. */
export function pageOf(data: object[], totalCount: number): FloorPage {
  const totalPages = Math.ceil(totalCount / PAGE_SIZE);
  return { data, pagination: { page: 1, pageSize: PAGE_SIZE, totalCount, totalPages } };
}
