import { useState } from "preact/hooks";
import { type Reading, remove } from "../../lib/base/api.ts";
import { parseCalendarDate, today } from "../../lib/base/dates.ts";
import { countText, dayText } from "../../lib/base/format.ts";
import { me, practiceZone } from "../../lib/base/me.ts";
import { nameOf } from "../../lib/person/people.ts";
import { personChange } from "../../lib/person/person-record.ts";
import { closeDialog } from "../../lib/base/place.ts";
import { kindOf } from "../../lib/base/roles.ts";
import { sessionsToCome } from "../../lib/session/sessions.ts";
import { useWork } from "../../parts/base/work.tsx";
import type { Session, User } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Field } from "../../parts/base/field.tsx";
import { Form } from "../../parts/base/form.tsx";
import { Alert } from "../../parts/base/notices.tsx";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { SlotList } from "./slot-list.tsx";
import { useWriting } from "../../parts/base/writing.tsx";

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
  const zone = practiceZone();
  const [from, setFrom] = useState<string>(today(zone));
  const day = parseCalendarDate(from) ?? today(zone);
  const since = day === today(zone) ? "now" : dayText(day);
  const kind = kindOf(person.role);
  const read = async (reading: Reading): Promise<Session[]> =>
    kind === undefined ? [] : sessionsToCome({ [`${kind}Id`]: publicId }, zone, reading, day);
  const leave = (): Promise<void> =>
    run(
      personChange({
        id: publicId,
        done: `${nameOf(person)} has left.${endsAccess ? " Undo does not bring back their passkeys, keys and invitations." : ""}`,
        ...{ from: { isActive: true }, to: { isActive: false } },
      }),
    );
  return (
    <ReadingDialog
      title={`${nameOf(person)} has left`}
      question={`left ${publicId} ${day}`}
      read={read}
    >
      {(sessions) => (
        <Form
          class="record-form"
          aria-label="Has left"
          onSubmit={() => void (isActive ? leave() : endAccess())}
        >
          <Field label="From which day on" type="date" value={from} onType={setFrom} />
          <p>
            {sessions.length === 0
              ? `There are no sessions from ${since} on.`
              : `${countText(sessions.length, "session")} from ${since} on. Each slot can be given to somebody who is free; what is left is found under Attention.`}
          </p>
          <SlotList sessions={sessions} personId={publicId} />
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
            <button type="submit" class="primary" disabled={isWriting || ending.isWorking}>
              {isActive ? "Has left" : "End their access"}
            </button>
            <Button onClick={closeDialog}>Cancel</Button>
          </div>
        </Form>
      )}
    </ReadingDialog>
  );
}
