import { afterAll, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

const { fireEvent, render, screen } = await useDocument();
const { Text } = await import("../../../src/page/app/parts/record/record-text.tsx");
const { signedIn, signIn } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");

/** The control of a record's field that is typed. */

signIn("key", {
  organization: {
    ...{ publicId: "org_1", name: "Maple", timezone: "America/Denver", weekStartsOn: "SUNDAY" },
  },
  key: { id: "key_1", role: "ADMIN", userId: null, name: "Test", isReadOnly: false },
  writes: [],
} as never);
afterAll(() => (signedIn.value = undefined));

test.each([
  // As other systems write a day.
  ["2026-12-31T00:00:00.000Z", "2026-12-31"],
  ["2027-01-01T06:59:59.999Z", "2026-12-31"],
  ["2026-12-31T00:00:00.001Z", "2026-12-30"],
])("the date of recertification %s is %s", (value, shown) => {
  render(
    <Text
      field={{ name: "recertificationDate", kind: "instant" } as never}
      path={["recertificationDate"]}
      value={value}
      mistakes={new Map()}
      onChange={() => {}}
    />,
  );
  expect(screen.getByLabelText<HTMLInputElement>(/Recertification/).value).toBe(shown);
});

test("until when a certificate is valid shows as its last day in the practice's zone, and is typed as one", async () => {
  const typed: unknown[] = [];
  render(
    <Text
      field={{ name: "expiresAt", kind: "instant", isRequired: true } as never}
      path={["expiresAt"]}
      value="2026-07-01T05:59:59.999Z"
      mistakes={new Map()}
      onChange={(value) => typed.push(value)}
    />,
  );
  const control = screen.getByLabelText<HTMLInputElement>(/Expires/);
  expect([control.type, control.value]).toEqual(["date", "2026-06-30"]);
  for (const value of ["2026-12-31", ""]) await fireEvent.input(control, { target: { value } });
  expect(typed).toEqual(["2027-01-01T06:59:59.999Z", null]);
});
