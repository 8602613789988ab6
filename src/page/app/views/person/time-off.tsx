import { useState } from "preact/hooks";
import { today } from "../../lib/base/dates.ts";
import { useDraft } from "../../lib/base/draft.ts";
import { countText } from "../../lib/base/format.ts";
import { deletionOf, newId } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { nameOf } from "../../lib/person/people.ts";
import { closeDialog } from "../../lib/base/place.ts";
import { useResponse } from "../../lib/base/response.ts";
import { sessionsMeanwhile } from "../../lib/session/sessions.ts";
import { hitBy, timeOffLine, timeOffSlot } from "../../lib/person/time-off.ts";
import type { User } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Dialog } from "../../parts/base/dialog.tsx";
import { Field, textsOf } from "../../parts/base/field.tsx";
import { Form } from "../../parts/base/form.tsx";
import { choicesOf, useNamedList } from "../../parts/base/named.ts";
import { ResponseView } from "../../parts/base/notices.tsx";
import { SlotList } from "./slot-list.tsx";
import { useWriting } from "../../parts/base/writing.tsx";

/** The code that was chosen last, since the page was loaded. */
let lastCode = "";

/** Time off of a technician, and what it hits, by slot, each of which can be given to whoever is free. */
export function TimeOffDialog({ person }: { person: User }) {
  return (
    <Dialog title={`${nameOf(person)}: time off`}>
      <TimeOffForm person={person} />
    </Dialog>
  );
}

function TimeOffForm({ person }: { person: User }) {
  const { publicId: technicianId } = person;
  const zone = practiceZone();
  const [times, setTimes] = useDraft(`Time off of ${technicianId}`, {
    ...{ firstDay: today(zone) as string, lastDay: "", from: "", to: "" },
  });
  const [chosen, setChosen] = useState(lastCode);
  const [publicId] = useState(() => newId("apt_"));
  const codes = useNamedList("non-billable-codes");
  const [location] = useNamedList("locations");
  const code = codes.find((one) => one.publicId === chosen) ?? codes[0];
  const locationId =
    ("primaryLocationId" in person ? person.primaryLocationId : null) ?? location?.publicId;
  const text = textsOf(times, setTimes);
  const slot = timeOffSlot(times, zone);
  const { run, isWriting, notice } = useWriting(closeDialog);
  const response = useResponse(slot && `off ${technicianId} ${JSON.stringify(slot)}`, (reading) =>
    sessionsMeanwhile({ technicianId }, slot ? [slot] : [], zone, reading),
  );
  const isReady = slot !== undefined && code !== undefined && locationId !== undefined;
  return (
    <Form
      class="session-form"
      aria-label="Time off"
      onSubmit={() => {
        if (!isReady) return;
        lastCode = code.publicId;
        const common = { publicId, slot, technicianId, locationId };
        const line = timeOffLine({ ...common, nonBillableCode: code.publicId });
        const undo = deletionOf([line]);
        void run({ done: "The time off was booked.", lines: [line], undo });
      }}
    >
      <div class="toolbar">
        <Field label="First day" type="date" isRequired {...text("firstDay")} />
        <Field label="Last day" type="date" {...text("lastDay")} />
        <Field label="From" type="time" {...text("from")} />
        <Field label="To" type="time" {...text("to")} />
        {code && (
          <Field label="Code" value={code.publicId} choices={choicesOf(codes)} onType={setChosen} />
        )}
      </div>
      <p class="hint">Without times it is whole days.</p>
      {code === undefined && (
        <p class="hint">Time off needs a code that is not billable: Practice adds one.</p>
      )}
      {slot !== undefined && (
        <ResponseView response={response}>
          {(sessions) => {
            const hit = hitBy(slot, sessions, technicianId);
            return hit.length === 0 ? (
              <p>No session is at this time.</p>
            ) : (
              <>
                <p>
                  {countText(hit.length, "session")} at this time; those that are left are found
                  under Attention.
                </p>
                <SlotList sessions={hit} personId={technicianId} />
              </>
            );
          }}
        </ResponseView>
      )}
      {notice}
      <div class="buttons">
        <button type="submit" class="primary" disabled={!isReady || isWriting}>
          Book time off
        </button>
        <Button onClick={closeDialog}>Cancel</Button>
      </div>
    </Form>
  );
}
