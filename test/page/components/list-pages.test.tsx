import { beforeEach, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

const { render, screen, waitFor } = await useDocument();
const { ListPages } = await import("../../../src/page/app/parts/base/list-pages.tsx");
const { goTo, parameter } = await import("../../../src/page/app/lib/base/place.ts");

/** An empty answer is read as nothing only where the count says so. */

function listOf(data: unknown[], page: number, totalCount: number) {
  const totalPages = Math.ceil(totalCount / 25);
  const value = { data, pagination: { page, pageSize: 25, totalCount, totalPages } };
  const response = { value, sequence: 1, failure: undefined, isLoading: false, again() {} };
  return { response, print() {}, readWhole: async () => value };
}

const show = (list: ReturnType<typeof listOf>) =>
  render(
    <ListPages list={list} empty="Nothing.">
      {({ data }) => <p>{data.length} rows</p>}
    </ListPages>,
  );

beforeEach(() => goTo("#/attention?page=9&check=OVER", "replace"));

test.each([
  [60, "3"],
  [94, "4"],
  [20, undefined],
])("a page beyond the last of %p rows leads to it", async (count, last) => {
  show(listOf([], 9, count));
  await waitFor(() => expect(parameter("page")).toBe(last));
  expect(parameter("check")).toBe("OVER");
  expect(screen.queryByText("Nothing.")).toBeNull();
});

test("no rows at all are none, and stay where they are", async () => {
  show(listOf([], 9, 0));
  await screen.findByText("Nothing.");
  expect(parameter("page")).toBe("9");
});

test("rows are shown", async () => {
  show(listOf([1, 2], 1, 2));
  await screen.findByText("2 rows");
});
