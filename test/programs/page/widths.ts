import type { Browser, Page } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { boxesOf, isAbove, overflowing, PHONE } from "./boxes.ts";
import { importLongNames, LONG_ORGANIZATION } from "./long-names.ts";
import { goTo, keyOf, type Practice, settled, visit, WEDNESDAY } from "./visit.ts";

/** Every view at every width: nothing scrolls sideways, and the head is as wide as what is below it. */

const WIDTHS = [390, 800, 961, 1024, 1130, 1280, 1440, 1920];

const VIEWS = [
  ...["attention", "schedule", "schedule?as=table", "schedule?as=week", "utilization"],
  ...["utilization/auth_1", "utilization?as=table", "delivered", "supervision", "people"],
  ...["people/usr_patient", "people/usr_technician", "leads", "changes", "import", "access"],
  "practice",
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

  await check("the head of the page begins and ends with what is below it", async () => {
    for (const view of ["attention", "schedule", "people"]) {
      await goTo(page, `#/${view}`);
      for (const width of [1024, 1280, 1440, 1920]) {
        await resize(width);
        const [head, below] = [await edgesOf(page, ".page-header"), await edgesOf(page, "main")];
        const differences = head.map((edge, index) => Math.abs(edge - (below[index] ?? 0)));
        expectEqual([view, width, differences.filter((each) => each > 1)], [view, width, []]);
      }
    }
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

  const DESKS = WIDTHS.filter((each) => each > 960);
  await check("on every desk, the controls of a view are one row", async () => {
    for (const view of [...LISTS, "schedule?as=week", "schedule?whose=technician", "billing"]) {
      await goTo(demo.page, `#/${view}`);
      for (const width of DESKS) {
        await demo.page.setViewportSize({ width, height: 900 });
        await settled(demo.page);
        const [first, ...others] = await boxesOf(demo.page, "main form.toolbar > *");
        const below = others.filter((each) => isAbove(first, each));
        expectEqual([view, width, below], [view, width, []]);
      }
    }
  });

  await check("on every desk but the narrowest, a list shows all its columns", async () => {
    const ways = ["utilization?as=table", "delivered", "billing?state=PROBLEM", "supervision"];
    for (const view of [...ways, "leads", `schedule?date=${WEDNESDAY}&as=week`]) {
      await goTo(demo.page, `#/${view}`);
      for (const width of DESKS.slice(1)) {
        await demo.page.setViewportSize({ width, height: 900 });
        await settled(demo.page);
        const hidden = await demo.page
          .locator(".scroller")
          .evaluateAll((nodes) => nodes.map((node) => node.scrollWidth - node.clientWidth));
        expectEqual([view, width, hidden.filter((each) => each > 1)], [view, width, []]);
      }
    }
  });

  await check("on a phone, no choice stands alone in its row", async () => {
    await goTo(demo.page, "#/billing");
    await demo.page.setViewportSize({ width: PHONE, height: 900 });
    await settled(demo.page);
    const states = await boxesOf(demo.page, "[aria-label=States] > *");
    expectEqual(
      [...Map.groupBy(states, ({ y }) => y).values()].map(({ length }) => length),
      [2, 2],
    );
  });

  await check("no card stands alone in its row, at any width", async () => {
    await goTo(demo.page, "#/attention");
    for (const width of WIDTHS.filter((each) => each > 720)) {
      await demo.page.setViewportSize({ width, height: 900 });
      await settled(demo.page);
      const cards = await boxesOf(demo.page, ".card");
      const rows = [...Map.groupBy(cards, ({ y }) => Math.round(y)).values()];
      expectEqual([width, rows.some(({ length }) => length === 1)], [width, false]);
    }
  });

  await check("the menu of other views is closed by a click beside it", async () => {
    const menu = demo.page.getByRole("navigation", { name: "More views" });
    await demo.page.getByRole("button", { name: "More", exact: true }).click();
    await menu.waitFor();
    await demo.page.getByRole("heading", { level: 1 }).click();
    await menu.waitFor({ state: "hidden" });
  });
  await demo.page.close();
}

/** Where the content of a part of the page begins and ends, within its padding. */
function edgesOf(page: Page, part: string): Promise<number[]> {
  return page.evaluate<number[]>(`(() => {
    const node = document.querySelector("${part}");
    const { left, right } = node.getBoundingClientRect();
    const { paddingLeft, paddingRight } = getComputedStyle(node);
    return [left + parseFloat(paddingLeft), right - parseFloat(paddingRight)];
  })()`);
}
