import { afterAll, beforeEach, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

const { render, waitFor } = await useDocument();
const { useNames, useStaff } = await import("../../../src/page/app/lib/person/people.ts");
const { revision } = await import("../../../src/page/app/lib/base/revision.ts");
const { signedIn, signIn } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");

/** Who somebody is is asked once, whichever lists they are in, until something is written. */

let asked: string[] = [];
let isBroken = false;
const { fetch } = globalThis;
afterAll(() => {
  globalThis.fetch = fetch;
  signedIn.value = undefined;
});

beforeEach(() => {
  [asked, isBroken] = [[], false];
  globalThis.fetch = (async (path: string) => {
    const query = new URL(path, "http://localhost/").searchParams;
    asked.push([...query.values()].join(" "));
    if (isBroken)
      return Response.json({ error: "Internal server error", statusCode: 500 }, { status: 500 });
    const ids =
      query
        .get("ids")
        ?.split(",")
        .filter((id) => id !== "nobody") ?? [];
    const people = ids.map((id) => ({
      publicId: id,
      firstName: id,
      lastName: "Roe",
      role: "PATIENT",
    }));
    const staff = query.has("providers")
      ? [{ publicId: "tech", firstName: "Tia", lastName: "Roe", role: "TECHNICIAN" }]
      : [];
    return Response.json({ data: [...people, ...staff] }, { headers: { "X-Request-Id": "1" } });
  }) as never;
  signIn("key", {
    organization: { publicId: "org_1", name: "Maple", timezone: null, weekStartsOn: "SUNDAY" },
    key: { id: "key_1", role: "ADMIN", userId: null, name: "Test", isReadOnly: false },
    writes: [],
  } as never);
});

function Names({ ids }: { ids: string[] }) {
  const name = useNames(ids);
  return <p>{ids.map(name).join(", ")}</p>;
}

function Staff() {
  return <p>{useStaff("technician").value?.map(({ firstName }) => firstName)}</p>;
}

const lines = () => [...document.querySelectorAll("p")].map(({ textContent }) => textContent);

test("by several lists, each person once, and again after a write", async () => {
  const page = () => (
    <>
      <Names ids={["a", "b"]} />
      <Names ids={["b", "c"]} />
      <Names ids={["c", "a"]} />
      <Staff />
      <Names ids={["b"]} />
    </>
  );
  const { rerender } = render(page());
  const shown = ["a Roe, b Roe", "b Roe, c Roe", "c Roe, a Roe", "Tia", "b Roe"];
  await waitFor(() => expect(lines()).toEqual(shown));
  expect(asked).toEqual(["a,b", "c", "nobody true"]);
  revision.value += 1;
  rerender(page());
  await waitFor(() => expect(asked.length).toBe(6));
  await waitFor(() => expect(lines()).toEqual(shown));
});

test("a failure is asked for again by whoever comes next", async () => {
  isBroken = true;
  const { unmount } = render(<Names ids={["a"]} />);
  await waitFor(() => expect(lines()).toEqual(["a"]));
  unmount();
  isBroken = false;
  render(<Names ids={["a", "b"]} />);
  await waitFor(() => expect(lines()).toEqual(["a Roe, b Roe"]));
  expect(asked).toEqual(["a", "a,b"]);
});
