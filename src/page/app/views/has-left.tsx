import { useResponse } from "../lib/response.ts";
import { remove } from "../lib/api.ts";
import { countText, whenText } from "../lib/format.ts";
import { me, practiceZone } from "../lib/me.ts";
import { kindOf, nameOf } from "../lib/people.ts";
import { closeDialog } from "../lib/place.ts";
import { personChange } from "../lib/person-record.ts";
import { comingSessions } from "../lib/sessions.ts";
import type { User } from "../lib/wire.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ResponseView } from "../parts/notices.tsx";
import { SessionLink } from "../parts/session-link.tsx";
import { useWriting } from "../parts/writing.tsx";

/** Somebody leaves: their sessions from now on, each of which can be given to others, and the end of their access. */
export function HasLeftDialog({ person }: { person: User }) {
  const { publicId } = person;
  const zone = practiceZone();
  const isAccessEnded = me().key.role === "ADMIN" && kindOf(person.role) !== "patient";
  const { run, isWriting, notice } = useWriting(() => {
    // Keys and sign-ins of who has left are refused anyway; this removes passkeys and invitations.
    if (isAccessEnded) void remove(`users/${encodeURIComponent(publicId)}/access`).catch(() => {});
    closeDialog();
  });
  const response = useResponse(`left ${publicId}`, (signal) => comingSessions(person, signal));
  const leave = (): Promise<void> =>
    run(
      personChange({
        ...{ id: publicId, done: `${nameOf(person)} has left.` },
        ...{ from: { isActive: true }, to: { isActive: false } },
      }),
    );
  return (
    <Dialog title={`${nameOf(person)} has left`}>
      <ResponseView response={response}>
        {({ sessions, totalCount }) => (
          <div class="record-form">
            <p>
              {totalCount === 0
                ? "There are no sessions from now on."
                : `${countText(totalCount, "session")} from now on. Choose one to give it to somebody who is free; those that are left are found under Attention.`}
            </p>
            <ul class="record-list">
              {sessions.map((session) => (
                <li key={session.publicId}>
                  <SessionLink id={session.publicId}>
                    {whenText(session, zone)}: {session.title}
                  </SessionLink>
                </li>
              ))}
            </ul>
            {totalCount > sessions.length && (
              <p class="hint">And {totalCount - sessions.length} more.</p>
            )}
            {isAccessEnded && <p class="hint">Their access to this page and their keys end.</p>}
            {notice}
            <div class="buttons">
              <Button class="primary" disabled={isWriting} onClick={leave}>
                Has left
              </Button>
              <Button onClick={closeDialog}>Cancel</Button>
            </div>
          </div>
        )}
      </ResponseView>
    </Dialog>
  );
}
