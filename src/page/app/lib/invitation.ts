import { signal } from "@preact/signals";

/** The invitation of a link such as `#/invitation/org_maple.…`: its token, kept in memory only. */

export const invitation = signal<string | undefined>(undefined);

const LINK = /^#\/invitation\/(.+)$/;

/**
 * Takes invitations out of the address bar, and so out of the browser's history, from now on. Call it before the
 * address is read.
 *
 * @param onOpened is called when a link is opened on a page that has already started.
 */
export function watchInvitations(onOpened: () => void): void {
  take();
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
