import { afterAll, afterEach, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";
import { outlineOf } from "./outline.ts";

const { fireEvent, render, screen, waitFor } = await useDocument();
const { Failure } = await import("../../../src/page/app/lib/base/failure.ts");
const { goTo } = await import("../../../src/page/app/lib/base/place.ts");
const { leaving, signIn, signOut, signedIn } =
  await import("../../../src/page/app/lib/sign-in/signed-in.ts");
const { invitation } = await import("../../../src/page/app/lib/sign-in/invitation.ts");
const { start } = await import("../../../src/page/app/lib/sign-in/start.ts");
const { PasskeysDialog } = await import("../../../src/page/app/views/sign-in/passkeys-dialog.tsx");
const { SignIn } = await import("../../../src/page/app/views/sign-in/sign-in.tsx");

/** What is there for who is not signed in, by why; and one's own passkeys. */

const failure = new Failure("The server cannot be reached.");
const me = {
  organization: { publicId: "org_1", name: "Maple", timezone: "UTC", weekStartsOn: "MONDAY" },
  key: { role: "TECHNICIAN", userId: "usr_ana", name: "Ana Ruiz", isReadOnly: false },
  writes: [],
};

const { fetch } = globalThis;
const { credentials } = navigator;
afterEach(() => {
  signOut("signed-out");
  leaving.value = undefined;
  start.value = { state: "asking" };
  globalThis.fetch = fetch;
});
afterAll(() => {
  globalThis.fetch = fetch;
  Reflect.deleteProperty(globalThis, "PublicKeyCredential");
  Object.defineProperty(navigator, "credentials", { value: credentials, configurable: true });
});

const ended = new Failure("Invalid API key", 401);
const invited = { state: "invited", create: { user: { displayName: "Ana Ruiz" } } };
/** Why it is shown, the state of the start, and why somebody has left. */
const shown: [string, unknown, unknown?][] = [
  ["people have passkeys", { state: "passkeys" }],
  ["one has signed out", { state: "passkeys" }, "signed-out"],
  ["nobody did anything for fifteen minutes", { state: "locked" }, "untouched"],
  ["somebody else has signed in", { state: "locked" }, "somebody-else"],
  ["the server did not answer", { state: "failed", failure }],
  ["there are keys alone", { state: "keys" }],
  ["a key has ended", { state: "keys" }, ended],
  ["a sign-in is locked", { state: "locked" }],
  ["nobody was there", { state: "passkeys" }, "locked"],
  ["one signs out", { state: "signing-out", failure: undefined }, "signed-out"],
  ["that was not heard", { state: "signing-out", failure }, "signed-out"],
  ["one is invited", invited],
  ["it is not known yet", { state: "asking" }],
];

test.each(shown)("where %s", (...[, state, why]) => {
  start.value = state as never;
  leaving.value = why as never;
  const { container } = render(<SignIn />);
  // What a browser calls its device.
  expect(outlineOf(container).replace(/(this device = )\w+/, "$1…")).toMatchSnapshot();
});

test.each([
  ["http://127.0.0.1:8080/", undefined],
  ["http://127.0.0.1:8080/", "org_1.token"],
  ["http://practice.example/", undefined],
  ["http://practice.example/", "org_1.token"],
])("at %s, where no browser keeps a sign-in, with the invitation %p", (address, token) => {
  const { happyDOM } = globalThis.window as unknown as { happyDOM: { setURL(url: string): void } };
  Reflect.set(
    globalThis,
    "PublicKeyCredential",
    class {
      static readonly parseRequestOptionsFromJSON = true;
    },
  );
  happyDOM.setURL(address);
  start.value = { state: "keys" };
  invitation.value = token;
  const { container } = render(<SignIn />);
  const hints = [...container.querySelectorAll(".sign-in > .hint")];
  expect(hints.map(outlineOf)).toMatchSnapshot();
  happyDOM.setURL("http://localhost/");
  invitation.value = undefined;
  Reflect.deleteProperty(globalThis, "PublicKeyCredential");
});

test("a key is asked about, without spaces around it; one that is accepted signs in, at the place that was asked for or the first", async () => {
  const asked: unknown[] = [];
  const { FormData } = globalThis;
  // That of Bun does not read forms.
  globalThis.FormData = (globalThis.window as unknown as { FormData: typeof FormData }).FormData;
  globalThis.fetch = (async (path: string, { headers }: RequestInit = {}) => {
    asked.push([path, new Headers(headers).get("Authorization")]);
    const isKnown = asked.length > 1;
    const said = { headers: { "X-Request-Id": "1" }, status: isKnown ? 200 : 401 };
    return Response.json(isKnown ? me : { error: "Invalid API key" }, said);
  }) as typeof fetch;
  for (const [at, next] of [
    ["#/", "#/schedule?whose=technician&person=usr_ana"],
    ["#/people", "#/people"],
  ] as const) {
    start.value = { state: "keys" };
    goTo(at, "replace");
    const { container, unmount } = render(<SignIn />);
    const button = screen.getByText("Sign in");
    fireEvent.submit(button.closest("form") as HTMLFormElement);
    const tries = asked.length;
    const key = screen.getByLabelText("API key") as HTMLInputElement;
    for (const isFirst of tries === 0 ? [true, false] : [false]) {
      key.value = " key_1 ";
      fireEvent.submit(button.closest("form") as HTMLFormElement);
      await waitFor(() => expect(button.textContent).toBe("Signing in…"));
      expect((button as HTMLButtonElement).disabled).toBe(true);
      await waitFor(() => expect(button.textContent).toBe("Sign in"));
      if (isFirst) expect(outlineOf(container)).toContain("Invalid API key");
    }
    expect([asked.slice(tries).length, location.hash]).toEqual([tries === 0 ? 2 : 1, next]);
    expect(signedIn.value !== undefined).toBe(true);
    unmount();
    signOut("signed-out");
  }
  expect(asked[0]).toEqual(["api/v1/me", "Bearer key_1"]);
  globalThis.FormData = FormData;
});

test("a passkey is added once one's own was used, and is listed; one is removed after a question", async () => {
  const since = { createdAt: "2026-01-02T12:00:00.000Z", lastUsedAt: null };
  const passkeys = [{ id: "pk_1", name: "Old phone", isSynced: true, ...since }];
  const asked: string[] = [];
  const page = Reflect.get(globalThis, "fetch");
  globalThis.fetch = (async (path: string, { method = "GET", body }: RequestInit = {}) => {
    if (method !== "GET") asked.push(`${method} ${path}`);
    if (path.endsWith("sign-in/passkey"))
      passkeys.push({ id: "pk_2", name: JSON.parse(String(body)).name, isSynced: false, ...since });
    if (method === "DELETE") passkeys.splice(0, 1);
    const answer = path.endsWith("options") ? { create: {}, get: {} } : { data: passkeys };
    return Response.json(answer, { headers: { "X-Request-Id": "1" } });
  }) as typeof page;
  const read = (options: object) => options;
  const made = async () => ({ id: "id", response: {}, toJSON: () => ({ response: {} }) });
  Reflect.set(globalThis, "PublicKeyCredential", {
    parseCreationOptionsFromJSON: read,
    parseRequestOptionsFromJSON: read,
  });
  const value = { create: made, get: made };
  Object.defineProperty(navigator, "credentials", { value, configurable: true });
  signIn(undefined, me as never);
  goTo("#/?open=passkeys", "replace");
  render(<PasskeysDialog />);
  await screen.findByText("Old phone");

  fireEvent.input(screen.getByLabelText("Name of the device"), { target: { value: "Tablet" } });
  fireEvent.click(screen.getByText("Add a passkey"));
  await screen.findByText("Tablet");
  const [first] = screen.getAllByText("Remove");
  fireEvent.click(first as HTMLElement);
  fireEvent.click(screen.getByText("Remove it"));
  await waitFor(() => expect(screen.queryByText("Old phone") === null).toBe(true));
  expect(asked).toEqual([
    "POST api/sign-in/options",
    "POST api/sign-in",
    "POST api/sign-in/options",
    "POST api/sign-in/passkey",
    "DELETE api/v1/passkeys/pk_1",
  ]);
});
