import type { Browser } from "playwright-core";
import type { Session } from "../../../src/page/app/lib/base/wire.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { BUSY_ORGANIZATION } from "./busy-practice.ts";
import { keyOf, leave, type Practice, read, settled, visit } from "./visit.ts";

/** The view Schedule: a day of the clinic, or a week of one clinician, technician or patient. */

export async function checkSchedule(browser: Browser, practice: Practice): Promise<void> {
  const { origin, adminKey: key } = practice;

  /** The first week with sessions of a technician. */
  const technician = "usr_technician_000001";
  const { data: sessions } = await read<{ data: Session[] }>(
    practice,
    `sessions?technicianId=${technician}&pageSize=100`,
  );
  const newYorkDay = new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York" });
  const dayOf = ({ startTime }: Session): string => newYorkDay.format(Date.parse(startTime));
  const [first] = sessions;
  const sunday = new Date(dayOf(first as Session));
  sunday.setUTCDate(sunday.getUTCDate() + 7 - sunday.getUTCDay());
  const week = sunday.toISOString().slice(0, 10);
  sunday.setUTCDate(sunday.getUTCDate() + 7);
  const end = sunday.toISOString().slice(0, 10);
  const expected = sessions.filter((session) => dayOf(session) >= week && dayOf(session) < end);
  const at = `#/schedule?whose=technician&person=${technician}&date=${week}`;

  await check(
    "a week shows the sessions that start in it, in the practice's time zone, whatever the browser's",
    async () => {
      const { page } = await visit(browser, origin, { at, key, timezone: "Asia/Tokyo" });
      await page.getByText("· Eastern Time").waitFor();
      expectEqual(await page.getByText("Eastern Time").count(), 1);
      const shown = await page
        .locator(".slot time")
        .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("datetime")));
      expectEqual(shown.toSorted(), expected.map(({ startTime }) => startTime).toSorted());
      await leave(page);
    },
  );

  await check("the table has the same sessions", async () => {
    const { page } = await visit(browser, origin, { at: `${at}&as=table`, key });
    expectEqual(
      await page.locator("tbody tr td:nth-child(2)").allInnerTexts(),
      expected.map(({ title }) => title),
    );
    await leave(page);
  });

  await check("choices that could not be read are asked for again", async () => {
    const { page } = await visit(browser, origin, { at, key });
    await page.route(/\/locations\?/, (route) => route.abort(), { times: 1 });
    await page.locator("summary", { hasText: "Filter" }).click();
    const locations = page.getByLabel("Location", { exact: true }).getByRole("option");
    await locations.nth(1).waitFor({ state: "attached" });
    await page.close();
  });

  await check("an invalid date in the URL shows a message", async () => {
    const { page } = await visit(browser, origin, { at: at.replace(week, "2026-02-30"), key });
    await page.getByText("“2026-02-30” is not a date").waitFor();
    await leave(page);
  });

  await check(
    "a clinician can be chosen from a list, and a week without sessions shows a message",
    async () => {
      const { page } = await visit(browser, origin, {
        at: "#/schedule?whose=clinician&date=2020-01-08",
        key,
      });
      await page.getByText("Choose whose week to show.").waitFor();
      await page.getByLabel("Clinician", { exact: true }).selectOption({ index: 1 });
      await page.getByText("No session starts in this week.").waitFor();
      await page.getByRole("link", { name: "The week after" }).click();
      await page.waitForURL(/date=2020-01-15/);
      await leave(page);
    },
  );

  interface Slot {
    technicianId: string | null;
    clinicianId?: string | null;
    isSupervision: boolean;
  }
  /** Both of a supervision; else the technician, or the clinician where there is none. */
  const presentAt = ({ technicianId, clinicianId = null, isSupervision }: Slot) =>
    (isSupervision ? [clinicianId, technicianId] : [technicianId ?? clinicianId]).filter(
      (id) => id !== null,
    );

  await check(
    "the day view has a row for each active provider, with all who are present",
    async () => {
      const day = dayOf(expected[0] as Session);
      const { page } = await visit(browser, origin, { at: `#/schedule?date=${day}`, key });
      const next = Temporal.PlainDate.from(day).add({ days: 1 });
      const { data } = await read<{ data: (Session & Slot)[] }>(
        practice,
        `sessions?startDate=${day}&endDate=${next}&pageSize=100`,
      );
      const ofDay = data.filter((session) => dayOf(session) === day);
      const rows = page.locator(".clinic-row h2");
      await rows
        .first()
        .getByText(/^\p{L}+ \p{L}+/u)
        .waitFor();
      const staff = await Promise.all(
        ["TECHNICIAN", "CLINICIAN", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"].map((role) =>
          read<{ data: { publicId: string }[] }>(
            practice,
            `users?role=${role}&isActive=true&pageSize=100`,
          ),
        ),
      );
      const active = staff.flatMap((list) => list.data.map(({ publicId }) => publicId));
      const all = new Set([...active, ...ofDay.flatMap(presentAt)]);
      expectEqual(await rows.count(), all.size);
      expectEqual(
        await page.locator(".slot").count(),
        ofDay.map((session) => Math.max(1, presentAt(session).length)).reduce((a, b) => a + b),
      );
      const names = await rows.allInnerTexts();
      expectEqual(
        names,
        names.toSorted((a, b) => a.localeCompare(b, "en")),
      );
      await rows.first().getByRole("link").click();
      await page.waitForURL(/whose=(technician|clinician)&person=usr_/);
      await leave(page);
    },
  );

  await check("a user's key opens that person's week", async () => {
    const own = await keyOf(practice.folder, "TECHNICIAN", "org_maple", { user: technician });
    const { page } = await visit(browser, origin, { key: own });
    await page.waitForURL(new RegExp(`schedule\\?whose=technician&person=${technician}`));
    await page.close();
  });

  await check("weeks begin on the practice's first day of the week", async () => {
    const busy = await keyOf(practice.folder, "ADMIN", BUSY_ORGANIZATION);
    const place = "#/schedule?whose=patient&person=usr_busy_2&date=2026-11-18";
    const { page } = await visit(browser, origin, { at: place, key: busy });
    await page.getByText("Nov 16 – 22 · Central Time").waitFor();
    await leave(page);
  });

  await check("double bookings are marked and counted", async () => {
    const busy = await keyOf(practice.folder, "ADMIN", BUSY_ORGANIZATION);
    const { page } = await visit(browser, origin, { at: "#/schedule?date=2026-11-18", key: busy });
    await page.getByText("2 sessions are double-booked").waitFor();
    expectEqual(await page.locator(".slot.double").count(), 2);
    expectEqual(await page.locator(".slot").count(), 3);
    await leave(page);
  });

  await check("the search for a patient works while typing, by keyboard only", async () => {
    const { page } = await visit(browser, origin, { at: "#/schedule?whose=patient", key });
    await page.getByRole("combobox", { name: "Patient" }).pressSequentially("lucy car");
    await page.getByRole("option", { name: "Lucy Carver" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/person=usr_patient_000012/);
    await settled(page);
    expectEqual(await page.getByRole("combobox", { name: "Patient" }).inputValue(), "Lucy Carver");
    await leave(page);
  });

  await check("an unknown id, or one of another organization, has no sessions", async () => {
    const { page } = await visit(browser, origin, {
      at: at.replace(technician, "usr_elsewhere"),
      key,
    });
    await page.getByText("No session starts in this week.").waitFor();
    await leave(page);
  });
}
