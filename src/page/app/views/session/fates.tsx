import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { peopleIn } from "../../lib/attention/finding-records.ts";
import { type Item, itemText } from "../../lib/attention/mending.ts";
import { slotsOf } from "../../lib/session/alike.ts";
import { countText, slotText } from "../../lib/base/format.ts";
import type { Change, Line } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { useNames } from "../../lib/person/people.ts";
import { deletionOfAll } from "../../lib/session/session-changes.ts";
import { mayPlan } from "../../lib/base/rights.ts";
import type { Session } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { WritingForm } from "../../parts/base/dialog-form.tsx";
import { Check } from "../../parts/base/field.tsx";
import { useNamed } from "../../parts/base/named.ts";
import { SessionLink } from "../../parts/session/session-link.tsx";
import { useWriting } from "../../parts/base/writing.tsx";
import { WhoIsFree } from "./who-is-free.tsx";

/** Somebody's sessions, or encounters: one button writes what becomes of those that are chosen. */
export function ChoiceForm(properties: {
  label: string;
  items: readonly Item[];
  /** What the button says. */
  act: (chosen: readonly Item[]) => string;
  /** Whether it removes something. */
  isDanger?: boolean;
  /** Whether it may be pressed while nothing is chosen. */
  mayBeNone?: boolean;
  change: (chosen: readonly Item[]) => Change;
  /** What stands above them. */
  children?: ComponentChildren;
}) {
  const { label, items, act, isDanger, mayBeNone = false, change, children } = properties;
  /** Those that are not as they were at first. */
  const [other, setOther] = useState<ReadonlySet<string>>(new Set());
  const chosen = items.filter(
    ({ line, isChosen, refusal }) => refusal === undefined && isChosen !== other.has(line.publicId),
  );
  const name = useNames(items.flatMap(({ line }) => peopleIn(line)));
  return (
    <WritingForm
      label={label}
      button={act(chosen)}
      class={isDanger ? "danger" : "primary"}
      isReady={mayBeNone || chosen.length > 0}
      change={change(chosen)}
    >
      {children}
      <div>
        {items.map((item) => (
          <Check
            key={item.line.publicId}
            label={itemText(item, practiceZone(), name)}
            isChecked={chosen.includes(item)}
            isDisabled={item.refusal !== undefined}
            onChange={() => setOther(other.symmetricDifference(new Set([item.line.publicId])))}
          />
        ))}
      </div>
    </WritingForm>
  );
}

/** Somebody's sessions by slot, each of which can be given to whoever is free; their own meetings can go with them. */
export function Slots({ lines, personId }: { lines: readonly Line[]; personId: string }) {
  const sessions = lines as unknown as readonly Session[];
  const zone = practiceZone();
  const location = useNamed("locations");
  const name = useNames(sessions.flatMap(({ clientId }) => clientId ?? []));
  const [asked, setAsked] = useState<string>();
  const { run, isWriting, notice } = useWriting(() => setAsked(undefined));
  return (
    <>
      <ul class="record-list">
        {slotsOf(sessions, zone).map((slot) => {
          const [{ publicId, clientId, title, locationId }] = slot;
          const parts = [
            slotText(slot, zone),
            clientId === null ? title : name(clientId),
            ...(slot.length > 1 ? [countText(slot.length, "session")] : []),
            location(locationId),
          ];
          return (
            <li key={publicId}>
              <SessionLink id={publicId}>{parts.join(", ")}</SessionLink>{" "}
              {mayPlan() && (
                <Button
                  aria-expanded={asked === publicId}
                  onClick={() => setAsked(asked === publicId ? undefined : publicId)}
                >
                  Who is free
                </Button>
              )}
              {mayPlan() && clientId === null && (
                <Button class="link" disabled={isWriting} onClick={() => run(deletionOfAll(slot))}>
                  Delete {slot.length}
                </Button>
              )}
              {asked === publicId && (
                <WhoIsFree
                  sessions={slot}
                  personId={personId}
                  isBusy={isWriting}
                  onChoose={(change) => void run(change)}
                />
              )}
            </li>
          );
        })}
      </ul>
      {notice}
    </>
  );
}
