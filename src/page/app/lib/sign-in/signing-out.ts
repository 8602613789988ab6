/**
 * A mark that somebody signs out on this browser, until the server has heard it: the cookie would outlive a reload, and
 * show everything again. It is in `localStorage` for the other tabs, too, and holds nobody's data.
 */

const MARK = "caseload-signing-out";

/** Where the browser stores nothing. */
let isMarked = false;

export function isSigningOut(): boolean {
  try {
    return localStorage.getItem(MARK) !== null;
  } catch {
    return isMarked;
  }
}

export function markSigningOut(isBegun: boolean): void {
  isMarked = isBegun;
  try {
    if (isBegun) localStorage.setItem(MARK, "");
    else localStorage.removeItem(MARK);
  } catch {
    // Then a reload forgets it.
  }
}
