import { type Step, whole } from "./transcript.ts";

/** The pages of a list of five records, which another organization has not. */
export function pages(list: string, ids: readonly string[], maxPage = 1_000_000): Step[] {
  const page = (
    query: string,
    shown: readonly string[],
    page: number,
    pageSize: number,
    totalPages: number,
  ): Step => [
    ...([`${list}?${query}`, 200] as const),
    {
      data: shown.map((publicId) => ({ publicId })),
      pagination: { page, pageSize, totalCount: ids.length, totalPages },
    },
  ];
  return [
    page("", ids, 1, 25, 1),
    page("pageSize=2", ids.slice(0, 2), 1, 2, 3),
    page("page=2&pageSize=2", ids.slice(2, 4), 2, 2, 3),
    page("page=3&pageSize=2", ids.slice(4), 3, 2, 3),
    page("page=4&pageSize=2", [], 4, 2, 3),
    page("page=5&pageSize=1", ids.slice(4), 5, 1, 5),
    page("page=1&pageSize=5", ids, 1, 5, 1),
    page("pageSize=100", ids, 1, 100, 1),
    page("page=02&p%61geSize=%34", ids.slice(4), 2, 4, 2),
    page(`page=${maxPage}&pageSize=100`, [], maxPage, 100, 1),
    [
      `elsewhere: ${list}`,
      200,
      whole({ data: [], pagination: { page: 1, pageSize: 25, totalCount: 0, totalPages: 0 } }),
    ],
  ];
}

/** A request of a list, and the ids that it finds. */
export function found(request: string, ids: readonly string[], totalCount = ids.length): Step {
  const data = ids.map((publicId) => ({ publicId }));
  return [request, 200, { data, pagination: { totalCount } }];
}

/** A request of a list, and all of its items, with all their fields. */
export function shown(request: string, data: readonly object[]): Step {
  const totalCount = data.length;
  return [
    request,
    200,
    whole({ data, pagination: { page: 1, pageSize: 25, totalCount, totalPages: 1 } }),
  ];
}
