import { useState } from "preact/hooks";
import type { Reading } from "../../lib/base/api.ts";
import { today } from "../../lib/base/dates.ts";
import { useDraft } from "../../lib/base/draft.ts";
import { countText } from "../../lib/base/format.ts";
import { deletionOf, newId } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { nameOf } from "../../lib/person/people.ts";
import { closeDialog } from "../../lib/base/place.ts";
import { linesOf } from "../../lib/session/session-record.ts";
import { sessionsMeanwhile } from "../../lib/session/sessions.ts";
import { hitBy, timeOffLine, timeOffSlot } from "../../lib/person/time-off.ts";
import type { User } from "../../lib/base/wire.ts";
import { WritingForm } from "../../parts/base/dialog-form.tsx";
import { Field, textsOf } from "../../parts/base/field.tsx";
import { choicesOf, useNamedList } from "../../parts/base/named.ts";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { Slots } from "../session/fates.tsx";

/** The code that was chosen last, since the page was loaded. */
let lastCode = "";

/** Time off of a technician, and what it hits, by slot, each of which can be given to whoever is free. */
export function TimeOffDialog({ person }: { person: User }) {
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
  const booked =
    slot && code && locationId !== undefined
      ? timeOffLine({ publicId, slot, technicianId, locationId, nonBillableCode: code.publicId })
      : undefined;
  const read = async (reading: Reading) => {
    const slots = slot ? [slot] : [];
    const meanwhile = await sessionsMeanwhile({ technicianId }, slots, zone, reading);
    return linesOf(slots.flatMap((each) => hitBy(each, meanwhile, technicianId)));
  };
  const title = `${nameOf(person)}: time off`;
  const made = booked ? [booked] : [];
  return (
    <ReadingDialog
      title={title}
      question={`off ${technicianId} ${JSON.stringify(slot)}`}
      read={read}
    >
      {(lines) => (
        <WritingForm
          label={title}
          button="Book time off"
          isReady={booked !== undefined}
          change={{ done: "The time off was booked.", lines: made, undo: deletionOf(made) }}
          onDone={() => {
            lastCode = code?.publicId ?? "";
            closeDialog();
          }}
        >
          <div class="toolbar">
            <Field label="First day" type="date" isRequired {...text("firstDay")} />
            <Field label="Last day" type="date" {...text("lastDay")} />
            <Field label="From" type="time" {...text("from")} />
            <Field label="To" type="time" {...text("to")} />
            {code && (
              <Field
                label="Code"
                value={code.publicId}
                choices={choicesOf(codes)}
                onType={setChosen}
              />
            )}
          </div>
          <p class="hint">
            {code === undefined
              ? "Time off needs a code that is not billable: Practice adds one."
              : "Without times it is whole days."}
          </p>
          {slot !== undefined && (
            <p>
              {lines.length === 0
                ? "No session is at this time."
                : `${countText(lines.length, "session")} at this time; those that are left are found under Attention.`}
            </p>
          )}
          <Slots lines={lines} personId={technicianId} />
        </WritingForm>
      )}
    </ReadingDialog>
  );
}
