import type { Page } from "playwright-core";

/** Counts the clicks on a page from now on: what an errand costs. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`{
    globalThis.clicks = 0;
    // What keys do to buttons has no detail.
    addEventListener("click", ({ detail }) => (globalThis.clicks += detail > 0 ? 1 : 0), true);
  }`);
  return () => page.evaluate<number>("globalThis.clicks");
}
