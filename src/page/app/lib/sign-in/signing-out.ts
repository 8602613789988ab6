import { keepInBrowser, keptInBrowser } from "../base/browser-storage.ts";

/**
 * A mark that somebody signs out on this browser, until the server has heard it: the cookie would outlive a reload, and
 * show everything again. It is in `localStorage` for the other tabs, too, and holds nobody's data.
 */

const MARK = "caseload-signing-out";

/** Where the browser stores nothing. */
let isMarked = false;

export function isSigningOut(): boolean {
  return isMarked || keptInBrowser(MARK) !== undefined;
}

/** Where nothing is stored, a reload forgets it. */
export function markSigningOut(isBegun: boolean): void {
  isMarked = !keepInBrowser(MARK, isBegun || null) && isBegun;
}
