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
  /** The body of the list's 400; default: the validation shape. */
  refusedBody?: (...issues: Issue[]) => object;
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
  refusedBody = validationBody,
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

    test("unknown parameters respond 400, each once, in the order of the query", async () => {
      const query =
        "nope=%00&Page=1&&page%20=1&7=1&page[]=1&page=1&nope&constructor=1&__proto__=2&=3&%FF=4";
      const { status, body } = await service.call(`GET ${path}?${query}`, { key });
      const names = [
        "nope",
        "Page",
        "page ",
        "7",
        "page[]",
        "constructor",
        "__proto__",
        "",
        "\uFFFD",
      ];
      expect([status, body]).toEqual([400, refusedBody(...names.map(unknownParameter))]);
    });
  });

  describe(`invalid pages of ${path}`, () => {
    const noInteger = [
      ...["", "abc", "1.5", "1.0", "1e3", "0x10", "%205", "5%20", "+5", "%2B5", "--5", "-", "5n"],
      ...[
        "1_000",
        "1,000",
        "NaN",
        "Infinity",
        "null",
        "true",
        "%D9%A3",
        "%00",
        "5%00",
        "%ED%A0%80",
      ],
      ...["%FF", "%", "5%"],
    ];
    const tooSmall = ["0", "-0", "-1", "-00001", `-${"9".repeat(400)}`];
    const tooBig = {
      page: [`${maxPage + 1}`, "9".repeat(400)],
      pageSize: ["101", "9".repeat(400)],
    };
    const maximum = { page: maxPage, pageSize: 100 };

    const issue = (code: Issue["code"], message: string, name: string): Issue => ({
      code,
      message,
      path: [name],
    });
    const cases = (["page", "pageSize"] as const).flatMap((name) => [
      ...noInteger.map((text): [string, Issue] => [
        `${name}=${text}`,
        issue("invalid_type", "Expected integer, received string", name),
      ]),
      ...[`${name}=1&${name}=2`, `${name}=1&${name}=1`, `${name}=&${name}=`].map(
        (query): [string, Issue] => [
          query,
          issue("invalid_type", "Expected integer, received array", name),
        ],
      ),
      [name, issue("invalid_type", "Expected integer, received string", name)] as [string, Issue],
      ...tooSmall.map((text): [string, Issue] => [
        `${name}=${text}`,
        issue("too_small", "Number must be greater than or equal to 1", name),
      ]),
      ...tooBig[name].map((text): [string, Issue] => [
        `${name}=${text}`,
        issue("too_big", `Number must be less than or equal to ${maximum[name]}`, name),
      ]),
    ]);

    test.each(cases)("?%s", async (query, expected) => {
      const answer = await service.call(`GET ${path}?${query}`, { key });
      expect([answer.status, answer.body]).toEqual([400, refusedBody(expected)]);
    });

    test("page and pageSize are reported in the order of the schema, not of the query", async () => {
      const { status, body } = await service.call(`GET ${path}?pageSize=0&page=x`, { key });
      expect([status, body]).toEqual([
        400,
        refusedBody(
          issue("invalid_type", "Expected integer, received string", "page"),
          issue("too_small", "Number must be greater than or equal to 1", "pageSize"),
        ),
      ]);
    });
  });
}

/** Values that no text parameter accepts. */
export function describeTextParameters(
  { service, path, key, refusedBody = validationBody }: ListUnderTest,
  names: readonly string[],
): void {
  const forbidden = ["%00", "a%00b", "%ED%A0%80", "a%ED%B0%80", "%FF", "%C3", "a%C3%28"];
  const cases = names.flatMap((name): [string, Issue][] => [
    ...forbidden.map((text): [string, Issue] => [
      `${name}=${text}`,
      {
        code: "custom",
        message: "Must not contain U+0000 or an unpaired surrogate",
        path: [name],
      },
    ]),
    [
      `${name}=a&${name}=a`,
      { code: "invalid_type", message: "Expected string, received array", path: [name] },
    ],
  ]);
  describe(`invalid text parameters of ${path}`, () => {
    test.each(cases)("?%s", async (query, expected) => {
      const answer = await service.call(`GET ${path}?${query}`, { key });
      expect([answer.status, answer.body]).toEqual([400, refusedBody(expected)]);
    });
  });
}
