import { describe, expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import type { Answer, TestService } from "./harness.ts";

/** Tests of rules that all lists share. */

/** A list with five rows of one organization. */
export interface ListUnderTest {
  service: TestService;
  path: string;
  key: string;
  /** The five public ids in the list's order. */
  ids: string[];
  /** A key of an organization without such rows. */
  keyOfEmpty: string;
  /** The greatest page number allowed. */
  maxPage: number;
}

/** The body of a 400 in the validation shape. */
export function validationBody(...validationErrors: Issue[]) {
  return { message: "Validation Error", statusCode: 400, validationErrors };
}

/** The issue of an unknown parameter. */
export function unknownParameter(name: string): Issue {
  return {
    code: "unrecognized_keys",
    message: "Is no parameter of this operation",
    path: [name],
  };
}

export function idsIn({ body }: Answer): string[] {
  return (body as { data: { publicId: string }[] }).data.map((item) => item.publicId);
}

export function paginationIn({ body }: Answer): unknown {
  return (body as { pagination: unknown }).pagination;
}

export function totalIn(answer: Answer): number {
  return (paginationIn(answer) as { totalCount: number }).totalCount;
}

export function describePages({
  service,
  path,
  key,
  ids,
  keyOfEmpty,
  maxPage,
}: ListUnderTest): void {
  describe(`pages of ${path}`, () => {
    test.each([
      ["", ids, { page: 1, pageSize: 25, totalCount: 5, totalPages: 1 }],
      ["pageSize=2", ids.slice(0, 2), { page: 1, pageSize: 2, totalCount: 5, totalPages: 3 }],
      [
        "page=2&pageSize=2",
        ids.slice(2, 4),
        { page: 2, pageSize: 2, totalCount: 5, totalPages: 3 },
      ],
      ["page=3&pageSize=2", ids.slice(4), { page: 3, pageSize: 2, totalCount: 5, totalPages: 3 }],
      ["page=4&pageSize=2", [], { page: 4, pageSize: 2, totalCount: 5, totalPages: 3 }],
      ["page=5&pageSize=1", ids.slice(4), { page: 5, pageSize: 1, totalCount: 5, totalPages: 5 }],
      ["page=1&pageSize=5", ids, { page: 1, pageSize: 5, totalCount: 5, totalPages: 1 }],
      ["pageSize=100", ids, { page: 1, pageSize: 100, totalCount: 5, totalPages: 1 }],
      [
        "page=02&p%61geSize=%34",
        ids.slice(4),
        { page: 2, pageSize: 4, totalCount: 5, totalPages: 2 },
      ],
      [
        `page=${maxPage}&pageSize=100`,
        [],
        { page: maxPage, pageSize: 100, totalCount: 5, totalPages: 1 },
      ],
    ])("?%s", async (query, expectedIds, expectedPagination) => {
      const answer = await service.call(`GET ${path}?${query}`, { key });
      expect([answer.status, idsIn(answer), paginationIn(answer)]).toEqual([
        200,
        expectedIds,
        expectedPagination,
      ]);
    });

    test("an organization without rows has no pages, whatever other organizations have", async () => {
      const answer = await service.call(`GET ${path}`, { key: keyOfEmpty });
      expect([answer.status, answer.body]).toEqual([
        200,
        { data: [], pagination: { page: 1, pageSize: 25, totalCount: 0, totalPages: 0 } },
      ]);
    });
  });
}
