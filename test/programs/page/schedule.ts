import type { Browser } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { expectAccessible, type Practice, read, settled, visit } from "./visit.ts";

/** Schedule: a week of one clinician, technician or patient. */

interface Session {
  title: string;
  startTime: string;
}

export async function checkSchedule(browser: Browser, practice: Practice): Promise<void> {
  const { origin, adminKey: key, patientKey } = practice;

  /** The first seven days, from a Sunday on, of a technician with sessions. */
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
  const at = `#/schedule?whose=technician&person=${technician}&week=${week}&timezone=America/New_York`;

  await check("a week shows the sessions that start in it, in the zone that is shown", async () => {
    const { page } = await visit(browser, origin, { at, key });
    await settled(page);
    await page.getByText("times in America/New_York").waitFor();
    const shown = await page
      .locator(".slot time")
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("datetime")));
    expectEqual(shown.toSorted(), expected.map(({ startTime }) => startTime).toSorted());
    await page.close();
  });

  await check("the table has the same sessions", async () => {
    const { page } = await visit(browser, origin, { at: `${at}&as=table`, key });
    await settled(page);
    expectEqual(
      await page.locator("tbody tr td:nth-child(4)").allInnerTexts(),
      expected.map(({ title }) => title),
    );
    await page.close();
  });

  await check("another zone shows the same instants at other times", async () => {
    const { page } = await visit(browser, origin, { at: `${at}&as=table`, key });
    await settled(page);
    const before = await page.locator("tbody tr").first().innerText();
    await page.getByLabel("Time zone").fill("America/Los_Angeles");
    await page.keyboard.press("Enter");
    await page.getByText("times in America/Los_Angeles").waitFor();
    await settled(page);
    const after = await page.locator("tbody tr").first().innerText();
    if (before === after) throw new Error(`Both are ${after}`);
    await page.close();
  });

  await check("a zone that does not exist is said to be none", async () => {
    const { page } = await visit(browser, origin, {
      at: at.replace("America/New_York", "Mars/Olympus"),
      key,
    });
    await page.getByText("There is no time zone “Mars/Olympus”").waitFor();
    await page.close();
  });

  await check("a week that is no date is said to be none", async () => {
    const { page } = await visit(browser, origin, { at: at.replace(week, "2026-02-30"), key });
    await page.getByText("“2026-02-30” is no date").waitFor();
    await page.close();
  });

  await check(
    "a clinician is chosen from a list, and a week without sessions says so",
    async () => {
      const { page } = await visit(browser, origin, { at: "#/schedule?week=2020-01-05", key });
      await page.getByText("Choose whose week to show.").waitFor();
      await page.getByLabel("Clinician", { exact: true }).selectOption({ index: 1 });
      await page.getByText("No session starts in this week.").waitFor();
      await page.getByRole("link", { name: "The week after" }).click();
      await page.waitForURL(/week=2020-01-12/);
      await page.close();
    },
  );

  await check("a patient is found as one types, by keyboard alone", async () => {
    const { page } = await visit(browser, origin, { at: "#/schedule?whose=patient", key });
    await page.getByRole("combobox", { name: "Patient" }).pressSequentially("lucy car");
    await page.getByRole("option", { name: "Lucy Carver" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/person=usr_patient_000012/);
    await settled(page);
    expectEqual(await page.getByRole("combobox", { name: "Patient" }).inputValue(), "Lucy Carver");
    await page.close();
  });

  await check("an id that is unknown, or another organization's, has no sessions", async () => {
    const { page } = await visit(browser, origin, {
      at: at.replace(technician, "usr_elsewhere"),
      key,
    });
    await page.getByText("No session starts in this week.").waitFor();
    await page.close();
  });

  await check("a key without rights reads why", async () => {
    const { page } = await visit(browser, origin, { at, key: patientKey });
    await page.getByText("The role of this key may not see this. Access denied").waitFor();
    await page.close();
  });

  for (const theme of ["light", "dark"] as const)
    for (const form of ["week", "table"])
      await check(`a ${form} has no violation by axe-core (${theme})`, async () => {
        const place = form === "table" ? `${at}&as=table` : at;
        const { page, observed } = await visit(browser, origin, { at: place, theme, key });
        await settled(page);
        await expectAccessible(page);
        expectEqual([observed.outside, observed.complaints], [[], []]);
        await page.close();
      });
}
