import { useState } from "preact/hooks";
import { type Reading, remove } from "../../lib/base/api.ts";
import { parseCalendarDate, today } from "../../lib/base/dates.ts";
import { countText, dayText } from "../../lib/base/format.ts";
import type { Line } from "../../lib/base/lines.ts";
import { me, practiceZone } from "../../lib/base/me.ts";
import { closeDialog } from "../../lib/base/place.ts";
import { mayPlan } from "../../lib/base/rights.ts";
import type { User } from "../../lib/base/wire.ts";
import { discharge, type Fate } from "../../lib/person/discharge.ts";
import { nameOf } from "../../lib/person/people.ts";
import { personChange } from "../../lib/person/person-record.ts";
import { linesOf } from "../../lib/session/session-record.ts";
import { recordsOf, sessionsToCome } from "../../lib/session/sessions.ts";
import { WritingForm } from "../../parts/base/dialog-form.tsx";
import { Field } from "../../parts/base/field.tsx";
import { Alert } from "../../parts/base/notices.tsx";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { useWork } from "../../parts/base/work.tsx";
import { ChoiceForm, Slots } from "../session/fates.tsx";

const FATES: { value: Fate; name: string }[] = [
  { value: "CANCEL", name: "Cancel them" },
  { value: "DELETE", name: "Delete them" },
  { value: "LEAVE", name: "Leave them: Attention finds them" },
];

/**
 * Somebody leaves: their sessions from a day on, those of a patient cancelled, deleted or left in one act with it, slots of
 * staff given to others; and the end of their access.
 */
export function LeavingDialog({ person }: { person: User }) {
  const { publicId, role, isActive } = person;
  const isPatient = role === "PATIENT";
  const endsAccess = !isPatient && me().key.role === "ADMIN";
  // Keys and sign-ins of who has left are refused anyway; this removes passkeys and invitations.
  const ending = useWork("Their access could not be ended.");
  const endAccess = () =>
    ending.run(async () => {
      await remove(`users/${encodeURIComponent(publicId)}/access`);
      closeDialog();
    });
  const now = today(practiceZone());
  const [from, setFrom] = useState<string>(now);
  const day = parseCalendarDate(from) ?? now;
  const since = day === now ? "now" : dayText(day);
  const [fate, setFate] = useState<Fate>(isPatient && mayPlan() ? "CANCEL" : "LEAVE");
  const read = async (reading: Reading): Promise<Line[]> => {
    const sessions = await sessionsToCome(person, day, reading);
    return isPatient && mayPlan() ? recordsOf(sessions, reading) : linesOf(sessions);
  };
  const left = personChange({
    id: publicId,
    done: `${nameOf(person)} has left.${endsAccess ? " Undo does not bring back their passkeys, keys and invitations." : ""}`,
    ...{ from: { isActive: true }, to: { isActive: false } },
  });
  const said = isPatient
    ? "Those that are left are"
    : "Each slot can be given to somebody who is free; what is left is";
  const title = `${nameOf(person)} ${isPatient ? "is discharged" : "has left"}`;
  const above = (count: number) => (
    <>
      <Field label="From which day on" type="date" value={from} onType={setFrom} />
      <p>
        {count === 0
          ? `There are no sessions from ${since} on.`
          : `${countText(count, "session")} from ${since} on. ${said} found under Attention.`}
      </p>
      {isPatient && count > 0 && mayPlan() && (
        <Field
          label="These sessions"
          value={fate}
          choices={FATES}
          onType={(chosen) => setFate(chosen as Fate)}
        />
      )}
    </>
  );
  return (
    <ReadingDialog title={title} question={`left ${publicId} ${day}`} read={read}>
      {(lines) =>
        isPatient ? (
          <ChoiceForm
            label={title}
            items={lines.map((line) => ({
              ...{ line, isChosen: true, refusal: fate === "LEAVE" ? "is left" : undefined },
            }))}
            act={() => "Is discharged"}
            mayBeNone
            change={(chosen) => discharge(person, chosen, fate, lines.length)}
          >
            {above(lines.length)}
          </ChoiceForm>
        ) : (
          <WritingForm
            label={title}
            button={isActive ? "Has left" : "End their access"}
            isReady={!ending.isWorking}
            change={isActive ? left : undefined}
            onDone={endsAccess ? endAccess : closeDialog}
          >
            {above(lines.length)}
            <Slots lines={lines} personId={publicId} />
            {endsAccess && (
              <p class="hint">
                Their access to this page and their keys end, which cannot be undone.
              </p>
            )}
            {ending.failure && (
              <Alert failure={ending.failure} about="Has left, but can still be signed in: " />
            )}
          </WritingForm>
        )
      }
    </ReadingDialog>
  );
}
