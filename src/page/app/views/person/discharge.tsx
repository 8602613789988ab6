import type { Reading } from "../../lib/base/api.ts";
import { useState } from "preact/hooks";
import { type Fate, discharge } from "../../lib/person/discharge.ts";
import { countText, whenText } from "../../lib/base/format.ts";
import type { Line } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { nameOf } from "../../lib/person/people.ts";
import { closeDialog } from "../../lib/base/place.ts";
import { mayPlan } from "../../lib/base/rights.ts";
import { recordsOf, sessionsToCome } from "../../lib/session/sessions.ts";
import type { User } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Field } from "../../parts/base/field.tsx";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { SessionLink } from "../../parts/session/session-link.tsx";
import { useWriting } from "../../parts/base/writing.tsx";

const FATES: { value: Fate; name: string }[] = [
  { value: "CANCEL", name: "Cancel them" },
  { value: "DELETE", name: "Delete them" },
  { value: "LEAVE", name: "Leave them: Attention finds them" },
];

/** How many sessions are shown. */
const SHOWN = 80;

/** A patient leaves: their sessions to come are cancelled, deleted or left, all in one act. */
export function DischargeDialog({ person }: { person: User }) {
  const { publicId } = person;
  const read = async (reading: Reading) => {
    const sessions = await sessionsToCome({ clientId: publicId }, practiceZone(), reading);
    return { sessions, lines: mayPlan() ? await recordsOf(sessions, reading) : [] };
  };
  return (
    <ReadingDialog
      title={`${nameOf(person)} is discharged`}
      question={`discharge ${publicId}`}
      read={read}
    >
      {({ sessions, lines }) => (
        <div class="record-form">
          <p>
            {sessions.length === 0
              ? "There are no sessions to come."
              : `${countText(sessions.length, "session")} to come.`}
          </p>
          <ul class="record-list">
            {sessions.slice(0, SHOWN).map((session) => (
              <li key={session.publicId}>
                <SessionLink id={session.publicId}>
                  {whenText(session, practiceZone())}: {session.title}
                </SessionLink>
              </li>
            ))}
          </ul>
          {sessions.length > SHOWN && <p class="hint">And {sessions.length - SHOWN} more.</p>}
          <Discharge person={person} count={sessions.length} lines={lines} />
        </div>
      )}
    </ReadingDialog>
  );
}

function Discharge(properties: { person: User; count: number; lines: readonly Line[] }) {
  const { person, count, lines } = properties;
  const [fate, setFate] = useState<Fate>(mayPlan() ? "CANCEL" : "LEAVE");
  const { run, isWriting, notice } = useWriting(closeDialog);
  return (
    <>
      {count > 0 && mayPlan() && (
        <Field
          label="These sessions"
          value={fate}
          choices={FATES}
          onType={(chosen) => setFate(chosen as Fate)}
        />
      )}
      {count > 0 && !mayPlan() && <p class="hint">They are left, and found under Attention.</p>}
      {notice}
      <div class="buttons">
        <Button
          class="primary"
          disabled={isWriting}
          onClick={() => run(discharge(person, { count, lines }, fate))}
        >
          Is discharged
        </Button>
        <Button onClick={closeDialog}>Cancel</Button>
      </div>
    </>
  );
}
