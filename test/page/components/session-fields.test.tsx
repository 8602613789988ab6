import { afterAll, beforeEach, expect, test } from "bun:test";
import type { SessionTyped } from "../../../src/page/app/parts/session/session-fields.tsx";
import { useDocument } from "./dom.ts";

const { fireEvent, render, screen } = await useDocument();
const { SessionFields } = await import("../../../src/page/app/parts/session/session-fields.tsx");
const { signIn, signOut } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");

/** The fields of all forms of sessions: of a new one, of a change, and of what-if. */

const { fetch } = globalThis;
const typed: SessionTyped = {
  ...{ technicianId: null, clinicianId: null, title: "", isSupervision: false, locationId: "loc" },
  ...{ placeOfService: "OFFICE" as const, isTelehealth: false },
};
let changes: object[] = [];
const onChange = (changed: object) => void changes.push(changed);

beforeEach(() => {
  changes = [];
  Reflect.set(globalThis, "fetch", async () =>
    Response.json({
      data: [],
      pagination: { page: 1, pageSize: 25, totalCount: 0, totalPages: 0 },
    }),
  );
  const organization = { publicId: "org_1", name: "Maple", timezone: "UTC" };
  signIn("key", { key: { role: "ADMIN", userId: null }, organization, writes: [] } as never);
});
afterAll(() => {
  signOut("signed-out");
  Reflect.set(globalThis, "fetch", fetch);
});

const labels = () => [...document.querySelectorAll("label")].map((label) => label.textContent);

test("a change has times, what it is, the people, the place, its title, and who is present", async () => {
  const times = { day: "2026-12-01", from: "09:00", to: "10:30" };
  const what = { value: "", choices: [{ value: "", name: "As it is" }], onType: onChange as never };
  render(
    <SessionFields
      typed={{ ...typed, times, isClientPresent: true }}
      {...{ onChange, what }}
      isBillable
    />,
  );
  expect(labels()).toEqual([
    ...["What", "Day", "From", "To", "Clinician", "Technician", "Place", "Location", "Title"],
    ...["Supervision", "Patient is present"],
  ]);
  expect(screen.getByLabelText<HTMLInputElement>("Title").required).toBe(true);
  await fireEvent.input(screen.getByLabelText("From"), { target: { value: "09:30" } });
  await fireEvent.input(screen.getByLabelText("To"), { target: { value: "12:00" } });
  await fireEvent.change(screen.getByLabelText("Place"), {
    target: { value: "TELEHEALTH_PROVIDED_ELSEWHERE" },
  });
  await fireEvent.change(screen.getByLabelText("Place"), { target: { value: "SCHOOL" } });
  await fireEvent.click(screen.getByLabelText("Supervision"));
  await fireEvent.click(screen.getByLabelText("Patient is present"));
  expect(changes).toEqual([
    { times: { ...times, from: "09:30", to: "11:00" } },
    { times: { ...times, to: "12:00" } },
    { placeOfService: "TELEHEALTH_PROVIDED_ELSEWHERE", isTelehealth: true },
    { placeOfService: "SCHOOL", isTelehealth: false },
    { isSupervision: true },
    { isClientPresent: false },
  ]);
});

test("what is not billable has no clinician; a title of its own may be left out where there is one without", () => {
  render(<SessionFields {...{ typed, onChange }} isBillable={false} titled="Therapy" />);
  expect(labels()).toEqual(["Technician", "Place", "Location", "Title", "Supervision"]);
  const title = screen.getByLabelText<HTMLInputElement>("Title");
  expect([title.required, title.placeholder]).toEqual([false, "Therapy"]);
});
