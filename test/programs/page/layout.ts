import type { Browser, Page } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { BUSY_ORGANIZATION, LONG_NAME } from "./busy-practice.ts";
import { expectAccessible, keyOf, type Practice, read, settled, visit } from "./visit.ts";

/**
 * Where things are at the widths of a desk, a tablet and a phone. What is compared are boxes and how they lie to each
 * other, and not pixels, which differ with the fonts of a machine.
 */

const DESK = 1280;
const TABLET = 820;
const PHONE = 390;
/** The widths of A4 and Letter in portrait format, with margins of 14 mm. */
const PAPERS = [688, 710];

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

async function boxesOf(page: Page, selector: string): Promise<Box[]> {
  return page.locator(selector).evaluateAll((nodes) =>
    nodes
      .map((node) => node.getBoundingClientRect())
      .filter(({ width, height }) => width > 0 && height > 0)
      .map(({ x, y, width, height }) => ({ x, y, width, height })),
  );
}

/** The inner width of an element, in whole pixels. */
function widthOf(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate((node) => node.clientWidth);
}

/** Elements that exceed the page, or are cut off without a way to scroll. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll("body *")]
    .filter((node) => !node.closest(".scroller, .slot, .skip, [hidden], svg, thead"))
    .filter((node) => node.getClientRects().length > 0)
    .filter((node) => node.getBoundingClientRect().right > innerWidth + 1)
    .map((node) => node.tagName + "." + node.className)`);
}

/** Elements whose content is wider than they are; on paper one cannot scroll. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll(".scroller, main table")]
    .filter((node) => node.scrollWidth > node.clientWidth + 1)
    .map((node) => node.outerHTML.slice(0, 200))`);
}

/** Links and controls that are smaller than 24 by 24 pixels and not within a line of text: WCAG 2.2, 2.5.8. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll("button, input, select, .choices a, .button")]
    .filter((node) => !node.closest(".skip, .slot"))
    .map((node) => [node, node.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 0 && (width < 24 || height < 24))
    .map(([node]) => node.outerHTML)`);
}

const isAbove = (a: Box | undefined, b: Box | undefined): boolean =>
  a !== undefined && b !== undefined && a.y + a.height <= b.y + 1;

async function expectToFit(page: Page, width: number): Promise<void> {
  expectEqual(await page.evaluate("document.documentElement.scrollWidth"), width);
  expectEqual([await overflowing(page), await tooSmall(page), width], [[], [], width]);
  const [header] = await boxesOf(page, ".page-header");
  const [heading] = await boxesOf(page, "main h1");
  const [content] = await boxesOf(
    page,
    "main table, main .week, main .clinic, main .cards, main .panel, main .notice",
  );
  expectEqual([isAbove(header, heading), isAbove(heading, content)], [true, true]);
}

/** Presses Tab from the first link or control on, until it should have been at the last. */
async function expectReached(page: Page): Promise<void> {
  await page.evaluate(`
    reached = new Set();
    addEventListener("focusin", ({ target }) => reached.add(target));
    controls = () => [...document.querySelectorAll("a[href], button, summary, input, select, [tabindex='0']")]
      .filter((node) => !node.disabled && node.getClientRects().length > 0);
    controls()[0].focus();
  `);
  const controls = await page.evaluate<number>("controls().length");
  // A date has a stop for each of its parts.
  const dates = page.locator("input[type=date], input[type=month], input[type=time]");
  const presses = controls + 4 * (await dates.count());
  for (let press = 0; press < presses; press += 1) await page.keyboard.press("Tab");
  const missed = await page.evaluate<string[]>(
    "controls().filter((node) => !reached.has(node)).map((node) => node.outerHTML)",
  );
  expectEqual(missed, []);
}

/** Prints the page from a dark theme. */
async function expectPrinted(page: Page): Promise<void> {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const ink = await page.evaluate("getComputedStyle(document.querySelector('h1')).color");
  const controls = await boxesOf(
    page,
    "button:not(.link, .slot > *), input, select, .button, .page-header",
  );
  expectEqual([ink, controls], ["rgb(23, 38, 43)", []]);
  for (const width of PAPERS) {
    await page.setViewportSize({ width, height: 900 });
    expectEqual([await overflowing(page), await cutOff(page), width], [[], [], width]);
  }
}

export async function checkLayout(browser: Browser, practice: Practice): Promise<void> {
  const { origin, adminKey: key } = practice;
  interface Entry {
    publicId: string;
    patientId: string;
    unitFrequency: string;
  }
  const { data } = await read<{ data: Entry[] }>(
    practice,
    "authorization-utilization?pageSize=100",
  );
  const pool = data.find(({ publicId }) => publicId.startsWith("apool_"));
  const technician = "#/schedule?whose=technician&person=usr_technician_000001";
  const places = [
    "#/attention",
    "#/delivered",
    "#/utilization",
    "#/utilization?as=table&sort=endDate",
    `#/utilization/${pool?.publicId}`,
    "#/schedule",
    "#/schedule?day=2026-11-18&as=table",
    technician,
    `${technician}&as=table`,
    `#/utilization/${pool?.publicId}?as=table`,
    "#/people",
    "#/access",
    `#/people/${pool?.patientId}`,
  ];

  for (const at of places) {
    const { page } = await visit(browser, origin, { at, key, theme: "dark" });
    await settled(page);
    await check(`${at}: the Tab key reaches every link and control`, () => expectReached(page));
    await check(`${at} fits into every width, and its controls are large enough`, async () => {
      for (const width of [DESK, TABLET, PHONE]) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        await expectToFit(page, width);
      }
      // The narrowest: at that of a desk the other tests look.
      await expectAccessible(page);
    });
    await check(`${at}, printed, has no controls, and is light also in the dark theme`, () =>
      expectPrinted(page),
    );
    await page.close();
  }

  await check(
    "on a desktop, a subject is one row; on a phone, its bar has its own line",
    async () => {
      const cells = async (width: number): Promise<Box[]> => {
        const { page } = await visit(browser, origin, { at: "#/utilization", key, width });
        await settled(page);
        const boxes = await boxesOf(page, "tbody tr:first-child > *");
        await page.close();
        return boxes;
      };
      const desk = await cells(DESK);
      expectEqual([desk.length, new Set(desk.map(({ y }) => y)).size], [5, 1]);
      const [name, , bar] = await cells(PHONE);
      expectEqual([isAbove(name, bar), (bar?.width ?? 0) > PHONE * 0.8], [true, true]);
    },
  );

  await check(
    "on a desktop, the days of a week are side by side; on a phone, one below the other",
    async () => {
      const days = async (width: number): Promise<Box[]> => {
        const { page } = await visit(browser, origin, { at: technician, key, width });
        await settled(page);
        const boxes = await boxesOf(page, ".day");
        await page.close();
        return boxes;
      };
      const desk = await days(DESK);
      expectEqual([desk.length, new Set(desk.map(({ y }) => y)).size], [7, 1]);
      const widths = desk.map(({ width }) => Math.round(width / 3));
      expectEqual(new Set(widths).size, 1);
      const phone = await days(PHONE);
      expectEqual(
        phone.slice(1).every((day, index) => isAbove(phone[index], day)),
        true,
      );
    },
  );

  const total = data.find(({ unitFrequency }) => unitFrequency === "TOTAL");
  await check("labels below a chart do not touch at any width", async () => {
    for (const subject of [pool, total]) {
      const at = `#/utilization/${subject?.publicId}`;
      const { page } = await visit(browser, origin, { at, key });
      await settled(page);
      for (const width of [DESK, TABLET, PHONE]) {
        await page.setViewportSize({ width, height: 900 });
        await page
          .locator(`.chart[width="${await widthOf(page, ".scroller, .used-line")}"]`)
          .waitFor();
        const texts = await boxesOf(page, ".chart > text");
        const gaps = texts.slice(1).map(({ x }, index) => {
          const before = texts[index];
          return before === undefined ? 0 : x - before.x - before.width;
        });
        expectEqual([texts.length > 1, gaps.filter((gap) => gap < 6)], [true, []]);
      }
      await page.close();
    }
  });

  await check("a long name stays within the page, and its record is found", async () => {
    const busyKey = await keyOf(practice.folder, "ADMIN", BUSY_ORGANIZATION);
    for (const at of ["#/utilization", "#/people?role=PATIENT", "#/people/usr_busy_1"]) {
      const { page } = await visit(browser, origin, { at, key: busyKey });
      await page.getByText(LONG_NAME.lastName).first().waitFor();
      for (const width of [DESK, TABLET, PHONE]) {
        await page.setViewportSize({ width, height: 900 });
        expectEqual([await overflowing(page), at, width], [[], at, width]);
      }
      await page.close();
    }
  });

  await check("a chart is as wide as its panel at every width", async () => {
    for (const width of [DESK, TABLET, PHONE]) {
      const at = `#/utilization/${pool?.publicId}`;
      const { page } = await visit(browser, origin, { at, key, width });
      await settled(page);
      const [panel] = await boxesOf(page, ".panel");
      const [chart] = await boxesOf(page, ".scroller, .used-line");
      if (panel === undefined || chart === undefined) throw new Error("There is no chart");
      const margins = [chart.x - panel.x, panel.x + panel.width - chart.x - chart.width];
      if (margins.some((margin) => margin < 8 || margin > 30)) throw new Error(`${margins}`);
      await page.close();
    }
  });
}
