import type { Browser, Page } from "playwright-core";
import type { OverviewEntry, PageOf } from "../../../src/page/app/lib/base/wire.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { BUSY_ORGANIZATION, LIVE_AUTHORIZATIONS } from "./busy-practice.ts";
import { LATER, SMALL_ORGANIZATION } from "./small-practice.ts";
import {
  countPrinted,
  holdBack,
  keyOf,
  leave,
  type Practice,
  read,
  settled,
  visit,
} from "./visit.ts";

/** The view Utilization: every current authorization. */

const PATH = "authorization-utilization";

/** The ids of the listed subjects, in the order of the view. */
function listed(page: Page): Promise<string[]> {
  return page
    .locator("tbody .subject")
    .evaluateAll((links) =>
      links.map((link) => /utilization\/([^?]+)/.exec(String(link))?.[1] ?? ""),
    );
}

const idsOf = ({ data }: PageOf<OverviewEntry>): string[] => data.map(({ publicId }) => publicId);

export async function checkUtilization(browser: Browser, practice: Practice): Promise<void> {
  const { origin, adminKey: key } = practice;
  const ask = (query: string): Promise<PageOf<OverviewEntry>> =>
    read<PageOf<OverviewEntry>>(practice, `${PATH}${query}`);
  const at = "#/utilization";

  await check("every current authorization is listed, highest share first", async () => {
    const { page } = await visit(browser, origin, { at, key });
    const expected = await ask("");
    expectEqual(await listed(page), idsOf(expected));
    const total = `1–25 of ${expected.pagination.totalCount}`;
    await page.getByText(total).first().waitFor();
    await leave(page);
  });

  await check(
    "an authorization that ends soon shows the days left, in a time zone of any name",
    async () => {
      // Browsers use other names for most of these zones.
      for (const zone of ["US/Eastern", "EST", "GMT", "CET", "Etc/UTC", "Asia/Kolkata"]) {
        const place = `${at}?sort=endDate&timezone=${zone}`;
        const { page } = await visit(browser, origin, { at: place, key });
        const { data } = await ask(`?sort=endDate&timezone=${zone}`);
        const today = Temporal.Now.plainDateISO(zone);
        const expected = data
          .map(({ endDate }) => today.until(endDate, { largestUnit: "days" }).days)
          .filter((days) => days <= 30)
          .map((days) => (days === 0 ? "last day" : days === 1 ? "in 1 day" : `in ${days} days`));
        expectEqual([zone, await page.locator(".soon").allInnerTexts()], [zone, expected]);
        await leave(page);
      }
    },
  );

  await check("a row whose future periods are over their limit shows from when on", async () => {
    const small = await keyOf(practice.folder, "ADMIN", SMALL_ORGANIZATION);
    const { page } = await visit(browser, origin, { at, key: small });
    const row = page.getByRole("row").filter({ hasText: "A-2" });
    const day = new Intl.DateTimeFormat("en-US", {
      month: "short",
      day: "numeric",
      timeZone: "UTC",
    });
    await row.getByText(`over from ${day.format(Date.parse(LATER))}`).waitFor();
    expectEqual(await page.getByText("over from").count(), 1);
    await leave(page);
  });

  await check("the row of a pool shows its services", async () => {
    const { page } = await visit(browser, origin, { at: `${at}?as=table`, key });
    const rows = page.getByRole("row").filter({ hasText: "Shared pool" });
    await rows
      .first()
      .getByText(/Shared pool · .+ \(\d{5}\)/)
      .waitFor();
    await leave(page);
  });

  await check(
    "printing shows all pages of the list, and the view then returns to its page",
    async () => {
      const { page } = await visit(browser, origin, { at: `${at}?as=table`, key });
      const { totalCount } = (await ask("")).pagination;
      const printed = await countPrinted(page, "Print", "tbody tr");
      expectEqual(printed, totalCount);
      await page.locator("tbody tr").nth(25).waitFor({ state: "detached" });
      await page.close();
    },
  );

  await check(
    "the length of a bar is the delivered and booked share of the authorized units",
    async () => {
      const { page } = await visit(browser, origin, { at, key });
      const { data } = await ask("");
      for (const [index, { unitsAuthorized, unitsOpen, period }] of data.entries()) {
        const length = Math.max(unitsAuthorized ?? 0, period.unitsUtilized + unitsOpen);
        const parts = await page
          .locator("tbody .bar")
          .nth(index)
          .evaluate((bar) => [
            ...[...bar.children].slice(0, 2).map((part) => part.getBoundingClientRect().width),
            bar.getBoundingClientRect().width,
          ]);
        const [used = 0, open = 0, whole = 1] = parts;
        const beyond = Math.max(
          period.unitsUtilized + unitsOpen - (unitsAuthorized ?? Infinity),
          0,
        );
        const expected =
          length === 0
            ? 0
            : (length -
                beyond -
                Math.max((unitsAuthorized ?? length) - period.unitsUtilized - unitsOpen, 0)) /
              length;
        if (Math.abs((used + open) / whole - expected) > 0.01)
          throw new Error(`Bar ${index}: ${used} + ${open} of ${whole}, and not ${expected}`);
      }
      await leave(page);
    },
  );

  await check("the column headers sort the list, and the URL contains the order", async () => {
    const { page } = await visit(browser, origin, { at, key });
    await page.getByRole("link", { name: "Ends" }).click();
    await page.waitForURL(/sort=endDate/);
    await settled(page);
    expectEqual(await listed(page), idsOf(await ask("?sort=endDate")));
    const head = page.getByRole("columnheader", { name: "Ends" });
    expectEqual(await head.getAttribute("aria-sort"), "ascending");
    await page.getByRole("link", { name: "Ends" }).click();
    await page.waitForURL(/sort=-endDate/);
    await settled(page);
    expectEqual(await listed(page), idsOf(await ask("?sort=-endDate")));
    await leave(page);
  });

  await check(
    "the list can be filtered by share, day and patient, and no URL contains the name",
    async () => {
      const { page } = await visit(browser, origin, { at, key });
      await page.getByRole("link", { name: "Nearly used" }).click();
      await page.waitForURL(/minShare=0.8/);
      await settled(page);
      expectEqual(await listed(page), idsOf(await ask("?minShare=0.8&maxShare=1")));
      await page.getByRole("link", { name: "All", exact: true }).click();
      await page.locator("summary", { hasText: "Filter" }).click();
      await page.getByLabel("Day").fill("2026-06-01");
      await page.waitForURL(/date=2026-06-01/);
      await settled(page);
      expectEqual(await listed(page), idsOf(await ask("?date=2026-06-01")));
      await page.goto(`${origin}/${at}`);
      const [entry] = (await ask("")).data;
      const name = `${entry?.patientFirstName} ${entry?.patientLastName}`;
      await page.getByRole("combobox", { name: "Patient" }).fill(name);
      await page.getByRole("option", { name }).click();
      await page.waitForURL(`${origin}/#/utilization?patientId=${entry?.patientId}`);
      await settled(page);
      expectEqual(await listed(page), idsOf(await ask(`?patientId=${entry?.patientId}`)));
      // An empty field is nobody.
      await page.getByRole("combobox", { name: "Patient" }).fill("");
      await page.keyboard.press("Tab");
      await page.waitForURL(`${origin}/${at}`);
      await leave(page);
    },
  );

  await check("the table has the numbers of the bars", async () => {
    const { page } = await visit(browser, origin, { at: `${at}?as=table`, key });
    const { data } = await ask("");
    const used = await page.locator("tbody td:nth-child(4)").allInnerTexts();
    expectEqual(
      used.map((text) => Number(text.replace(",", ""))),
      data.map((entry) => entry.period.unitsUtilized),
    );
    const open = await page.locator("tbody td:nth-child(5)").allInnerTexts();
    expectEqual(
      open.map((text) => Number(text.replace(",", ""))),
      data.map((entry) => entry.unitsOpen),
    );
    await leave(page);
  });

  await check("the pages contain all of 400 current authorizations, each once", async () => {
    const busyKey = await keyOf(practice.folder, "BILLING_MANAGER", BUSY_ORGANIZATION);
    const { page } = await visit(browser, origin, { at, key: busyKey });
    const seen = new Set(await listed(page));
    for (let shown = seen.size; shown < LIVE_AUTHORIZATIONS; shown += 25) {
      await page.getByRole("link", { name: "Next" }).first().click();
      await page
        .getByText(`${shown + 1}–`)
        .first()
        .waitFor();
      await settled(page);
      for (const id of await listed(page)) seen.add(id);
    }
    expectEqual(seen.size, LIVE_AUTHORIZATIONS);
    expectEqual(await page.getByRole("link", { name: "Next" }).count(), 0);
    // Another filter begins at its first page.
    await page.getByRole("link", { name: "Under half" }).click();
    await page.waitForURL(`${origin}/${at}?maxShare=0.5`);
    await leave(page);
  });

  await check("a filter without results shows a message and a link to the whole list", async () => {
    const { page } = await visit(browser, origin, { at: `${at}?minShare=99`, key });
    await page.getByText("No authorization is current on this day, or none matches").waitFor();
    await page.getByRole("link", { name: "Show all" }).click();
    await page.locator("tbody tr").first().waitFor();
    await leave(page);
  });

  await check("a slow response shows a message that it is loading", async () => {
    const { page } = await visit(browser, origin, { at });
    const release = await holdBack(page, /authorization-utilization/);
    await page.getByLabel("API key").fill(key);
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "Loading…" }).waitFor();
    release();
    await page.locator("tbody tr").first().waitFor();
    await page.close();
  });

  for (const [what, query, sentence] of [
    ["a day that is no date", "date=2026-02-30", /date: .+\s+Request [0-9a-f-]{36}/],
    ["a zone that does not exist", "timezone=Mars/Olympus", /timezone: .+\s+Request [0-9a-f-]{36}/],
    ["a page that is no number", "page=x", /page: .+\s+Request [0-9a-f-]{36}/],
    ["an order that there is not", "sort=name", /sort: .+\s+Request [0-9a-f-]{36}/],
  ] as const)
    await check(`${what} in the URL shows the message of the API`, async () => {
      const { page } = await visit(browser, origin, { at: `${at}?${query}`, key });
      const alert = page.getByRole("alert");
      await alert.waitFor();
      const text = await alert.innerText();
      if (!sentence.test(text)) throw new Error(text);
      await leave(page);
    });

  await check("an unreachable server is reported, and asked again until it responds", async () => {
    const { page } = await visit(browser, origin, { at, key });
    await practice.stop();
    await page.getByRole("link", { name: "Ends" }).click();
    await page.getByText("The server cannot be reached.").waitFor();
    await practice.start();
    await page.locator("tbody tr").first().waitFor();
    expectEqual(await listed(page), idsOf(await ask("?sort=endDate")));
    await page.close();
  });
}
