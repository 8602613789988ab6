import { useState } from "preact/hooks";
import { slotsOf } from "../../lib/session/alike.ts";
import { countText, slotText } from "../../lib/base/format.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { useNames } from "../../lib/person/people.ts";
import { deletionOfAll } from "../../lib/session/session-changes.ts";
import { mayPlan } from "../../lib/base/rights.ts";
import type { Session } from "../../lib/base/wire.ts";
import { WhoIsFree } from "../session/who-is-free.tsx";
import { Button } from "../../parts/base/button.tsx";
import { useNamed } from "../../parts/base/named.ts";
import { SessionLink } from "../../parts/session/session-link.tsx";
import { useWriting } from "../../parts/base/writing.tsx";

/** Somebody's sessions by slot, each of which can be given to whoever is free; their own meetings can go with them. */
export function SlotList({
  sessions,
  personId,
}: {
  sessions: readonly Session[];
  personId: string;
}) {
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
