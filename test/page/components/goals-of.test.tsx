import { afterAll, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

const { render } = await useDocument();
const { signIn, signOut } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");
const { GoalsOf } = await import("../../../src/page/app/views/goals/goals.tsx");

/** The goals of a person's page: as many as it has room for, and how many there are. */

const { fetch } = globalThis;
afterAll(() => {
  signOut("signed-out");
  Reflect.set(globalThis, "fetch", fetch);
});

test.each([
  [1, "Goals"],
  [136, "All 136 goals"],
])("of %p goals the heading is %p", async (totalCount, heading) => {
  const goal = {
    ...{ goalId: "goal_1", patientId: "usr_kid", name: "Hands", status: "IN_PROGRESS" },
    ...{ timezone: "UTC", type: "opportunity", valueUnit: "PERCENT", pointUnit: "DAY" },
    ...{ points: [], phases: [], criterion: null, targetDate: null, isMet: null, steps: null },
  };
  const answer = { data: [goal], pagination: { totalCount } };
  Reflect.set(globalThis, "fetch", async () =>
    Response.json(answer, { headers: { "X-Request-Id": "req_1" } }),
  );
  const organization = { publicId: "org_1", name: "Maple", timezone: "UTC" };
  signIn("key", { key: { role: "CLINICIAN", userId: "usr_1" }, organization, writes: [] } as never);
  const { findByRole } = render(<GoalsOf patientId={`usr_${totalCount}`} />);
  expect((await findByRole("heading")).textContent).toBe(heading);
});
