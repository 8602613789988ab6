import { afterAll, beforeEach, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

const { fireEvent, render, screen, waitFor } = await useDocument();
const { PlanForm } = await import("../../../src/page/app/parts/session/plan-form.tsx");
const { signIn, signOut } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");

/** A form that plans sessions: Enter, pressed while its warnings are asked for, waits for them. */

const { fetch } = globalThis;
const finding = {
  ...{ check: "PATIENT_LEFT", date: "2026-12-01", message: "has left", patientId: null },
  ...{ providerId: null, authorizationId: null, poolId: null, units: null, sessionIds: [] },
};
let answer: (brought: object[]) => void = () => {};
let written = 0;

beforeEach(() => {
  written = 0;
  const responseOf = (body: object) =>
    Response.json(body, { headers: { "X-Request-Id": "req_1" } });
  Reflect.set(globalThis, "fetch", (path: string) => {
    if (!path.includes("dryRun")) {
      written += 1;
      return Promise.resolve(responseOf({ sequence: 7 }));
    }
    return new Promise<Response>((resolve) => {
      answer = (brought) => {
        const totals = { brought: brought.length, mended: 0 };
        resolve(responseOf({ findings: { brought, mended: [], totals } }));
      };
    });
  });
  const organization = { publicId: "org_1", name: "Maple", timezone: "UTC" };
  signIn("key", { key: { role: "ADMIN", userId: null }, organization, writes: [] } as never);
});
afterAll(() => {
  signOut("signed-out");
  Reflect.set(globalThis, "fetch", fetch);
});

async function entered(): Promise<HTMLElement> {
  const line = { type: "session", publicId: "apt_1", title: "Care" };
  render(
    <PlanForm
      label="Plan"
      fields={<input aria-label="Title" />}
      change={{ done: "Saved.", lines: [line], undo: [] } as never}
      save="Save"
      onDone={() => {}}
    />,
  );
  const field = screen.getByLabelText("Title");
  await fireEvent.keyDown(field, { key: "Enter" });
  return field;
}

test("it saves once nothing is found", async () => {
  await entered();
  expect(written).toBe(0);
  answer([]);
  await waitFor(() => expect(written).toBe(1));
});

test.each([
  ["with a warning, which nobody has read yet", [finding], () => {}],
  ["if something is typed meanwhile", [], (field: HTMLElement) => fireEvent.input(field)],
])("it saves nothing %s", async (_, brought, meanwhile) => {
  await meanwhile(await entered());
  answer(brought);
  await waitFor(() => expect(screen.queryByText("Checking…")).toBeNull());
  await Bun.sleep(50);
  expect(written).toBe(0);
});
