import { afterAll, afterEach, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";
import { outlineOf } from "./outline.ts";

const { fireEvent, render, screen, waitFor } = await useDocument();
const { Failure } = await import("../../../src/page/app/lib/base/failure.ts");
const { goTo } = await import("../../../src/page/app/lib/base/place.ts");
const { leaving, signIn, signOut } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");
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
});
afterAll(() => {
  globalThis.fetch = fetch;
  Reflect.deleteProperty(globalThis, "PublicKeyCredential");
  Object.defineProperty(navigator, "credentials", { value: credentials, configurable: true });
});

const ended = new Failure("Invalid API key", 401);
const invited = { state: "invited", create: { user: { displayName: "Ana Ruiz" } } };
const LOCKED = ["Unlock with your passkey", "Sign out"];
const WITH_PASSKEY = ["Sign in with a passkey", "Sign in with a key", "Sign in"];

test.each([
  ["people have passkeys", { state: "passkeys" }, undefined, WITH_PASSKEY, ""],
  ["one has signed out", { state: "passkeys" }, "signed-out", WITH_PASSKEY, "You are signed out."],
  [
    ...["the server did not answer", { state: "failed", failure }, undefined],
    ...[["Try again", ...WITH_PASSKEY], failure.message],
  ],
  ["there are keys alone", { state: "keys" }, undefined, ["Sign in"], ""],
  ["a key has ended", { state: "keys" }, ended, ["Sign in"], "The key is no longer valid"],
  ["a sign-in is locked", { state: "locked" }, undefined, LOCKED, "This page is locked"],
  ["nobody was there", { state: "passkeys" }, "locked", LOCKED, "This page is locked"],
  ["one signs out", { state: "signing-out", failure: undefined }, "signed-out", [], ""],
  [
    ...["that was not heard", { state: "signing-out", failure }, "signed-out"],
    ...[["Sign out again"], "The server has not heard yet"],
  ],
  ["one is invited", invited, undefined, ["Register a passkey"], "Welcome, Ana Ruiz."],
] as [string, unknown, unknown, string[], string][])("where %s", (_, state, why, buttons, said) => {
  start.value = state as never;
  leaving.value = why as never;
  const { container } = render(<SignIn />);
  const named = [...container.querySelectorAll("button, summary")].map((each) => each.textContent);
  expect(named).toEqual(buttons);
  expect(outlineOf(container)).toContain(said);
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
