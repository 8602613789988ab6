import { useState } from "preact/hooks";
import { holdsSlot } from "../../lib/session/overlaps.ts";
import { countText, SESSION_STATUSES, STATUS_NAMES } from "../../lib/base/format.ts";
import { closeSession } from "../../lib/base/place.ts";
import { mayDocument, mayPlan, mayPutOnAuthorization } from "../../lib/base/rights.ts";
import { deletion, deletionOfAll, statusChange } from "../../lib/session/session-changes.ts";
import { changeOfAll } from "../../lib/session/together.ts";
import type { Session, SessionUtilization } from "../../lib/base/wire.ts";
import type { Change } from "../../lib/base/lines.ts";
import { Button } from "../../parts/base/button.tsx";
import { Staying, type Together, TogetherSwitch } from "../../parts/session/together.tsx";
import { useWarnings, WarningList } from "../../parts/session/warnings.tsx";
import { useWriting } from "../../parts/base/writing.tsx";
import { PutOn } from "../authorizations/put-on.tsx";
import { Encounters } from "./encounters.tsx";
import { WhoIsFree } from "./who-is-free.tsx";

/** What can be done with a session, by who is signed in. */
export function SessionActions(properties: {
  session: Session;
  counted: SessionUtilization | undefined;
  together: Together | undefined;
  isLoading: boolean;
  onEdit: () => void;
  onRepeat: () => void;
}) {
  const { session, counted, together, isLoading, onEdit, onRepeat } = properties;
  const authorizationId = counted?.authorizationId ?? undefined;
  const writing = useWriting(() => together?.setOn(false));
  const removing = useWriting(closeSession);
  const [isAskingWho, setAskingWho] = useState(false);
  const [isPutting, setPutting] = useState(false);
  const isBusy =
    writing.isWriting || removing.isWriting || isLoading || together?.isReady === false;
  const along = together?.along ?? [];
  const isBindable = mayPutOnAuthorization() && session.isBillable && session.clientId !== null;
  const mayDecide = mayDocument("session", session);
  return (
    <div class="session-actions">
      {mayDecide && !holdsSlot(session) && <HoldingWarnings session={session} />}
      {/* What a session is for comes first: the one filled button, once it has begun. */}
      {counted !== undefined && (
        <Encounters
          session={session}
          counted={counted}
          mayWrite={mayDocument("encounter", session)}
          isBusy={isBusy}
          run={writing.run}
        />
      )}
      <TogetherSwitch together={together} />
      <Staying together={together} />
      {mayDecide && (
        <div class="acts">
          <h3>Status</h3>
          <Statuses session={session} along={along} isBusy={isBusy} run={writing.run} />
        </div>
      )}
      {mayPlan() && (
        <div class="acts">
          <h3>Plan</h3>
          <Button disabled={isBusy || counted === undefined} onClick={onEdit}>
            Change time or people
          </Button>
          <Button aria-expanded={isAskingWho} onClick={() => setAskingWho(!isAskingWho)}>
            Who is free
          </Button>
          <Button disabled={isBusy || together === undefined} onClick={onRepeat}>
            Repeat until…
          </Button>
        </div>
      )}
      {isBindable && (
        <div class="acts">
          <h3>Billing</h3>
          <Button aria-expanded={isPutting} onClick={() => setPutting(!isPutting)}>
            Put on authorization…
          </Button>
        </div>
      )}
      {isPutting && session.clientId !== null && (
        <PutOn
          patientId={session.clientId}
          sessionIds={[session.publicId]}
          encounterIds={[]}
          onDone={() => setPutting(false)}
        />
      )}
      {isAskingWho && (
        <WhoIsFree
          sessions={[session, ...along]}
          isBusy={isBusy}
          onChoose={(change) => {
            setAskingWho(false);
            void writing.run(change);
          }}
        />
      )}
      {/* It asks where it stands, so that nothing is behind it. */}
      {mayPlan() && (
        <div class="apart">
          <Deletion
            // Undo needs the authorization.
            isBusy={isBusy || counted === undefined}
            count={1 + along.length}
            onDelete={() =>
              removing.run(
                along.length === 0
                  ? deletion(session, authorizationId)
                  : deletionOfAll([session, ...along], together?.records ?? []),
              )
            }
          />
        </div>
      )}
      {writing.notice}
      {removing.notice}
    </div>
  );
}

function Statuses(properties: {
  session: Session;
  /** Those that get the same status. */
  along: readonly Session[];
  isBusy: boolean;
  run: (change: Change) => Promise<void>;
}) {
  const { session, along, isBusy, run } = properties;
  const set = (status: Session["status"]): Promise<void> => {
    if (along.length === 0) return run(statusChange(session, status));
    const all = [session, ...along].filter((each) => each.status !== status);
    const isOrAre = all.length === 1 ? "is" : "are";
    const said = `${countText(all.length, "session")} ${isOrAre} now: ${SESSION_STATUSES[status]}.`;
    return run(
      changeOfAll(
        all.map((each) => ({ session: each, change: { status } })),
        said,
      ),
    );
  };
  return (
    <div class="choices" role="group" aria-label="Status">
      {STATUS_NAMES.map(([status, label]) => (
        <Button
          key={status}
          aria-pressed={status === session.status}
          // Nobody fails to show up to what is to come.
          disabled={isBusy || (along.length > 0 && status === "PATIENT_NO_SHOW")}
          onClick={() => {
            if (status !== session.status || along.some((each) => each.status !== status))
              void set(status);
          }}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** A button to delete the session, which asks first. */
function Deletion(properties: {
  isBusy: boolean;
  /** The number of sessions that it deletes. */
  count: number;
  onDelete: () => Promise<void>;
}) {
  const { isBusy, count, onDelete } = properties;
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <Button disabled={isBusy} onClick={() => setAsking(true)}>
        Delete
      </Button>
    );
  return (
    <>
      <span>{count === 1 ? "Delete this session?" : `Delete ${count} sessions?`}</span>
      <Button class="danger" disabled={isBusy} onClick={onDelete}>
        {count === 1 ? "Yes, delete it" : `Yes, delete ${count}`}
      </Button>
      <Button onClick={() => setAsking(false)}>{count === 1 ? "Keep it" : "Keep them"}</Button>
    </>
  );
}

/** Warnings before confirming a session that was declined or missed, since its slot may be taken by now. */
function HoldingWarnings({ session }: { session: Session }) {
  const warnings = useWarnings(statusChange(session, "CONFIRMED"));
  if (!warnings.isKnown || warnings.sentences.length === 0) return null;
  return (
    <>
      <p class="hint">If it is confirmed again:</p>
      <WarningList warnings={warnings} />
    </>
  );
}
