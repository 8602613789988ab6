import { remove } from "../lib/api.ts";
import { countText } from "../lib/format.ts";
import { me } from "../lib/me.ts";
import { nameOf } from "../lib/people.ts";
import { personChange } from "../lib/person-record.ts";
import { closeDialog } from "../lib/place.ts";
import { useResponse } from "../lib/response.ts";
import { comingSessions } from "../lib/sessions.ts";
import { useWork } from "../parts/work.tsx";
import type { User } from "../lib/wire.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Alert, ResponseView } from "../parts/notices.tsx";
import { SessionList } from "../parts/session-list.tsx";
import { useWriting } from "../parts/writing.tsx";

/** Somebody leaves: their sessions from now on, each of which can be given to others, and the end of their access. */
export function HasLeftDialog({ person }: { person: User }) {
  const { publicId, isActive } = person;
  const endsAccess = me().key.role === "ADMIN";
  // Keys and sign-ins of who has left are refused anyway; this removes passkeys and invitations.
  const ending = useWork("Their access could not be ended.");
  const endAccess = () =>
    ending.run(async () => {
      await remove(`users/${encodeURIComponent(publicId)}/access`);
      closeDialog();
    });
  const { run, isWriting, notice } = useWriting(endsAccess ? endAccess : closeDialog);
  const response = useResponse(`left ${publicId}`, (signal) => comingSessions(person, signal));
  const leave = (): Promise<void> =>
    run(
      personChange({
        id: publicId,
        done: `${nameOf(person)} has left.${endsAccess ? " Undo does not bring back their passkeys, keys and invitations." : ""}`,
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
            <SessionList sessions={sessions} count={totalCount} />
            {endsAccess && (
              <p class="hint">
                Their access to this page and their keys end, which cannot be undone.
              </p>
            )}
            {notice}
            {ending.failure && (
              <Alert failure={ending.failure} about="Has left, but can still be signed in: " />
            )}
            <div class="buttons">
              <Button
                class="primary"
                disabled={isWriting || ending.isWorking}
                onClick={isActive ? leave : endAccess}
              >
                {isActive ? "Has left" : "End their access"}
              </Button>
              <Button onClick={closeDialog}>Cancel</Button>
            </div>
          </div>
        )}
      </ResponseView>
    </Dialog>
  );
}
