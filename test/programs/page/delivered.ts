import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import type { ChecksReport, DeliveryReport } from "../../../src/page/app/lib/base/wire.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { LATER, SMALL_ORGANIZATION } from "./small-practice.ts";
import { goTo, keyOf, leave, type Practice, read, settled, visit } from "./visit.ts";

/** The view Delivered: a month of sessions and units by payor. */

export async function checkDelivered(browser: Browser, practice: Practice): Promise<void> {
  const { origin, adminKey: key } = practice;
  const at = "#/delivered";
  const month = Temporal.Now.plainDateISO("America/New_York")
    .toPlainYearMonth()
    .subtract({ months: 1 });
  const days = `startDate=${month}-01&endDate=${month}-${month.daysInMonth}`;
  const report = await read<DeliveryReport>(practice, `delivery?${days}&pageSize=100`);

  await check("the view begins with last month, and its totals cover all pages", async () => {
    const { page } = await visit(browser, origin, { at, key });
    expectEqual(await page.getByLabel("Month").inputValue(), String(month));
    const number = (value: number) => value.toLocaleString("en-US");
    const sum = (field: "hoursDelivered" | "visits") =>
      number(Math.round(report.byPayor.reduce((all, payor) => all + payor[field], 0) * 100) / 100);
    const { encounters, unitsDelivered, unitsOutside } = report.totals;
    expectEqual(await page.locator("tfoot td").allInnerTexts(), [
      ...[encounters, unitsDelivered, unitsOutside].map(number),
      ...[number(encounters), sum("hoursDelivered"), sum("visits")],
    ]);
    const payors = page.getByRole("region", { name: "By payor" }).locator("tbody tr");
    expectEqual(await payors.count(), report.byPayor.length);
    await page.getByText(`1–25 of ${report.pagination.totalCount}`).first().waitFor();
    await leave(page);
  });

  await check(
    "a month's end: what is to be mended is one line, one click from its findings",
    async () => {
      const names = {
        NOT_DOCUMENTED: "not documented",
        OUTSIDE_AUTHORIZATION: "outside",
        OVER_AUTHORIZED: "over",
      };
      const { totals } = await read<ChecksReport>(practice, `checks?${days}&pageSize=1`);
      const counts = Object.entries(names).map(
        ([name, text]) =>
          `${(totals[name as keyof typeof names] ?? 0).toLocaleString("en-US")} ${text}`,
      );
      const { page } = await visit(browser, origin, { at, key });
      const line = page.locator(".month-end");
      const monthName = new Date(`${month}-01`).toLocaleString("en-US", {
        month: "long",
        timeZone: "UTC",
      });
      expectEqual(
        (await line.innerText()).replace(/ \d{4}:/, ":"),
        `${monthName}: ${counts.join(", ")}`,
      );
      const way = line.getByRole("link").first();
      const text = await way.innerText();
      await way.click();
      await settled(page);
      await page.getByRole("heading", { level: 1, name: "Attention" }).waitFor();
      const [chosen = ""] = await page.locator(".kinds [aria-current] strong").allInnerTexts();
      expectEqual(text.startsWith(`${chosen} `), true);
      expectEqual(
        await page.getByLabel("Days").locator("option:checked").innerText(),
        "Last month",
      );
      await leave(page);
    },
  );

  await check("an ended authorization is marked as ended", async () => {
    const small = await keyOf(practice.folder, "ADMIN", SMALL_ORGANIZATION);
    const place = `${at}?month=${LATER.slice(0, 7)}`;
    const { page } = await visit(browser, origin, { at: place, key: small });
    const row = page.getByRole("row").filter({ hasText: "A-3" });
    await row.getByText(/^ended /).waitFor();
    expectEqual(await page.getByText(/^ended /).count(), 1);
    await leave(page);
  });

  await check("payor and month can be chosen, and are in the URL", async () => {
    const { page } = await visit(browser, origin, { at, key });
    const payorId = report.data.find((entry) => entry.payorId !== null)?.payorId ?? "";
    // What is to be mended is that of the payor, too.
    const found = page.waitForRequest(new RegExp(`/checks\\?.*payorId=${payorId}`));
    await page.getByLabel("Payor", { exact: true }).selectOption(payorId);
    await found;
    await page.waitForURL(new RegExp(`payorId=${payorId}`));
    await settled(page);
    const expected = await read<DeliveryReport>(practice, `delivery?${days}&payorId=${payorId}`);
    await page.locator(".lead", { hasText: `${expected.pagination.totalCount}` }).waitFor();
    // What is chosen stays chosen where the list does not have it.
    const other = "pay_elsewhere";
    await goTo(page, `${at}?payorId=${other}`);
    expectEqual(await page.getByLabel("Payor", { exact: true }).inputValue(), other);
    await goTo(page, `${at}?month=2001-02`);
    expectEqual(await page.getByLabel("Month").inputValue(), "2001-02");
    await page.getByText("Nothing was booked or delivered in this month.").waitFor();
    await leave(page);
  });

  await check("the CSV has a row for every authorization of all pages", async () => {
    const { page, observed } = await visit(browser, origin, { at, key });
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    const download = await saving;
    expectEqual(download.suggestedFilename(), `delivered-${month}.csv`);
    const rows = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n");
    expectEqual(rows.length, report.pagination.totalCount + 1);
    const units = rows.slice(1).map((row) => Number(row.split(",").at(-3)));
    expectEqual(
      units.reduce((sum, each) => sum + each, 0),
      report.totals.unitsDelivered,
    );
    expectEqual(observed.complaints, []);
    await leave(page);
  });
}
