import type { Browser, Page } from "playwright-core";
import type { Session } from "../../../src/page/app/lib/base/wire.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { SMALL_ORGANIZATION, TOMORROW } from "./small-practice.ts";
import {
  expectAccessible,
  goTo,
  keyOf,
  type Practice,
  read,
  settled,
  undo,
  visit,
  WEDNESDAY,
  writeRecord,
} from "./visit.ts";

/** A scheduler's errands in the schedule: what is stored after as many clicks as each may cost. */

/** The clicks of a page since it was opened. */
const clicksOn = (page: Page): Promise<number> => page.evaluate<number>("clicks");

export async function checkScheduleErrands(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  const key = await keyOf(folder, "ADMIN", SMALL_ORGANIZATION);
  const admin = { ...practice, adminKey: key };
  const at = `#/schedule?date=${TOMORROW}`;
  const stored = (): Promise<Session> => read<Session>(admin, "sessions/apt_first");
  const before = await stored();
  const opened = async (place = at, width = 1280): Promise<Page> => {
    const { page } = await visit(browser, origin, { at: place, key, width });
    await page.evaluate(`clicks = 0; addEventListener("click", () => clicks += 1, true)`);
    return page;
  };
  const slotOf = (page: Page) => page.locator(".slot", { hasText: "Therapy of 1" });

  await check("a session that is dragged in the day begins later, as long as it was", async () => {
    const page = await opened();
    const box = await slotOf(page).boundingBox();
    if (box === null) throw new Error("no slot");
    const hour = box.width / 2;
    await page.mouse.move(box.x + 10, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 10 + hour, box.y + 8, { steps: 4 });
    await page.mouse.up();
    await page.getByText(/^Moved to /).waitFor();
    const { startTime, endTime } = await stored();
    expectEqual([startTime, endTime], [`${TOMORROW}T10:00:00.000Z`, `${TOMORROW}T12:00:00.000Z`]);
    expectEqual(await page.locator("dialog").count(), 0);
    await undo(page);
    expectEqual(await stored(), before);
    await page.close();
  });

  await check("Escape cancels a drag, and what is dragged stays in sight", async () => {
    const page = await opened(`#/schedule?whose=technician&person=usr_technician&date=${TOMORROW}`);
    const slot = slotOf(page).first();
    const box = await slot.boundingBox();
    if (box === null) throw new Error("no slot");
    await page.mouse.move(box.x + 10, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x - 3_000, box.y + 5, { steps: 4 });
    const [first, dragged] = [
      await page.locator(".day ul").first().boundingBox(),
      await slot.boundingBox(),
    ];
    expectEqual((dragged?.x ?? 0) >= (first?.x ?? 0) - 1, true);
    await page.keyboard.press("Escape");
    await page.mouse.up();
    expectEqual(
      [await page.locator(".moved").count(), await page.locator("dialog").count()],
      [0, 0],
    );
    expectEqual(await stored(), before);
    await page.close();
  });

  await check("with Alt or Ctrl, arrows are the browser's", async () => {
    const page = await opened(`#/schedule?whose=technician&person=usr_technician&date=${TOMORROW}`);
    await slotOf(page).first().getByRole("button").focus();
    for (const keys of ["Alt+ArrowDown", "Control+ArrowDown", "Meta+ArrowUp"])
      await page.keyboard.press(keys);
    expectEqual(await page.locator(".moved").count(), 0);
    await page.close();
  });

  await check("a finger that rests moves a session; one that scrolls does not", async () => {
    const { page } = await visit(browser, origin, { at, key, hasTouch: true });
    const box = await slotOf(page).boundingBox();
    if (box === null) throw new Error("no slot");
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const client = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
      client.send("Input.dispatchTouchEvent", {
        ...{ type, touchPoints: x === undefined ? [] : [{ x: box.x + x, y: box.y + 5 }] },
      });
    const isMoved = async (rest: number): Promise<boolean> => {
      await touch("touchStart", 10);
      await page.clock.runFor(rest);
      for (const x of [20, 30, 10 + box.width / 2]) await touch("touchMove", x);
      await page.clock.runFor(100);
      const moved = (await page.locator(".moved").count()) > 0;
      await touch("touchEnd");
      return moved;
    };
    expectEqual(await isMoved(100), false);
    expectEqual(await isMoved(400), true);
    await page.clock.resume();
    await page.getByText(/^Moved to /).waitFor();
    expectEqual((await stored()).startTime, `${TOMORROW}T10:00:00.000Z`);
    await undo(page);
    expectEqual(await stored(), before);
    await page.close();
  });

  await check("a drag that double-books is told in the bar, with Undo", async () => {
    const clash = {
      ...{ type: "session", publicId: "apt_clash", title: "Elsewhere", status: "CONFIRMED" },
      ...{ isSupervision: false, isClientPresent: true, placeOfService: "HOME" },
      ...{ locationId: "loc_1", isBillable: true, isTelehealth: false, services: "svc_1" },
      ...{ technicianId: "usr_technician", clientId: "usr_patient_2" },
      ...{ startTime: `${TOMORROW}T11:00:00.000Z`, endTime: `${TOMORROW}T12:00:00.000Z` },
    };
    await writeRecord(admin, SMALL_ORGANIZATION, clash);
    const page = await opened(`#/schedule?whose=technician&person=usr_technician&date=${TOMORROW}`);
    await slotOf(page).last().getByRole("button").focus();
    for (const press of ["ArrowDown", "Enter"]) await page.keyboard.press(press);
    const bar = page.locator(".undo-bar");
    await bar
      .getByText(/Ana Ruiz: A session on .* overlaps/)
      .first()
      .waitFor();
    await bar.getByText(/^Moved to /).waitFor();
    await undo(page);
    expectEqual(await stored(), before);
    await writeRecord(admin, SMALL_ORGANIZATION, {
      ...{ type: "session", publicId: "apt_clash", deleted: true },
    });
    await page.close();
  });

  await check("who has been off for days is busy: warned of, and not offered", async () => {
    const dayAfter = (days: number) => Temporal.PlainDate.from(TOMORROW).add({ days });
    const code = { type: "nonBillableCode", publicId: "code_off" };
    const off = { type: "session", publicId: "apt_off" };
    await writeRecord(admin, SMALL_ORGANIZATION, { ...code, name: "Time off" });
    await writeRecord(admin, SMALL_ORGANIZATION, {
      ...{ ...off, title: "Time off", status: "CONFIRMED", isSupervision: false },
      ...{ isClientPresent: false, placeOfService: "OTHER", locationId: "loc_1" },
      ...{ isBillable: false, nonBillableCode: "code_off", technicianId: "usr_other" },
      ...{ startTime: `${dayAfter(-4)}T00:00:00.000Z`, endTime: `${dayAfter(1)}T00:00:00.000Z` },
    });
    const page = await opened();
    await slotOf(page).getByRole("button").click();
    await page.getByRole("button", { name: "Who is free" }).click();
    await page.getByText("Nobody is free at this time.").waitFor();
    await page.getByRole("button", { name: "Change time or people" }).click();
    const form = page.getByRole("form", { name: "Change time or people" });
    await form.getByLabel("Technician").selectOption({ label: "Bo Lind" });
    await form
      .getByText(/Bo Lind: A session on .* overlaps/)
      .first()
      .waitFor();
    await page.close();
    for (const record of [off, code])
      await writeRecord(admin, SMALL_ORGANIZATION, { ...record, deleted: true });
  });

  await check("a session in a week is moved by the arrow keys, or not by Escape", async () => {
    // Tomorrow's is the last of the week, or the first of the next one.
    const week = `#/schedule?whose=technician&person=usr_technician&date=${TOMORROW}`;
    const page = await opened(week);
    await slotOf(page).last().getByRole("button").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    expectEqual(await page.locator(".moved").count(), 0);
    for (const press of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(press);
    await page.getByText(/^Moved to /).waitFor();
    expectEqual((await stored()).startTime, `${TOMORROW}T09:30:00.000Z`);
    await undo(page);
    expectEqual(await stored(), before);
    await page.close();
  });

  await check("the people of a day, of leads and of changes are one request", async () => {
    const { adminKey } = practice;
    const { page } = await visit(browser, origin, { at: "#/nobody", key: adminKey });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url().split("/api/v1/")[1] ?? ""));
    for (const [view, people] of [
      [`schedule?date=${WEDNESDAY}`, /^names\?/],
      ["leads", /^practice-file\?types=user&ids=/],
      ["changes?since=2020-01-01", /^names\?/],
    ] as const) {
      asked.length = 0;
      await goTo(page, `#/${view}`);
      expectEqual(
        [
          asked.filter((path) => people.test(path)).length,
          asked.filter((path) => /^users\//.test(path)),
        ],
        [1, []],
      );
    }
    await page.close();
  });

  await check("a day or a week of the clinic is three requests, empty rows included", async () => {
    // What is behind Filter is asked for once that is open.
    for (const view of [at, `${at}&as=table`, `${at}&as=week`]) {
      const page = await opened("#/nobody");
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await goTo(page, view);
      await page.getByText("Therapy of 1").first().waitFor();
      await settled(page);
      const paths = asked.flatMap((url) => /\/api\/v1\/([^?]*)/.exec(url)?.[1] ?? []);
      expectEqual(paths.sort(), ["names", "service-lines", "sessions"]);
      await page.close();
    }
  });

  await check("Back closes what is open first, and a reload opens it again", async () => {
    const page = await opened();
    const dialog = page.getByRole("dialog");
    const at = page.url();
    await goTo(page, "#/people");
    await page.getByRole("button", { name: "New person" }).click();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
    expectEqual(new URL(page.url()).hash, "#/people");
    await page.goBack();
    await slotOf(page).getByRole("button").click();
    await dialog.getByRole("link", { name: "Leo Park" }).waitFor();
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
    expectEqual(page.url(), at);
    // Closed by its button, it leaves no entry behind to go back to.
    await slotOf(page).getByRole("button").click();
    await dialog.getByRole("button", { name: "Close" }).dblclick();
    await page.waitForURL(at);
    await page.goForward();
    await dialog.getByRole("link", { name: "Leo Park" }).click();
    await page.getByRole("heading", { name: "Leo Park" }).waitFor();
    await page.goBack();
    await dialog.getByRole("link", { name: "Leo Park" }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(at);
    await page.close();
  });

  await check("a calendar's address opens its session, on the day of the practice", async () => {
    const { page } = await visit(browser, origin, {
      at: `#/schedule?date=${TOMORROW}&session=apt_first`,
      key,
    });
    await page
      .getByRole("dialog", { name: "Therapy of 1" })
      .getByRole("link", { name: "Leo Park" })
      .waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(`${origin}/#/schedule?date=${TOMORROW}`);
    await slotOf(page).waitFor();
    await page.close();
  });

  await check("in the dialog, the end of a session follows its beginning", async () => {
    const page = await opened();
    await slotOf(page).getByRole("button").click();
    await page.getByRole("button", { name: "Change time or people" }).click();
    const form = page.getByRole("form", { name: "Change time or people" });
    // What cannot be checked is said, and does not prevent the change.
    await page.route(/dryRun/, (route) => route.fulfill({ json: {} }));
    await form.getByLabel("From").fill("10:30");
    expectEqual(await form.getByLabel("To").inputValue(), "12:30");
    await form.getByText("It could not be checked.").waitFor();
    expectEqual(await form.getByRole("button", { name: "Save" }).isEnabled(), true);
    await page.close();
  });

  await check("one who is free takes a session over: two clicks from its dialog", async () => {
    const met = { ...before, type: "session", publicId: "apt_met", technicianId: "usr_other" };
    const day = Temporal.PlainDate.from(TOMORROW).subtract({ days: 80 });
    await writeRecord(admin, SMALL_ORGANIZATION, {
      ...{ ...met, startTime: `${day}T09:00:00.000Z`, endTime: `${day}T10:00:00.000Z` },
    });
    const page = await opened();
    await slotOf(page).getByRole("button").click();
    await page.evaluate("clicks = 0");
    await page.getByRole("button", { name: "Who is free" }).click();
    const list = page.getByRole("list", { name: "Who is free" });
    await list.getByText("1 session with Leo in 90 days").waitFor();
    await list.getByRole("button", { name: "Bo Lind" }).click();
    await page.getByRole("dialog").getByText("Bo Lind takes the session over.").waitFor();
    expectEqual([(await stored()).technicianId, await clicksOn(page)], ["usr_other", 2]);
    await undo(page);
    await page.getByRole("dialog").getByText("Ana Ruiz").waitFor();
    expectEqual(await stored(), before);
    await page.close();
    await writeRecord(admin, SMALL_ORGANIZATION, {
      ...{ type: "session", publicId: met.publicId, deleted: true },
    });
  });

  await check("who has become busy since the list was read does not take it over", async () => {
    const page = await opened();
    await slotOf(page).getByRole("button").click();
    await page.getByRole("button", { name: "Who is free" }).click();
    const bo = page
      .getByRole("list", { name: "Who is free" })
      .getByRole("button", { name: "Bo Lind" });
    await bo.waitFor();
    const second = { type: "session", publicId: "apt_second" };
    const [start, end] = [`${TOMORROW}T10:30:00.000Z`, `${TOMORROW}T11:30:00.000Z`];
    await writeRecord(admin, SMALL_ORGANIZATION, {
      ...{ ...second, technicianId: "usr_other", startTime: start, endTime: end },
    });
    await bo.click();
    await page.getByText("Bo Lind has another session at this time by now.").waitFor();
    expectEqual(await stored(), before);
    await writeRecord(admin, SMALL_ORGANIZATION, {
      ...{ ...second, technicianId: "usr_technician" },
      ...{ startTime: `${TOMORROW}T13:00:00.000Z`, endTime: `${TOMORROW}T14:00:00.000Z` },
    });
    await page.close();
  });

  await check("a session of every week begins at an empty place of somebody's row", async () => {
    const page = await opened();
    const ofBo = async (): Promise<Session[]> =>
      (await read<{ data: Session[] }>(admin, "sessions?technicianId=usr_other")).data;
    // Other checks have imported some.
    const earlier = await ofBo();
    const row = page.getByRole("region", { name: "Bo Lind" }).locator(".clinic-slots");
    const width = (await row.boundingBox())?.width ?? 0;
    await row.click({ position: { x: width / 2, y: 10 } });
    const form = page.getByRole("form", { name: "New session" });
    await form.getByRole("combobox", { name: "Patient" }).pressSequentially("leo");
    await page.getByRole("option", { name: "Leo Park" }).waitFor();
    await page.keyboard.press("Enter");
    await form
      .getByLabel("What")
      .getByRole("option", { name: /^Therapy, .* left, A-1/ })
      .waitFor({
        state: "attached",
      });
    const until = String(Temporal.PlainDate.from(TOMORROW).add({ days: 14 }));
    await form.getByLabel("Repeat weekly until").fill(until);
    await form.getByText("3 sessions, the last on").waitFor();
    await expectAccessible(page);
    await form.getByRole("button", { name: "Book 3 sessions" }).click();
    await page.getByText("3 sessions booked (").waitFor();
    // One on the empty place, one on the button, and two in fields.
    if ((await clicksOn(page)) > 4) throw new Error(`${await clicksOn(page)} clicks`);
    const ids = new Set(earlier.map(({ publicId }) => publicId));
    const booked = (await ofBo()).filter(({ publicId }) => !ids.has(publicId));
    expectEqual(
      booked.map(({ startTime, title }) => [startTime, title]),
      [0, 7, 14].map((days) => [
        `${Temporal.PlainDate.from(TOMORROW).add({ days })}T13:00:00.000Z`,
        "Therapy",
      ]),
    );
    await undo(page);
    expectEqual(await ofBo(), earlier);
    await page.close();
  });

  await check("Enter waits for the answer to what is typed", async () => {
    const page = await opened();
    await page.getByRole("button", { name: "New session" }).click();
    const patient = page.getByRole("combobox", { name: "Patient" });
    await patient.pressSequentially("m");
    await page.getByRole("option", { name: "Mia Wu" }).waitFor();
    // Everybody who matches what was typed until here is still offered.
    await patient.fill("leo");
    await patient.press("Enter");
    await page
      .getByRole("option", { name: /^Therapy, .* left, A-1/ })
      .waitFor({ state: "attached" });
    expectEqual(await patient.inputValue(), "Leo Park");
    await patient.fill("nobody is called that");
    await patient.press("Enter");
    await page.getByText("No people found.").waitFor();
    expectEqual(await patient.inputValue(), "nobody is called that");
    await page.close();
  });

  await check("a time that may be a mistake is asked about first", async () => {
    const page = await opened(`#/schedule?whose=patient&person=usr_patient_1&date=${TOMORROW}`);
    await page.getByRole("button", { name: "New session" }).click();
    const form = page.getByRole("form", { name: "New session" });
    await form.getByLabel("From").fill("22:00");
    await form.getByLabel("To").fill("21:00");
    await form.getByRole("button", { name: "Book" }).click();
    await form.getByText("It ends at 9:00 PM on the next day, after 23 hours.").waitFor();
    await form.getByRole("button", { name: "Yes: book" }).waitFor();
    await form.getByLabel("To").fill("23:00");
    expectEqual(await form.getByRole("alert").count(), 0);
    await page.close();
  });

  await check("without an authorization in force, it says so and offers the services", async () => {
    const date = String(Temporal.PlainDate.from(TOMORROW).add({ days: 400 }));
    const page = await opened(`#/schedule?whose=patient&person=usr_patient_1&date=${date}`);
    await page.getByRole("button", { name: "New session" }).click();
    const form = page.getByRole("form", { name: "New session" });
    await form.getByText("No authorization is in force on").waitFor();
    const what = form.getByLabel("What").locator("option:checked");
    expectEqual(await what.innerText(), "Therapy, without an authorization");
    await page.close();
  });

  await check("what was declined in a week of the whole clinic is a list", async () => {
    const page = await opened(`${at}&as=week`);
    await page.getByRole("cell", { name: "Therapy of 1" }).first().waitFor();
    await page.locator("summary", { hasText: "Filter" }).click();
    await page.getByLabel("Status").selectOption({ label: "Cancelled or no-show" });
    await page.getByText("No session in this week is cancelled or no-show.").waitFor();
    await page.close();
  });

  await check("a printed day has the practice's name, and all texts", async () => {
    const page = await opened();
    await page.emulateMedia({ media: "print" });
    await page.getByText("Small Practice ·").waitFor();
    const cut = await page
      .locator(".slot")
      .evaluateAll(
        (slots) =>
          slots.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).length,
      );
    expectEqual(cut, 0);
    await page.close();
  });

  await check("the month's supervision says who is short, and leads to the week", async () => {
    const { adminKey } = practice;
    const { page } = await visit(browser, origin, { at: "#/supervision", key: adminKey });
    await page
      .getByText(/ to book by /)
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.locator("tbody").getByRole("link").first().click();
    await page.waitForURL(/schedule\?whose=technician&person=usr_/);
    await page.close();
  });
}
