import { afterAll, beforeEach, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

const { fireEvent, render, screen, waitFor } = await useDocument();
const { LeavingDialog } = await import("../../../src/page/app/views/person/leaving.tsx");
const { MyDay } = await import("../../../src/page/app/views/schedule/my-day.tsx");
const { signIn, signOut } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");
const { practiceFileReach } = await import("../../../src/callers/permissions.ts");

/** A leaver's own meetings are given and deleted; one's own day says where the family lives only if one goes there. */

const { fetch } = globalThis;
afterAll(() => {
  signOut("signed-out");
  globalThis.fetch = fetch;
});

const DAY = 86_400_000;
const at = (days: number, hour: number): string => {
  const day = new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
  return `${day}T${String(hour).padStart(2, "0")}:00:00.000Z`;
};

const person = (publicId: string, role: string, firstName: string, more: object = {}) => ({
  ...{ publicId, role, firstName, lastName: "Roe", isActive: true, phoneNumber: "", email: "" },
  ...{ clinicianIds: [], careTeamTechnicianIds: [], locationIds: [], primaryClinicianId: null },
  ...more,
});
const ana = person("usr_ana", "TECHNICIAN", "Ana");
const bo = person("usr_bo", "TECHNICIAN", "Bo");
const leo = person("usr_leo", "PATIENT", "Leo", { addressLine1: "1 Home Street", city: "Salem" });

const session = (publicId: string, startTime: string, endTime: string, more: object = {}) => ({
  ...{ publicId, title: "Team meeting", status: "CONFIRMED", startTime, endTime },
  ...{ clientId: null, technicianId: "usr_ana", clinicianId: null, placeOfService: "OFFICE" },
  ...{ locationId: "loc_1", isBillable: false, isSupervision: false, nonBillableCode: "nbc_1" },
  ...more,
});

let sessions: ReturnType<typeof session>[] = [];
let written: unknown[] = [];

/** The answers of the API to what these parts of the page ask. */
function answerTo(url: URL, body: string | undefined): unknown {
  const path = url.pathname.replace(/^.*\/v1\//, "");
  const listOf = (data: unknown[]) => ({
    data,
    pagination: { page: 1, pageSize: 100, totalCount: data.length, totalPages: 1 },
  });
  if (path === "practice-file" && body !== undefined) {
    if (url.searchParams.get("dryRun") === null)
      written = body
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => JSON.parse(line));
    const totals = { brought: 0, mended: 0 };
    return { records: {}, notes: [], findings: { brought: [], mended: [], totals } };
  }
  if (path === "sessions") return listOf(sessions);
  if (path.startsWith("users")) return listOf([ana, bo, leo]);
  if (path === "locations") return listOf([{ publicId: "loc_1", name: "Maple clinic" }]);
  return listOf([]);
}

beforeEach(() => {
  written = [];
  globalThis.fetch = (async (path: string, { body }: { body?: string } = {}) => {
    const url = new URL(path, "http://localhost/");
    const headers = { "X-Request-Id": "1", "Caseload-Sequence": "7" };
    if (!url.pathname.endsWith("practice-file") || body !== undefined)
      return Response.json(answerTo(url, body), { headers });
    // An export has the practice, and then its records.
    const lines = [{ type: "organization" }, { ...leo, type: "user" }];
    return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), {
      headers: { ...headers, "Content-Type": "application/x-ndjson" },
    });
  }) as never;
});

function signInAs(role: keyof typeof practiceFileReach, userId: string | null): void {
  const organization = {
    publicId: "org_1",
    name: "Maple",
    timezone: "UTC",
    weekStartsOn: "MONDAY",
  };
  const key = {
    id: "key_1",
    role,
    userId,
    name: "Test",
    isReadOnly: false,
    ownPatientsOnly: false,
  };
  signIn("key", { organization, key, writes: Object.keys(practiceFileReach[role]) } as never);
}

test("a leaver's meeting is deleted, all of its slot", async () => {
  signInAs("ADMIN", null);
  sessions = [session("apt_1", at(7, 9), at(7, 10)), session("apt_2", at(14, 9), at(14, 10))];
  render(<LeavingDialog person={ana as never} />);
  fireEvent.click(await screen.findByRole("button", { name: "Delete 2" }));
  await waitFor(() => expect(written.length).toBe(2));
  expect(written).toEqual(
    ["apt_1", "apt_2"].map((publicId) => ({ type: "session", publicId, deleted: true })),
  );
});

test("or given to who is free", async () => {
  signInAs("ADMIN", null);
  sessions = [session("apt_1", at(7, 9), at(7, 10))];
  render(<LeavingDialog person={ana as never} />);
  fireEvent.click(await screen.findByRole("button", { name: "Who is free" }));
  fireEvent.click(await screen.findByRole("button", { name: "Bo Roe" }));
  await waitFor(() => expect(written.length).toBe(1));
  expect(written).toEqual([{ type: "session", publicId: "apt_1", technicianId: "usr_bo" }]);
});

test.each([
  ["HOME", true],
  ["OFFICE", false],
  ["SCHOOL", false],
  ["TELEHEALTH_PROVIDED_IN_PATIENT_HOME", false],
])(
  "on one's own day, of a session with the place %s: the family's address is there: %p",
  async (placeOfService, isThere) => {
    signInAs("TECHNICIAN", "usr_ana");
    sessions = [session("apt_1", at(0, 0), at(0, 23), { clientId: "usr_leo", placeOfService })];
    render(<MyDay />);
    await screen.findByText("Leo Roe");
    expect(screen.queryByText(/1 Home Street/) !== null).toBe(isThere);
    expect(screen.queryByText(/Maple clinic/) !== null).toBe(!isThere);
  },
);
