import { expect, test } from "bun:test";
import { idsByRequest, queryText } from "../../../src/page/app/lib/base/query.ts";

const idsOf = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, "x"));

test("up to a hundred ids are one request, in their order", () => {
  expect(idsByRequest([])).toEqual([]);
  expect(idsByRequest(idsOf(100, 30))).toEqual([idsOf(100, 30)]);
  const ids = idsOf(201, 30);
  expect(idsByRequest(ids)).toEqual([ids.slice(0, 100), ids.slice(100, 200), ids.slice(200)]);
});

test("the longest ids stay within a request line of 8 KiB", () => {
  const ids = idsOf(250, 128);
  const requests = idsByRequest(ids);
  expect(requests.flat()).toEqual(ids);
  for (const some of requests) {
    const line = `GET /api/v1/names${queryText({ ids: some.join() })} HTTP/1.1\r\n`;
    expect(line.length).toBeLessThan(8192);
  }
  // None has room for one more.
  expect(requests.slice(0, -1).every((some) => some.length === Math.floor(6000 / 129))).toBe(true);
});

test("parameters without a value are left out", () => {
  expect(queryText({ a: "", b: null, c: undefined })).toBe("");
  expect(queryText({ page: 0, a: "", q: "x y" })).toBe("?page=0&q=x+y");
});
