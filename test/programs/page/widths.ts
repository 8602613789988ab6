import type { Browser } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { launchBrowser } from "../../support/browser.ts";
import { boxesOf, overflowing, PHONE } from "./boxes.ts";
import { importLongNames, LONG_ORGANIZATION } from "./long-names.ts";
import { goTo, keyOf, type Practice, settled, visit } from "./visit.ts";

/** Every view at every width: nothing scrolls sideways, and one sees where one is. */

const WIDTHS = [320, 390, 721, 800, 961, 1024, 1130, 1184, 1280, 1440, 1920];

const VIEWS = [
  ...["attention", "schedule", "schedule?as=table", "schedule?as=week", "utilization"],
  ...["utilization/auth_1", "utilization?as=table", "delivered", "supervision", "people"],
  ...["people/usr_patient", "people/usr_technician", "leads", "changes", "import", "access"],
  ...["practice", "goals", "goals/goal_1"],
];

/** One of each form: a list, a day, bars, facts and a chart. */
const VIEWS_OF_LARGE_TEXT = [
  ...[
    "attention",
    "schedule",
    "utilization",
    "utilization/auth_1",
    "people/usr_patient",
    "billing",
  ],
];

/** All places of an administrator. */
const PLACES = [
  ...["attention", "schedule", "people", "billing", "utilization", "delivered", "supervision"],
  ...["leads", "changes", "done", "import", "practice", "access"],
];

/** Those whose work is a list. */
const LISTS = [
  "attention",
  "schedule",
  "utilization",
  "delivered",
  "supervision",
  "people",
  "leads",
];

export async function checkWidths(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder, adminKey } = practice;
  await importLongNames(folder);
  const key = await keyOf(folder, "ADMIN", LONG_ORGANIZATION, { user: "usr_admin" });
  const { page } = await visit(browser, origin, { at: "#/attention", key });
  const resize = async (width: number, height = 900): Promise<void> => {
    await page.setViewportSize({ width, height });
    await settled(page);
  };

  for (const view of VIEWS)
    await check(`with names of 200 letters, ${view} fits into every width`, async () => {
      await goTo(page, `#/${view}`);
      for (const width of WIDTHS) {
        await resize(width);
        const shown = await page.evaluate("document.documentElement.scrollWidth");
        expectEqual([width, shown, await overflowing(page)], [width, width, []]);
      }
    });

  await check("and with text twice as large", async () => {
    const browserOfReader = await launchBrowser(["--blink-settings=defaultFontSize=32"]);
    try {
      const large = (await visit(browserOfReader, origin, { at: "#/attention", key })).page;
      expectEqual(
        await large.evaluate("getComputedStyle(document.documentElement).fontSize"),
        "32px",
      );
      for (const view of VIEWS_OF_LARGE_TEXT) {
        await goTo(large, `#/${view}`);
        for (const width of [390, 1280]) {
          await large.setViewportSize({ width, height: 900 });
          await settled(large);
          const shown = await large.evaluate("document.documentElement.scrollWidth");
          expectEqual([view, width, shown, await overflowing(large)], [view, width, width, []]);
        }
      }
    } finally {
      await browserOfReader.close();
    }
  });

  await check("one's own day fits into every width", async () => {
    const technician = await keyOf(folder, "TECHNICIAN", LONG_ORGANIZATION, {
      user: "usr_technician",
    });
    const own = await visit(browser, origin, { at: "#/today", key: technician });
    for (const width of WIDTHS) {
      await own.page.setViewportSize({ width, height: 900 });
      await settled(own.page);
      expectEqual(await own.page.evaluate("document.documentElement.scrollWidth"), width);
    }
    await own.page.close();
  });

  await page.close();

  const demo = await visit(browser, origin, { at: "#/attention", key: adminKey });
  await check("the list, which is the work, begins in the upper half of a laptop", async () => {
    await demo.page.setViewportSize({ width: 1280, height: 800 });
    for (const view of LISTS) {
      await goTo(demo.page, `#/${view}`);
      const [list] = await boxesOf(demo.page, "main :is(table, .causes, .clinic)");
      expectEqual([view, (list?.y ?? 800) < 400], [view, true]);
    }
  });

  await check("on a phone, no choice stands alone in its row", async () => {
    await goTo(demo.page, "#/billing");
    await demo.page.setViewportSize({ width: PHONE, height: 900 });
    await settled(demo.page);
    const states = await boxesOf(demo.page, "[aria-label=States] > *");
    expectEqual(
      [...Map.groupBy(states, ({ y }) => y).values()].map(({ length }) => length),
      [3, 2],
    );
  });

  await check("the current place is marked once among what is seen, at every width", async () => {
    for (const width of [390, 1024, 1280]) {
      await demo.page.setViewportSize({ width, height: 900 });
      for (const view of PLACES) {
        await goTo(demo.page, `#/${view}`);
        const marked = await demo.page
          .locator(".page-header :is([aria-current], .current)")
          .evaluateAll((nodes) =>
            nodes
              .filter((node) => node.getClientRects().length > 0)
              .map((node) => node.textContent),
          );
        expectEqual([width, view, marked.length], [width, view, 1]);
      }
    }
  });

  await check(
    "the menu of other views stands at its button; a click beside it, Escape and another view close it",
    async () => {
      await demo.page.setViewportSize({ width: 1024, height: 900 });
      await goTo(demo.page, "#/attention");
      const menu = demo.page.locator(".menu-items");
      const more = demo.page.getByRole("button", { name: "More ▾", exact: true });
      // Above the button on a phone, else below it.
      for (const [width, edges] of [
        [1024, ["bottom", "top"]],
        [390, ["top", "bottom"]],
      ] as const) {
        await demo.page.setViewportSize({ width, height: 900 });
        await more.click();
        const [ofButton, ofMenu] = await Promise.all(
          [more, menu].map((each, index) =>
            each.evaluate(
              (node, edge) => node.getBoundingClientRect()[edge],
              edges[index] ?? "top",
            ),
          ),
        );
        expectEqual(Math.abs((ofButton ?? 0) - (ofMenu ?? 0)) < 16, true);
        await demo.page.getByRole("heading", { level: 1 }).click();
        await menu.waitFor({ state: "hidden" });
      }
      await more.click();
      await demo.page.keyboard.press("Escape");
      await menu.waitFor({ state: "hidden" });
      await more.click();
      await menu.getByRole("link").first().click();
      await menu.waitFor({ state: "hidden" });
    },
  );
  await demo.page.close();
}
