import { signal } from "@preact/signals";

/**
 * The invitation of a link such as `#/invitation/org_maple.…`: its token, kept in memory only. It is taken out of the
 * address bar, and so out of the browser's history, before anything else of the page runs: this file is its first.
 */

export const invitation = signal<string | undefined>(undefined);

const LINK = /^#\/invitation\/(.+)$/;

take();

/** Takes those that are opened on a page that has already started. */
export function watchInvitations(onOpened: () => void): void {
  addEventListener("hashchange", () => {
    if (take()) onOpened();
  });
}

function take(): boolean {
  const token = LINK.exec(location.hash)?.[1];
  if (token === undefined) return false;
  history.replaceState(null, "", "#/");
  invitation.value = token;
  return true;
}
