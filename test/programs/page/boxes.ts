import type { Page } from "playwright-core";

/**
 * Where things are on a page. What is compared are boxes and how they lie to each other, and not pixels, which differ
 * with the fonts of a machine.
 */

/** The widths of a desk, a tablet and a phone. */
export const DESK = 1280;
export const TABLET = 820;
export const PHONE = 390;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The boxes of all visible elements of a selector. */
export async function boxesOf(page: Page, selector: string): Promise<Box[]> {
  return page.locator(selector).evaluateAll((nodes) =>
    nodes
      .map((node) => node.getBoundingClientRect())
      .filter(({ width, height }) => width > 0 && height > 0)
      .map(({ x, y, width, height }) => ({ x, y, width, height })),
  );
}

/** Elements that exceed the page, or are cut off without a way to scroll; what ends in dots has its title. */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll("body *")]
    .filter((node) => !node.closest(".scroller, .clinic, .slot, .skip, .kinds, [hidden], svg, thead, .list :is(th, td) > *, .sentence *"))
    .filter((node) => node.getClientRects().length > 0)
    .filter((node) => {
      const { left, right } = node.getBoundingClientRect();
      return left < -1 || right > innerWidth + 1;
    })
    .map((node) => node.tagName + "." + node.className)`);
}

export function isAbove(a: Box | undefined, b: Box | undefined): boolean {
  return a !== undefined && b !== undefined && a.y + a.height <= b.y + 1;
}
