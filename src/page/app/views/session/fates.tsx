import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Reading } from "../../lib/base/api.ts";
import { peopleIn } from "../../lib/attention/finding-records.ts";
import { type Item, itemText } from "../../lib/attention/mending.ts";
import { slotsOf } from "../../lib/session/alike.ts";
import { countText, slotText } from "../../lib/base/format.ts";
import type { Change, Line } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { useNames } from "../../lib/person/people.ts";
import { closeDialog } from "../../lib/base/place.ts";
import { deletionOfAll } from "../../lib/session/session-changes.ts";
import { mayPlan } from "../../lib/base/rights.ts";
import type { Session } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Check } from "../../parts/base/field.tsx";
import { Form } from "../../parts/base/form.tsx";
import { useNamed } from "../../parts/base/named.ts";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { SessionLink } from "../../parts/session/session-link.tsx";
import { useWriting } from "../../parts/base/writing.tsx";
import { WhoIsFree } from "./who-is-free.tsx";

interface FatesProperties {
  title: string;
  /** As in `ReadingDialog`: the sessions, or encounters, as a practice file has them. */
  question: string;
  read: (reading: Reading) => Promise<Line[]>;
  /** What stands above so many of them. */
  children?: (count: number) => ComponentChildren;
  /** Whose slots they are, each of which can be given to others; else they are chosen. */
  slotsOf?: string;
  itemOf?: (line: Line) => Item;
  /** What stands below them. */
  below?: ComponentChildren;
  /** What the button says; there is none for what is only given to others. */
  act?: (chosen: readonly Item[]) => string;
  /** Whether it removes something. */
  isDanger?: boolean;
  /** Whether it may be pressed: if something is chosen, or there is nothing to choose. */
  isReady?: (chosen: readonly Item[]) => boolean;
  /** What it writes; nothing, if that was written already and the rest was not done. */
  change?: (chosen: readonly Item[], count: number) => Change | undefined;
  onDone?: () => unknown;
}

/** Somebody's sessions, and what becomes of them: of those that are chosen by one button, of slots by who takes them over. */
export function FatesDialog(properties: FatesProperties) {
  return (
    <ReadingDialog {...properties}>
      {(lines) => <Fates {...properties} lines={lines} />}
    </ReadingDialog>
  );
}

function Fates(properties: FatesProperties & { lines: readonly Line[] }) {
  const { title, lines, children, slotsOf: personId, below, act, isDanger } = properties;
  const { itemOf = (line) => ({ line, isChosen: true }) } = properties;
  const { change, onDone = closeDialog } = properties;
  const items = personId === undefined ? lines.map(itemOf) : [];
  const { isReady = ({ length }) => length > 0 || items.length === 0 } = properties;
  const { run, isWriting, notice } = useWriting(onDone);
  /** Those that are not as they were at first. */
  const [other, setOther] = useState<ReadonlySet<string>>(new Set());
  const chosen = items.filter(
    ({ line, isChosen, refusal }) => refusal === undefined && isChosen !== other.has(line.publicId),
  );
  const name = useNames(items.flatMap(({ line }) => peopleIn(line)));
  const submit = (): unknown => {
    const planned = change?.(chosen, lines.length);
    return planned === undefined ? onDone() : run(planned);
  };
  return (
    <Form class="record-form" aria-label={title} onSubmit={submit}>
      {children?.(lines.length)}
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
      {personId !== undefined && (
        <Slots sessions={lines as unknown as Session[]} personId={personId} />
      )}
      {below}
      {notice}
      {act && (
        <div class="buttons">
          <button
            type="submit"
            class={isDanger ? "danger" : "primary"}
            disabled={isWriting || !isReady(chosen)}
          >
            {act(chosen)}
          </button>
          <Button onClick={closeDialog}>Cancel</Button>
        </div>
      )}
    </Form>
  );
}

/** Somebody's sessions by slot, each of which can be given to whoever is free; their own meetings can go with them. */
function Slots({ sessions, personId }: { sessions: readonly Session[]; personId: string }) {
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
