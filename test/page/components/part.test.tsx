import { afterAll, beforeEach, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

const { fireEvent, render, screen, waitFor } = await useDocument();
const { Part } = await import("../../../src/page/app/parts/base/part.tsx");
const { PartFailure, ResponseView } = await import("../../../src/page/app/parts/base/notices.tsx");
const { useGet } = await import("../../../src/page/app/lib/base/response.ts");
const { signedIn, signIn } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");

/** What could not be read is said where it is missing, once, and can be asked for again. */

let answers: Record<string, () => Response> = {};
const { fetch } = globalThis;
afterAll(() => {
  globalThis.fetch = fetch;
  signedIn.value = undefined;
});

const broken = () =>
  Response.json({ error: "Internal server error", statusCode: 500 }, { status: 500 });
const forbidden = () => Response.json({ error: "Access denied", statusCode: 403 }, { status: 403 });
const fine = () => Response.json({ name: "Leo" }, { headers: { "X-Request-Id": "1" } });

beforeEach(() => {
  answers = {};
  globalThis.fetch = (async (path: string) =>
    answers[path.split("/").at(-1) ?? ""]?.() ?? fine()) as never;
  signIn("key", {
    organization: { publicId: "org_1", name: "Maple", timezone: null, weekStartsOn: "SUNDAY" },
    key: { id: "key_1", role: "ADMIN", userId: null, name: "Test", isReadOnly: false },
    writes: [],
  } as never);
});

/** A part that shows nothing of what it cannot read. */
function Silent({ path }: { path: string }) {
  const { value } = useGet<{ name: string }>(path);
  return <p>{value?.name ?? "nobody"}</p>;
}

function Telling({ path }: { path: string }) {
  const response = useGet<{ name: string }>(path);
  return (
    <>
      <PartFailure response={response} what="The name" />
      <ResponseView response={{ ...response, failure: undefined, value: { name: "x" } }}>
        {({ name }) => <p>{name}</p>}
      </ResponseView>
    </>
  );
}

const notices = () =>
  [...document.querySelectorAll(".notice p:first-child")].map(({ textContent }) => textContent);

test("a request whose failure nothing shows is told at its part, and asked for again", async () => {
  answers = { names: broken, others: broken };
  render(
    <>
      <Part>
        <Silent path="names" />
        <Silent path="others" />
      </Part>
      <Part>
        <Silent path="fine" />
      </Part>
    </>,
  );
  await waitFor(() =>
    expect(notices()).toEqual(["Not everything here could be read: Internal server error"]),
  );
  answers = {};
  await fireEvent.click(screen.getByText("Try again"));
  await waitFor(() => expect(screen.getAllByText("Leo").length).toBe(3));
  await waitFor(() => expect(notices()).toEqual([]));
});

test("a failure that its part shows is told there alone", async () => {
  answers = { names: broken };
  render(
    <Part>
      <Telling path="names" />
    </Part>,
  );
  await waitFor(() =>
    expect(notices()).toEqual(["The name could not be read: Internal server error"]),
  );
  await Bun.sleep(50);
  expect(notices().length).toBe(1);
});

test("what a role may not see is not missed", async () => {
  answers = { names: forbidden };
  render(
    <Part>
      <Silent path="names" />
    </Part>,
  );
  await Bun.sleep(50);
  expect(notices()).toEqual([]);
});

test("a part that cannot be drawn leaves nothing standing that it showed before", async () => {
  let isBroken = false;
  function Table() {
    if (isBroken) throw new RangeError("Invalid time value");
    return <p>October</p>;
  }
  const { rerender } = render(
    <Part>
      <Table />
    </Part>,
  );
  expect(screen.getByText("October")).toBeDefined();
  isBroken = true;
  rerender(
    <Part>
      <Table />
    </Part>,
  );
  expect(screen.queryByText("October")).toBeNull();
  expect(notices()).toEqual(["Nothing is shown here. The page could not draw this part."]);
  isBroken = false;
  await fireEvent.click(screen.getByText("Try again"));
  expect(screen.getByText("October")).toBeDefined();
});
