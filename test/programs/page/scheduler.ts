import type { Browser, Page } from "playwright-core";
import type { PageOf, Session } from "../../../src/page/app/lib/base/wire.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { SMALL_ORGANIZATION, TOMORROW } from "./small-practice.ts";
import {
  expectAccessible,
  keyOf,
  type Practice,
  read,
  settled,
  undo,
  visit,
  writeRecord,
} from "./visit.ts";

/** A scheduler's day: sessions are changed, moved, deleted and booked, and each change is undone. */

export async function checkScheduler(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  const key = await keyOf(folder, "SCHEDULING_MANAGER", SMALL_ORGANIZATION);
  const admin = { ...practice, adminKey: await keyOf(folder, "ADMIN", SMALL_ORGANIZATION) };
  const at = `#/schedule?date=${TOMORROW}`;
  const stored = (id = "apt_first"): Promise<Session> => read<Session>(admin, `sessions/${id}`);
  const before = await stored();

  /** The dialog of one of tomorrow's sessions. */
  const opened = async (page: Page, title = "Therapy of 1") => {
    await settled(page);
    await page.locator(".slot button", { hasText: title }).click();
    const dialog = page.getByRole("dialog", { name: title });
    await dialog.getByRole("button", { name: "Delete" }).and(page.locator(":enabled")).waitFor();
    return dialog;
  };
  const write = (record: object) => writeRecord(admin, SMALL_ORGANIZATION, record);

  await check("the status of a session can be changed, and the change undone", async () => {
    const { page } = await visit(browser, origin, { at, key });
    const dialog = await opened(page);
    for (const [name, status] of [
      ["No-show", "PATIENT_NO_SHOW"],
      ["Cancel requested", "REQUESTED_TO_CANCEL"],
      ["Cancelled", "DECLINED"],
    ] as const) {
      await dialog.getByRole("button", { name }).click();
      await dialog.getByText(`The session is now: ${name}.`).waitFor();
      expectEqual((await stored()).status, status);
    }
    await undo(page);
    expectEqual((await stored()).status, "REQUESTED_TO_CANCEL");
    await dialog.getByRole("button", { name: "Confirmed", exact: true }).click();
    await dialog.getByText("The session is now: Confirmed.").waitFor();
    expectEqual(await stored(), before);
    await page.close();
  });

  await check(
    "moving a session onto another one shows a warning first, and is allowed",
    async () => {
      const { page } = await visit(browser, origin, { at, key });
      const dialog = await opened(page);
      await dialog.getByRole("button", { name: "Change time or people" }).click();
      await dialog.getByLabel("From").fill("12:30");
      await dialog.getByLabel("To").fill("17:30");
      const warnings = dialog.getByRole("list", { name: "Warnings" }).getByRole("listitem");
      await warnings.nth(1).waitFor();
      const said = await warnings.allInnerTexts();
      expectEqual(said.filter((each) => each.startsWith("⚠ Ana Ruiz: A session on ")).length, 1);
      expectEqual(said.filter((each) => /units? over|more/.test(each)).length > 0, true);
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("The session was changed.").waitFor();
      expectEqual((await stored()).startTime, `${TOMORROW}T12:30:00.000Z`);
      await dialog.getByRole("button", { name: "Close" }).click();
      await page.getByText("2 sessions are double-booked").waitFor();
      await undo(page);
      expectEqual(await stored(), before);
      await page.getByText("2 sessions are double-booked").waitFor({ state: "detached" });
      await page.close();
    },
  );

  await check("conflicts are shown before a declined session is confirmed", async () => {
    await write({ type: "session", publicId: "apt_first", status: "DECLINED" });
    await write({ type: "session", publicId: "apt_second", startTime: before.startTime });
    const { page } = await visit(browser, origin, { at, key });
    const dialog = await opened(page);
    await dialog.getByText("If it is confirmed again:").waitFor();
    await dialog
      .getByText(/Ana Ruiz: A session on .* overlaps/)
      .first()
      .waitFor();
    await write({ type: "session", publicId: "apt_first", status: "CONFIRMED" });
    await write({
      type: "session",
      publicId: "apt_second",
      startTime: `${TOMORROW}T13:00:00.000Z`,
    });
    await page.close();
  });

  await check("a session can be given to another technician", async () => {
    const { page } = await visit(browser, origin, { at, key });
    const dialog = await opened(page);
    await dialog.getByRole("button", { name: "Change time or people" }).click();
    await dialog.getByLabel("Technician").selectOption({ label: "Bo Lind" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("The session was changed.").waitFor();
    expectEqual((await stored()).technicianId, "usr_other");
    await undo(page);
    expectEqual(await stored(), before);
    await page.close();
  });

  await check("a session can be deleted, and undo restores it with its authorization", async () => {
    const { page } = await visit(browser, origin, { at, key });
    const dialog = await opened(page);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Yes, delete it" }).click();
    await page.getByText("The session was deleted.").waitFor();
    await page.locator(".slot").nth(1).waitFor({ state: "detached" });
    await undo(page);
    await page.locator(".slot").nth(1).waitFor();
    const { data } = await read<PageOf<Session>>(
      admin,
      `sessions?authorizationId=auth_1&startDate=${TOMORROW}`,
    );
    expectEqual(data, [before]);
    await page.close();
  });

  await check("another user's change is shown and not overwritten", async () => {
    const { page } = await visit(browser, origin, { at, key });
    const dialog = await opened(page);
    await write({ type: "session", publicId: "apt_first", status: "UNCONFIRMED" });
    await dialog.getByRole("button", { name: "Cancelled" }).click();
    const alert = dialog.getByRole("alert");
    await alert.getByText("Somebody else has changed this session meanwhile.").waitFor();
    await alert.getByText("Status: Confirmed → Unconfirmed").waitFor();
    expectEqual((await stored()).status, "UNCONFIRMED");
    // What is changed once more meanwhile is not overwritten either; an undo then brings all of it back.
    const again = { type: "session", publicId: "apt_first", technicianId: "usr_other" };
    await write(again);
    const onTop = alert.getByRole("button", { name: "Save mine on top" });
    await onTop.click();
    await alert.getByText("Technician: Ana Ruiz → Bo Lind").waitFor();
    await onTop.click();
    await dialog.getByText("The session is now: Cancelled.").waitFor();
    await alert.waitFor({ state: "detached" });
    await undo(page);
    const { status, technicianId } = await stored();
    expectEqual([status, technicianId], ["UNCONFIRMED", "usr_other"]);
    // The session, as it is then, can be changed. An undo takes back its own change alone, and only as it was written.
    const open = page.getByRole("dialog");
    const confirm = open.getByRole("button", { name: "Confirmed", exact: true });
    await confirm.click();
    await open.getByText("The session is now: Confirmed.").waitFor();
    await write({ type: "session", publicId: "apt_first", title: "Another title" });
    await undo(page);
    const undone = await stored();
    expectEqual([undone.status, undone.title], ["UNCONFIRMED", "Another title"]);
    await confirm.click();
    await open.getByText("The session is now: Confirmed.").waitFor();
    await write({ type: "session", publicId: "apt_first", status: "DECLINED" });
    await page.getByRole("button", { name: "Undo" }).click();
    await open.getByText(/Not undone: This session has been changed since/).waitFor();
    expectEqual((await stored()).status, "DECLINED");
    const { title, status: confirmed } = before;
    await write({ ...again, technicianId: before.technicianId, title, status: confirmed });
    expectEqual(await stored(), before);
    await page.close();
  });

  await check(
    "sessions of a what-if question are booked like the last session, and can be removed again",
    async () => {
      const { page } = await visit(browser, origin, { at: "#/utilization/auth_1", key });
      const form = page.getByRole("form", { name: "Add a session" });
      const day = String(Temporal.PlainDate.from(TOMORROW).add({ days: 1 }));
      await form.getByLabel("Day").fill(day);
      await form.getByLabel("Weeks").fill("2");
      await form.getByRole("button", { name: "Add" }).click();
      await page.getByRole("button", { name: "Book 2 sessions…" }).click();
      const dialog = page.getByRole("dialog", { name: "Book these sessions" });
      expectEqual(await dialog.getByLabel("Title").inputValue(), "Therapy of 1");
      expectEqual(await dialog.getByLabel("Place").inputValue(), "HOME");
      const placeOfService = "TELEHEALTH_PROVIDED_ELSEWHERE";
      await dialog.getByLabel("Place").selectOption(placeOfService);
      await dialog
        .getByLabel("Technician")
        .locator("option", { hasText: "Bo Lind" })
        .waitFor({ state: "attached" });
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Book 2 sessions" }).click();
      await page.getByText("2 sessions booked (").waitFor();
      const query = `sessions?authorizationId=auth_1&startDate=${day}`;
      const { data } = await read<PageOf<Session>>(admin, query);
      const { publicId, startTime, endTime, ...template } = before;
      expectEqual(
        data.map((session) => ({ ...session, publicId, startTime, endTime })),
        [0, 7].map(() => ({
          ...{ publicId, startTime, endTime, ...template },
          ...{ placeOfService, isTelehealth: true },
        })),
      );
      expectEqual(
        data.map((session) => session.startTime),
        [0, 7].map((days) => `${Temporal.PlainDate.from(day).add({ days })}T09:00:00.000Z`),
      );
      await undo(page);
      expectEqual((await read<PageOf<Session>>(admin, query)).data, []);
      await page.close();
    },
  );

  await check(
    "what a what-if question declined, and undo took back, can be declined again",
    async () => {
      const { page } = await visit(browser, origin, { at: "#/utilization/auth_1", key });
      const slot = page.locator(".what-if .slot button").first();
      const cancel = page
        .getByRole("dialog", { name: "Book these sessions" })
        .getByRole("button", { name: "Cancel 1", exact: true });
      await settled(page);
      if ((await slot.count()) === 0)
        await page.getByRole("button", { name: "The week after" }).click();
      for (const _ of ["first", "again"]) {
        await slot.click();
        await page.getByRole("button", { name: "Cancel 1…" }).click();
        await cancel.click();
        await page.getByText("1 session cancelled.").waitFor();
        await undo(page);
        await settled(page);
      }
      // What somebody else has changed since it was chosen is not cancelled unseen.
      await slot.click();
      await page.getByRole("button", { name: "Cancel 1…" }).click();
      await cancel.and(page.locator(":enabled")).waitFor();
      // Which of them is the first of its week depends on the day.
      const renamed = (title: string) =>
        Promise.all(
          ["apt_past", "apt_first"].map((publicId) => write({ type: "session", publicId, title })),
        );
      await renamed("Another title");
      await cancel.click();
      await page.getByText(/^Somebody else has changed .* Nothing was written\.$/).waitFor();
      await renamed(before.title);
      expectEqual(await stored(), before);
      await page.close();
    },
  );

  await check("users without permission to write get no controls for it", async () => {
    // A biller moves sessions to other authorizations, and nothing else of them.
    for (const [role, buttons] of [
      ["PAYROLL_ADMIN", []],
      ["BILLING_MANAGER", ["Put on authorization…"]],
    ] as const) {
      const other = await keyOf(folder, role, SMALL_ORGANIZATION);
      const { page } = await visit(browser, origin, { at, key: other });
      await page.locator(".slot button").first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Status").waitFor();
      await settled(page);
      expectEqual(await dialog.getByRole("button").allInnerTexts(), ["Close", ...buttons]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.close();
    }
  });

  await check(
    "by keyboard, a session can be opened and changed, and the focus returns",
    async () => {
      const { page } = await visit(browser, origin, { at, key });
      const slot = page.locator(".slot button", { hasText: "Therapy of 1" });
      await slot.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Therapy of 1" });
      await dialog.getByRole("button", { name: "Unconfirmed" }).press("Space");
      await dialog.getByText("The session is now: Unconfirmed.").waitFor();
      await dialog.getByRole("button", { name: "Undo" }).press("Enter");
      await dialog.getByText("The session is now").waitFor({ state: "detached" });
      expectEqual(await stored(), before);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.locator(".slot button:focus", { hasText: "Therapy of 1" }).waitFor();
      await page.close();
    },
  );
}
