import type { Browser } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { boxesOf, DESK, isAbove, PHONE, TABLET } from "./boxes.ts";
import { goTo, type Practice, read, settled, visit, WEDNESDAY } from "./visit.ts";

/** Where the parts of some views are at each width. */

export async function checkLayout(browser: Browser, practice: Practice): Promise<void> {
  const { origin, adminKey: key } = practice;
  const { data } = await read<{ data: { publicId: string; unitFrequency: string }[] }>(
    practice,
    "authorization-utilization?pageSize=100",
  );
  const { page } = await visit(browser, origin, { at: "#/utilization", key });
  const resize = async (width: number): Promise<void> => {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
  };

  await check(
    "on a desktop, a subject is one row; on a phone, its bar has its own line",
    async () => {
      await settled(page);
      const cells = () => boxesOf(page, "tbody tr:first-child > *");
      const desk = await cells();
      expectEqual([desk.length, new Set(desk.map(({ y }) => y)).size], [5, 1]);
      await resize(PHONE);
      const [name, , bar] = await cells();
      expectEqual([isAbove(name, bar), (bar?.width ?? 0) > PHONE * 0.8], [true, true]);
    },
  );

  await check(
    "on a desktop, the days of a week are side by side; on a phone, one below the other",
    async () => {
      await goTo(page, "#/schedule?whose=technician&person=usr_technician_000001");
      await resize(DESK);
      const desk = await boxesOf(page, ".day");
      expectEqual([desk.length, new Set(desk.map(({ y }) => y)).size], [7, 1]);
      const widths = desk.map(({ width }) => Math.round(width / 3));
      expectEqual(new Set(widths).size, 1);
      await resize(PHONE);
      const phone = await boxesOf(page, ".day");
      expectEqual(
        phone.slice(1).every((day, index) => isAbove(phone[index], day)),
        true,
      );
    },
  );

  await check(
    "half an hour has room for its text at every width: a tablet scrolls along the hours beside the names",
    async () => {
      const shorts = () => boxesOf(page, ".clinic .slot.short");
      const fontOf = (slot: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector("${slot}")).fontSize`);
      await goTo(page, `#/schedule?date=${WEDNESDAY}`);
      for (const width of [DESK, TABLET]) {
        await resize(width);
        const widths = (await shorts()).map((slot) => slot.width);
        expectEqual([widths.length > 0, widths.filter((each) => each < 40)], [true, []]);
      }
      const before = await boxesOf(page, ".clinic-row h2");
      await page.locator(".clinic").evaluate((node) => node.scrollTo(200, 0));
      expectEqual(await boxesOf(page, ".clinic-row h2"), before);
      expectEqual(await page.locator(".clinic").evaluate((node) => node.scrollLeft), 200);
      await resize(PHONE);
      expectEqual(await fontOf(".clinic .slot.short"), await fontOf(".clinic .slot:not(.short)"));
    },
  );

  await check(
    "a chart is as wide as its panel at every width, and its labels do not touch",
    async () => {
      const pool = data.find(({ publicId }) => publicId.startsWith("apool_"));
      const total = data.find(({ unitFrequency }) => unitFrequency === "TOTAL");
      for (const subject of [pool, total]) {
        await goTo(page, `#/utilization/${subject?.publicId}`);
        for (const width of [DESK, TABLET, PHONE]) {
          await resize(width);
          const frame = page.locator(".scroller, .used-line");
          const inner = await frame.evaluate((node) => node.clientWidth);
          await page.locator(`.chart[width="${inner}"]`).waitFor();
          const texts = await boxesOf(page, ".chart > text");
          const gaps = texts.slice(1).map(({ x }, index) => {
            const before = texts[index];
            return before === undefined ? 0 : x - before.x - before.width;
          });
          expectEqual([texts.length > 1, gaps.filter((gap) => gap < 6)], [true, []]);
          const [panel] = await boxesOf(page, ".panel");
          const [chart] = await boxesOf(page, ".scroller, .used-line");
          if (panel === undefined || chart === undefined) throw new Error("There is no chart");
          const margins = [chart.x - panel.x, panel.x + panel.width - chart.x - chart.width];
          if (margins.some((margin) => margin < 8 || margin > 30)) throw new Error(`${margins}`);
        }
      }
    },
  );
  await page.close();
}
