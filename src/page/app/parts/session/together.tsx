import { useState } from "preact/hooks";
import { type Alike, ALIKE_DAYS, alikeOf, toCome, whoseOf } from "../../lib/session/alike.ts";
import { getAll } from "../../lib/base/api.ts";
import { peopleOf } from "../../lib/session/overlaps.ts";
import { addDays, dateOf } from "../../lib/base/dates.ts";
import { countText, dayText } from "../../lib/base/format.ts";
import type { Line } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { useNames } from "../../lib/person/people.ts";
import { useResponse } from "../../lib/base/response.ts";
import { mayPlan } from "../../lib/base/rights.ts";
import { recordsOf } from "../../lib/session/sessions.ts";
import { stayingTexts } from "../../lib/session/together.ts";
import type { Session } from "../../lib/base/wire.ts";
import { Check } from "../base/field.tsx";

/** The sessions that belong together with one, and which of them go along with what is done. */
export interface Together {
  /** Those to come. */
  alike: Alike;
  isOn: boolean;
  setOn: (isOn: boolean) => void;
  withOthers: boolean;
  setWithOthers: (withOthers: boolean) => void;
  /** Those that go along. */
  along: readonly Session[];
  /** The complete lines of all that change, with their authorizations. */
  records: readonly Line[];
  /** Whether that is what is stored now. */
  isReady: boolean;
}

/** How far before a session others are read, so that a slot is told from what was moved. */
const BEFORE = 14;

/** Undefined until it is known what belongs to a session, and for who may not plan. */
export function useTogether(session: Session): Together | undefined {
  const zone = practiceZone();
  const whose = mayPlan() ? whoseOf(session) : undefined;
  const [isOn, setOn] = useState(false);
  const [withOthers, setWithOthers] = useState(false);
  const day = dateOf(session.startTime, zone);
  const response = useResponse(whose && `alike ${JSON.stringify(whose)} ${day}`, (reading) => {
    const days = { startDate: addDays(day, -BEFORE), endDate: addDays(day, ALIKE_DAYS) };
    return getAll<Session>("sessions", { ...whose, ...days, timezone: zone }, reading);
  });
  const alike = response.value && toCome(alikeOf(session, response.value, zone));
  const takesOthers = withOthers || alike?.same.length === 0;
  const along =
    alike === undefined || !isOn ? [] : [...alike.same, ...(takesOthers ? alike.others : [])];
  const ids = along.map(({ publicId }) => publicId);
  const records = useResponse(isOn ? ids.join() : undefined, (reading) =>
    recordsOf([session, ...along], reading),
  );
  return (
    alike && {
      ...{ alike, isOn, setOn, withOthers: takesOthers, setWithOthers, along },
      records: records.value ?? [],
      isReady: !isOn || (!response.isLoading && !records.isLoading && records.value !== undefined),
    }
  );
}

/** The switch: `And the 11 sessions like it, until Wed, Feb 10`. */
export function TogetherSwitch({ together }: { together: Together | undefined }) {
  if (together === undefined) return null;
  const { alike, isOn, setOn, withOthers, setWithOthers } = together;
  const { same, others } = alike;
  const counted = same.length === 0 ? others : same;
  const last = counted.at(-1);
  if (last === undefined) return null;
  const until = dayText(dateOf(last.startTime, practiceZone()));
  return (
    <>
      <Check
        label={
          counted.length === 1
            ? `And the session like it, on ${until}`
            : `And the ${countText(counted.length, "session")} like it, until ${until}`
        }
        isChecked={isOn}
        onChange={setOn}
      />
      {isOn && same.length > 0 && others.length > 0 && (
        <Check
          label={`Also ${countText(others.length, "session")} with other people`}
          isChecked={withOthers}
          onChange={setWithOthers}
        />
      )}
    </>
  );
}

/** What of the slot stays as it is, by day. */
export function Staying(properties: {
  together: Together | undefined;
  /** Those that cannot go along. */
  leftOut?: readonly Session[];
}) {
  const { together, leftOut = [] } = properties;
  const others = together?.withOthers === true ? [] : (together?.alike.others ?? []);
  const name = useNames(others.flatMap(peopleOf));
  if (together?.isOn !== true) return null;
  const { gaps } = together.alike;
  const texts = stayingTexts({ others, gaps, leftOut }, name, practiceZone());
  if (texts.length === 0) return null;
  return (
    <div class="staying">
      <p class="hint">These stay as they are:</p>
      <ul class="hint">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
