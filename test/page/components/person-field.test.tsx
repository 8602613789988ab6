import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

const { fireEvent, render, screen, waitFor } = await useDocument();
const { Form } = await import("../../../src/page/app/parts/base/form.tsx");
const { PersonField } = await import("../../../src/page/app/parts/base/person-field.tsx");
const { plain } = await import("../../../src/page/app/lib/base/plain.ts");
const { signedIn, signIn } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");

const person = (publicId: string, firstName: string, lastName: string, isActive = true) => ({
  ...{ publicId, firstName, lastName, isActive, role: "PATIENT" },
});
const people = [
  person("usr_1", "Leo", "Park"),
  person("usr_2", "Léa", "Stone", false),
  person("usr_3", "Lee", "Stone"),
  person("usr_4", "Lee", "Stone"),
];

let asked: string[] = [];
let picked: (string | null)[] = [];
let sent = 0;
const { fetch } = globalThis;
afterAll(() => {
  globalThis.fetch = fetch;
  signedIn.value = undefined;
});

beforeEach(() => {
  [asked, picked, sent] = [[], [], 0];
  globalThis.fetch = (async (path: string) => {
    asked.push(path);
    const search = new URL(path, "http://localhost/").searchParams.get("search") ?? "";
    const data = people.filter((each) =>
      plain(each.firstName).startsWith(plain(search).slice(0, 2)),
    );
    return Response.json(
      { data, pagination: { totalCount: data.length } },
      { headers: { "X-Request-Id": "1" } },
    );
  }) as unknown as typeof fetch;
  signIn("key", {
    organization: { publicId: "org_1", name: "Maple", timezone: null, weekStartsOn: "SUNDAY" },
    key: { id: "key_1", role: "ADMIN", userId: null, name: "Test", isReadOnly: false },
    writes: [],
  } as never);
  render(
    <Form aria-label="Session" onSubmit={() => (sent += 1)}>
      <PersonField label="Patient" role="PATIENT" id={null} onPick={(id) => picked.push(id)} />
      <button type="submit">Save</button>
    </Form>,
  );
});

const field = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Patient" });
const type = (text: string) => fireEvent.input(field(), { target: { value: text } });
const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);
const CHOOSE = "Please choose somebody of the list.";
const said = () => document.querySelector(".mistake")?.textContent;

test("Enter before the answer picks the first person of it, once", async () => {
  await type("le");
  await fireEvent.keyDown(field(), { key: "Enter" });
  await waitFor(() => expect(picked).toEqual(["usr_1"]));
  expect(asked).toEqual(["api/v1/users?search=le&role=PATIENT"]);
});

test("arrows choose, and who has left is said", async () => {
  await type("le");
  await waitFor(() => expect(options()[1]).toBe("Léa Stone inactive"));
  await fireEvent.keyDown(field(), { key: "ArrowDown" });
  await fireEvent.keyDown(field(), { key: "Enter" });
  expect(picked).toEqual(["usr_2"]);
});

describe("a field that is left", () => {
  test.each(["Leo Park", " leo park ", "LEA STONE"])(
    "with the whole name of somebody, %p, has them",
    async (name) => {
      await type(name);
      await fireEvent.blur(field());
      await waitFor(() => expect(picked).toEqual([name.includes("STONE") ? "usr_2" : "usr_1"]));
    },
  );

  test.each(["Leo", "Lee Stone", "Nobody"])(
    "with %p, which is no name of one person alone, keeps the text, and nothing is sent",
    async (name) => {
      await type(name);
      await fireEvent.blur(field());
      await waitFor(() => expect(said()).toBe(CHOOSE));
      await fireEvent.click(screen.getByText("Save"));
      expect([field().value, picked, sent]).toEqual([name, [], 0]);
    },
  );

  test("empty has nobody", async () => {
    await type("Leo");
    await type("");
    await fireEvent.blur(field());
    await fireEvent.click(screen.getByText("Save"));
    expect([picked, said(), sent]).toEqual([[null], undefined, 1]);
  });
});

test("a form that is sent before somebody is chosen says so", async () => {
  await type("Leo");
  await fireEvent.click(screen.getByText("Save"));
  expect([said(), sent]).toEqual([CHOOSE, 0]);
  await type("");
  expect(said()).toBeUndefined();
});

test("a finger that begins on a name chooses nobody; a press does", async () => {
  await type("le");
  const option = await screen.findByRole("option", { name: "Leo Park" });
  for (const event of ["pointerDown", "pointerMove", "pointerCancel"] as const)
    await fireEvent[event](option, { pointerType: "touch" });
  expect(picked).toEqual([]);
  // The press takes no focus from the field, which would close the list under it.
  expect(await fireEvent.mouseDown(option)).toBe(false);
  await fireEvent.click(option);
  expect(picked).toEqual(["usr_1"]);
});

test("Enter that ends a word of an input method chooses nobody", async () => {
  await type("le");
  await waitFor(() => expect(options()[0]).toBe("Leo Park"));
  for (const [name, value] of [
    ["isComposing", true],
    // Safari's.
    ["keyCode", 229],
  ] as const) {
    const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
    Object.defineProperty(enter, name, { value });
    await fireEvent(field(), enter);
  }
  expect(picked).toEqual([]);
});

test("Escape takes back what was typed; in an empty field it is the dialog's", async () => {
  const escape = () => fireEvent.keyDown(field(), { key: "Escape" });
  expect(await escape()).toBe(true);
  await type("le");
  expect(await escape()).toBe(false);
  expect(field().value).toBe("");
  expect(await escape()).toBe(true);
});
