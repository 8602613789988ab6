import { useState } from "preact/hooks";
import { holdsSlot } from "../lib/overlaps.ts";
import { dateOf, hasBegun } from "../lib/dates.ts";
import { countText, STATUS_NAMES } from "../lib/format.ts";
import { practiceZone } from "../lib/me.ts";
import { closeSession } from "../lib/place.ts";
import { mayDocument, mayPlan } from "../lib/rights.ts";
import { deletion, delivery, statusChange } from "../lib/session-changes.ts";
import type { Session, SessionUtilization } from "../lib/wire.ts";
import type { Change } from "../lib/lines.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { useWarnings, WarningList } from "../parts/warnings.tsx";
import { useWriting } from "../parts/writing.tsx";
import { WhoIsFree } from "./who-is-free.tsx";

/** What can be done with a session, by who is signed in. */
export function SessionActions(properties: {
  session: Session;
  counted: SessionUtilization | undefined;
  isLoading: boolean;
  onEdit: () => void;
}) {
  const { session, counted, isLoading, onEdit } = properties;
  const authorizationId = counted?.authorizationId ?? undefined;
  const writing = useWriting();
  const removing = useWriting(closeSession);
  const [isAskingWho, setAskingWho] = useState(false);
  const isBusy = writing.isWriting || removing.isWriting || isLoading;
  const day = dateOf(session.startTime, practiceZone());
  const mayDecide = mayDocument("session", day);
  return (
    <div class="session-actions">
      {mayDecide && !holdsSlot(session) && (
        <HoldingWarnings session={session} authorizationId={authorizationId} />
      )}
      {mayDecide && <Statuses session={session} isBusy={isBusy} run={writing.run} />}
      {mayPlan() && (
        <div class="buttons">
          <Button disabled={isBusy || counted === undefined} onClick={onEdit}>
            Change time or people
          </Button>
          <Button aria-expanded={isAskingWho} onClick={() => setAskingWho(!isAskingWho)}>
            Who is free
          </Button>
          <Deletion
            // Undo needs the authorization.
            isBusy={isBusy || counted === undefined}
            onDelete={() => removing.run(deletion(session, authorizationId))}
          />
        </div>
      )}
      {isAskingWho && (
        <WhoIsFree
          session={session}
          isBusy={isBusy}
          onChoose={(change) => {
            setAskingWho(false);
            void writing.run(change);
          }}
        />
      )}
      {/* Below everything else, so that no other button moves under the pointer when it goes. */}
      {counted?.encounters.map(({ publicId, units }) => (
        <p key={publicId} class="delivered-units">
          ✓ Delivered: {countText(units, "unit")}
        </p>
      ))}
      {mayDocument("encounter", day) &&
        counted !== undefined &&
        authorizationId !== undefined &&
        counted.encounters.length === 0 && (
          <Deliver
            session={session}
            authorizationId={authorizationId}
            proposed={counted.units}
            isBusy={isBusy}
            onDeliver={writing.run}
          />
        )}
      {writing.notice}
      {removing.notice}
    </div>
  );
}

function Statuses(properties: {
  session: Session;
  isBusy: boolean;
  run: (change: Change) => Promise<void>;
}) {
  const { session, isBusy, run } = properties;
  return (
    <div class="choices" role="group" aria-label="Status">
      {STATUS_NAMES.map(([status, label]) => (
        <button
          key={status}
          type="button"
          aria-pressed={status === session.status}
          disabled={isBusy}
          onClick={() => {
            if (status !== session.status) void run(statusChange(session, status));
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** A button to delete the session, which asks first. */
function Deletion({ isBusy, onDelete }: { isBusy: boolean; onDelete: () => Promise<void> }) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <Button disabled={isBusy} onClick={() => setAsking(true)}>
        Delete
      </Button>
    );
  return (
    <>
      <span>Delete this session?</span>
      <Button class="danger" disabled={isBusy} onClick={onDelete}>
        Yes, delete it
      </Button>
      <Button onClick={() => setAsking(false)}>Keep it</Button>
    </>
  );
}

/** Warnings before confirming a session that was declined or missed, since its slot may be taken by now. */
function HoldingWarnings(properties: { session: Session; authorizationId: string | undefined }) {
  const { session, authorizationId } = properties;
  const warnings = useWarnings({
    sessions: [{ ...session, status: "CONFIRMED" }],
    instead: [session.publicId],
    authorizationOf: () => authorizationId,
    zone: practiceZone(),
  });
  if (!warnings.isKnown || warnings.sentences.length === 0) return null;
  return (
    <>
      <p class="hint">If it is confirmed again:</p>
      <WarningList warnings={warnings} />
    </>
  );
}

/** Documents that a session was delivered; suggests the units of its length. */
function Deliver(properties: {
  session: Session;
  authorizationId: string;
  /** The units of its length. */
  proposed: number | null;
  isBusy: boolean;
  onDeliver: (change: Change) => Promise<void>;
}) {
  const { session, authorizationId, proposed, isBusy, onDeliver } = properties;
  const [typed, setTyped] = useState<string>();
  if (!holdsSlot(session) || !hasBegun(session.startTime)) return null;
  const units = typed ?? String(proposed ?? 0);
  const isUnits = /^\d+(\.\d{1,6})?$/.test(units.trim());
  return (
    <form
      class="buttons"
      aria-label="Delivered"
      onSubmit={(event) => {
        event.preventDefault();
        if (isUnits) void onDeliver(delivery(session, authorizationId, Number(units)));
      }}
    >
      <Field
        class="inline short"
        label="Units"
        type="number"
        value={units}
        mistake={isUnits ? undefined : "Must be a number."}
        onType={setTyped}
      />
      <button type="submit" class="primary" disabled={isBusy || !isUnits}>
        Delivered: {isUnits ? countText(Number(units), "unit") : "? units"}
      </button>
    </form>
  );
}
