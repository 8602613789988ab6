import { useState } from "preact/hooks";
import type { TimeZone } from "../../lib/base/dates.ts";
import type { Values } from "../../lib/base/form-values.ts";
import { countText, shortDateText } from "../../lib/base/format.ts";
import type { Line } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { addressOf, goTo } from "../../lib/base/place.ts";
import {
  type Ending,
  pronounOf,
  serviceTermsIn,
  sessionsIn,
  takenOver,
  takingAlong,
} from "../../lib/authorizations/rebinding.ts";
import { mayMoveEncounters, mayPutOnAuthorization } from "../../lib/base/rights.ts";
import { write } from "../../lib/base/write.ts";
import { Check } from "../../parts/base/field.tsx";
import { RecordForm } from "../../parts/record/record-form.tsx";
import { StayingSessions } from "./take-over.tsx";

/** What a renewal takes along, from what ends. */
interface TakeOver {
  endings: readonly Ending[];
  zone: TimeZone;
}

/** What the forms of new authorizations and pools begin with. */
export interface NewProperties {
  patientId: string;
  values: Values;
  takeOver?: TakeOver;
}

/** The form of new authorizations, alone or in a pool; of a renewal with the sessions behind the end of what it follows. */
export function NewAuthorizations(
  properties: Omit<Parameters<typeof RecordForm>[0], "save" | "onSave" | "children"> & {
    /** The records that are made of the form's values. */
    linesOf: (values: Values) => Line[];
    done: (made: readonly Line[]) => string;
    /** The id of what is shown afterwards. */
    shown?: string;
    takeOver?: TakeOver | undefined;
  },
) {
  const { linesOf, done, shown, takeOver, ...form } = properties;
  const { endings, zone } = takeOver ?? { endings: [], zone: practiceZone() };
  const [isOn, setOn] = useState(true);
  const movedTo = (made: readonly Line[]) =>
    takenOver(mayPutOnAuthorization() ? endings : [], serviceTermsIn(made), {
      ...{ zone, withDocumented: mayMoveEncounters() },
    });
  return (
    <RecordForm
      {...form}
      save="Add"
      onSave={async ({ values, since }) => {
        const made = linesOf(values);
        await write(takingAlong(done(made), made, isOn ? movedTo(made).moving : []), since);
        if (shown !== undefined) goTo(addressOf(["utilization", shown]), "replace");
      }}
    >
      {(values) => {
        const made = linesOf(values);
        const { moving, staying } = movedTo(made);
        const [end = ""] = endings.map(({ endDate }) => endDate).toSorted();
        const count = sessionsIn(moving).length;
        return (
          <>
            {moving.length > 0 && (
              <Check
                label={`${countText(count, "session")} behind ${shortDateText(end)} ${count === 1 ? "moves" : "move"} to ${pronounOf(made)}`}
                isChecked={isOn}
                onChange={setOn}
              />
            )}
            <StayingSessions sessions={isOn ? staying : []} zone={zone} />
          </>
        );
      }}
    </RecordForm>
  );
}
