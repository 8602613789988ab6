import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { practiceFileReach } from "../../../src/callers/permissions.ts";
import { checkNames } from "../../../src/checks/checks.ts";
import type { Finding, Role } from "../../../src/page/app/lib/base/wire.ts";
import { useDocument } from "./dom.ts";

const { fireEvent, render, screen, within } = await useDocument();
const { causesOf } = await import("../../../src/page/app/lib/attention/findings.ts");
const { actOn, itemOf, itemText, mendingOf, mendText, recordsToMend } =
  await import("../../../src/page/app/lib/attention/mending.ts");
const { goTo } = await import("../../../src/page/app/lib/base/place.ts");
const { signIn, signOut } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");
const { Causes } = await import("../../../src/page/app/views/attention/causes.tsx");

/** The inbox: what mends each cause, for whom, and what it writes; and its rows by keyboard. */

const asked = globalThis.fetch;
const nothing = { data: [], pagination: { page: 1, pageSize: 25, totalCount: 0, totalPages: 0 } };

beforeEach(() => {
  Reflect.set(globalThis, "fetch", async () => Response.json(nothing));
  goTo("#/attention", "replace");
  signInAs("ADMIN");
});
afterAll(() => {
  signOut("signed-out");
  Reflect.set(globalThis, "fetch", asked);
});

function signInAs(role: Role): void {
  const writes = Object.keys(practiceFileReach[role]);
  const organization = {
    publicId: "org_1",
    name: "Maple",
    timezone: "UTC",
    weekStartsOn: "MONDAY",
  };
  const key = { role, userId: null, name: "key", ownPatientsOnly: false, isReadOnly: false };
  signIn("key", { key, organization, writes } as never);
}

function found(check: Finding["check"], number: number, other: Partial<Finding> = {}): Finding {
  return {
    ...{ check, date: `2026-11-0${number}`, message: `Number ${number}.`, units: 8 },
    ...{ patientId: "usr_leo", patientFirstName: "Leo", patientLastName: "Park" },
    ...{ providerId: "usr_ana", providerFirstName: "Ana", providerLastName: "Ruiz" },
    ...{ authorizationId: "auth_1", poolId: null, payorId: null },
    ...{ authorizationStartDate: null, authorizationEndDate: null },
    ...{ sessionIds: [`apt_${number}`], encounterIds: [`enc_${number}`] },
    goalId: check.startsWith("GOAL_") ? `goal_${number}` : null,
    ...other,
  } as Finding;
}

const causeOf = (...findings: Finding[]) => causesOf(findings)[0] as never;

/** Of each kind: its act on one finding, and what it opens, or the status that it writes. */
const ACTS: Record<Finding["check"], [name: string, opens: string]> = {
  OUTSIDE_AUTHORIZATION: ["Put on authorization…", "put-on"],
  NO_AUTHORIZATION: ["Put on authorization…", "put-on"],
  OVER_AUTHORIZED: ["Edit authorization…", "edit-authorization"],
  NOT_DOCUMENTED: ["Delivered…", "mend"],
  DELIVERED_UNHELD: ["Remove…", "mend"],
  DELIVERED_TWICE: ["Remove…", "mend"],
  PROVIDER_OVERLAP: ["Give to…", "mend"],
  PATIENT_OVERLAP: ["Change…", "#/attention?session=apt_1"],
  CREDENTIALS_ENDED: ["Credentials…", "#/people/usr_ana?open=edit"],
  PROVIDER_LEFT: ["Give to…", "mend"],
  RENEWAL_DUE: ["Renew…", "renew"],
  PATIENT_LEFT: ["Delete…", "mend"],
  GOAL_MET: ["To maintenance", "IN_MAINTENANCE"],
  GOAL_SILENT: ["Goal…", "#/goals/goal_1"],
  GOAL_NO_LONGER_MET: ["Back to in progress", "IN_PROGRESS"],
  GOAL_PAST: ["New target date…", "edit-goal"],
};

describe("the act on a cause", () => {
  const toldOf = (check: Finding["check"]) => {
    const act = actOn(causeOf(found(check, 1)));
    if (act === undefined) return undefined;
    return [act.name, "address" in act ? act.address : "dialog" in act ? act.dialog : act.status];
  };

  test.each(Object.entries(ACTS))("%s: %p", (check, act) => {
    expect(toldOf(check as Finding["check"])).toEqual(act as never);
  });

  test("all kinds have one", () => {
    expect(Object.keys(ACTS).sort()).toEqual(checkNames.toSorted());
  });

  test.each([
    ["BILLING_MANAGER", "NOT_DOCUMENTED", "OUTSIDE_AUTHORIZATION"],
    ["PAYROLL_ADMIN", undefined, undefined],
  ] as const)("%s has those that their role may do", (role, may) => {
    signInAs(role);
    const allowed = Object.keys(ACTS).filter((check) => toldOf(check as Finding["check"]));
    const writes = practiceFileReach[role];
    expect(allowed.includes("NOT_DOCUMENTED")).toBe("encounter" in writes);
    expect(allowed.includes("RENEWAL_DUE")).toBe("authorization" in writes);
    expect(allowed.includes("PATIENT_LEFT")).toBe(writes.session === "ALL");
    expect(may === undefined || allowed.includes(may)).toBe(
      "encounter" in writes || may === undefined,
    );
  });

  test("who may not write people gives the sessions of ended credentials to others", () => {
    signInAs("SCHEDULING_MANAGER");
    const act = toldOf("CREDENTIALS_ENDED");
    expect(act).toEqual(
      "user" in practiceFileReach.SCHEDULING_MANAGER
        ? ACTS.CREDENTIALS_ENDED
        : ["Give to…", "mend"],
    );
  });

  test("says how many it is about, and renews together what ends together", () => {
    const several = (check: Finding["check"], other: Partial<Finding> = {}) =>
      actOn(causeOf(found(check, 1), found(check, 2, other)));
    expect(several("NOT_DOCUMENTED")?.name).toBe("Delivered 2…");
    expect(several("PATIENT_LEFT")?.name).toBe("Delete 2…");
    expect(several("RENEWAL_DUE", { authorizationId: "auth_2" })).toEqual({
      ...{ name: "Renew 2…", dialog: "renew-all" },
      about: { ids: "auth_1,auth_2", patient: "usr_leo" },
    });
    expect(several("NO_AUTHORIZATION", { payorId: null })).toEqual({
      ...{ name: "Put on authorization…", dialog: "put-on" },
      about: { patientId: "usr_leo", sessions: "apt_1,apt_2", encounters: "", payor: null },
    });
    const pool = { authorizationId: null, poolId: "apool_1" };
    expect(actOn(causeOf(found("OVER_AUTHORIZED", 1, pool)))).toEqual({
      ...{ name: "Edit pool…", dialog: "edit-pool" },
      about: { id: "apool_1", patient: "usr_leo" },
    });
  });
});

describe("what an act writes", () => {
  const session = (number: number, authorizationId: string | null = "auth_1") => ({
    ...{ type: "session", publicId: `apt_${number}`, authorizationId },
    startTime: `2026-11-0${number}T10:00:00.000Z`,
  });

  test("sessions are delivered with their planned units; one without an authorization is not offered", () => {
    const cause = causeOf(found("NOT_DOCUMENTED", 1), found("NOT_DOCUMENTED", 2));
    const items = [session(1), session(2, null)].map((line) => itemOf(cause, line));
    expect(items.map(({ units, isChosen, refusal }) => [units, isChosen, refusal])).toEqual([
      [8, true, undefined],
      [8, false, "has no authorization"],
    ]);
    expect(mendText("Delivered", items)).toBe("Delivered 2, 16 units");
    expect(mendingOf("Delivered", items.slice(0, 1))).toEqual({
      done: "Delivered: 1 session.",
      lines: [
        { type: "session", publicId: "apt_1" },
        {
          ...{ type: "encounter", publicId: "enc_of_apt_1", sessionId: "apt_1", units: 8 },
          ...{ authorizationId: "auth_1", startTime: "2026-11-01T10:00:00.000Z" },
        },
      ],
      undo: [
        { type: "session", publicId: "apt_1" },
        { type: "encounter", publicId: "enc_of_apt_1", deleted: true },
      ],
    });
  });

  test("of what is delivered twice the first one stays, and what is billed is not offered", () => {
    const twice = found("DELIVERED_TWICE", 1, { encounterIds: ["enc_1", "enc_2", "enc_3"] });
    const encounter = (id: string, billed: unknown[] = []) => ({
      ...{ type: "encounter", publicId: id, units: 4, billed },
    });
    const billed = [{ batch: "W1", line: {}, takenBackAt: null }];
    const lines = [encounter("enc_1"), encounter("enc_2"), encounter("enc_3", billed)];
    const items = lines.map((line) => itemOf(causeOf(twice), line));
    expect(items.map(({ isChosen, refusal }) => [isChosen, refusal])).toEqual([
      [false, undefined],
      [true, undefined],
      [false, "is billed in batch W1"],
    ]);
    expect(mendingOf("Remove", items.slice(1, 2))).toEqual({
      done: "1 delivery was removed.",
      lines: [{ type: "encounter", publicId: "enc_2", deleted: true }],
      undo: [lines[1] as never],
    });
    expect(recordsToMend(causeOf(twice))).toEqual({
      type: "encounter",
      ids: ["enc_1", "enc_2", "enc_3"],
    });
  });

  test("of overlapping sessions the later one is given to somebody else, each once", () => {
    const overlap = (number: number) =>
      found("PROVIDER_OVERLAP", number, { sessionIds: ["apt_1", "apt_9"] });
    expect(recordsToMend(causeOf(overlap(1), overlap(2)))).toEqual({
      type: "session",
      ids: ["apt_9"],
    });
  });

  test("all sessions of somebody who has left are deleted, and brought back whole", () => {
    const cause = causeOf(found("PATIENT_LEFT", 1), found("PATIENT_LEFT", 2));
    const lines = [session(1), session(2, null)];
    const items = lines.map((line) => itemOf(cause, line));
    expect(mendText("Delete", items)).toBe("Delete 2");
    const change = mendingOf("Delete", items);
    expect(change.done).toBe("2 sessions were deleted.");
    expect(change.lines.map(({ publicId, deleted }) => [publicId, deleted])).toEqual([
      ["apt_1", true],
      ["apt_2", true],
    ]);
    expect(change.undo).toEqual(lines);
  });
});

test("an item says when and who, its units, and why it is not offered; a delivery its day", () => {
  const UTC = "UTC" as never;
  const line = {
    ...{ type: "session", publicId: "apt_1", title: "Therapy", clientId: "leo" },
    ...{ startTime: "2026-11-03T09:00:00.000Z", endTime: "2026-11-03T11:00:00.000Z" },
    ...{ isBillable: true, technicianId: "ana", clinicianId: null },
  };
  const name = (id: string) => `<${id}>`;
  const when = "Tue, Nov 3, 9:00 – 11:00 AM";
  expect(itemText({ line, units: 8, isChosen: true, refusal: "is left" }, UTC, name)).toBe(
    `${when}, <leo>, <ana>, 8 units, is left`,
  );
  expect(itemText({ line, isChosen: true }, UTC, name)).toBe(`${when}, <leo>, <ana>`);
  const delivery = { ...line, type: "encounter" };
  expect(itemText({ line: delivery, units: 1, isChosen: true }, UTC, name)).toBe(
    "Nov 3, 2026, 1 unit",
  );
});

describe("the rows", () => {
  const findings = [
    found("NOT_DOCUMENTED", 1),
    found("DELIVERED_UNHELD", 2),
    found("PATIENT_LEFT", 3),
  ];
  const sentences = () =>
    screen.getAllByText(/^Number/).filter((node) => node.tagName === "BUTTON");

  test("arrows go from row to row, and a row opens with what it consists of", () => {
    render(<Causes findings={findings} />);
    const [first, second, third] = sentences();
    first?.focus();
    fireEvent.keyDown(first as Element, { key: "ArrowDown" });
    expect(document.activeElement?.textContent).toBe(second?.textContent as string);
    fireEvent.keyDown(second as Element, { key: "ArrowDown" });
    fireEvent.keyDown(third as Element, { key: "ArrowDown" });
    expect(document.activeElement?.textContent).toBe(third?.textContent as string);
    fireEvent.keyDown(third as Element, { key: "ArrowUp" });
    expect(document.activeElement?.textContent).toBe(second?.textContent as string);
    fireEvent.click(second as Element);
    const opened = screen.getByRole("list", { name: "1 finding" });
    expect(within(opened).getByRole("link", { name: "Session" })).toBeTruthy();
    fireEvent.click(second as Element);
  });

  test("what was open is open when one comes back, and nothing else", () => {
    const shown = render(<Causes findings={findings} />);
    fireEvent.click(sentences()[1] as Element);
    shown.unmount();
    render(<Causes findings={findings} />);
    expect(sentences().map((node) => node.getAttribute("aria-expanded"))).toEqual([
      ...["false", "true", "false"],
    ]);
    fireEvent.click(sentences()[1] as Element);
  });

  test("an act is opened about its cause", () => {
    render(<Causes findings={findings} />);
    fireEvent.click(screen.getByRole("button", { name: "Delete…" }));
    expect(location.hash).toBe("#/attention?open=mend&open.cause=past+PATIENT_LEFT+usr_leo");
    goTo("#/", "replace");
  });

  test("when a row is mended, the next one has the focus", async () => {
    const shown = render(<Causes findings={findings} />);
    screen.getByRole("button", { name: "Remove…" }).focus();
    const [one, , three] = findings as [Finding, Finding, Finding];
    shown.rerender(<Causes findings={[one, three]} />);
    await Bun.sleep(50);
    expect(document.activeElement?.textContent).toBe("Number 3.");
  });

  test("when the last one is mended, the one before it", async () => {
    const shown = render(<Causes findings={findings} />);
    screen.getByRole("button", { name: "Delete…" }).focus();
    shown.rerender(<Causes findings={findings.slice(0, 2)} />);
    await Bun.sleep(50);
    expect(document.activeElement?.textContent).toBe("Number 2.");
  });
});
