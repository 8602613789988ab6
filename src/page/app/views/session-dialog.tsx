import { useState } from "preact/hooks";
import { useResponse, useGet } from "../lib/response.ts";
import { authorizationsOf } from "../lib/authorizations.ts";
import { holdsSlot, peopleOf } from "../lib/booking.ts";
import { dateOf, hasBegun, type TimeZone } from "../lib/dates.ts";
import { countText, SESSION_STATUSES, whenText, words } from "../lib/format.ts";
import { practiceZone } from "../lib/me.ts";
import { openedSession } from "../lib/opened.ts";
import { useNames, usePerson } from "../lib/people.ts";
import { addressOf } from "../lib/place.ts";
import { mayDocument, mayPlan } from "../lib/rights.ts";
import { deletion, delivery, getSession, statusChange } from "../lib/session-changes.ts";
import type { Session, SessionUtilization } from "../lib/wire.ts";
import type { Change } from "../lib/write.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { useNamed } from "../parts/named.ts";
import { ResponseView, FailureNotice } from "../parts/notices.tsx";
import { OutsideTerm } from "../parts/outside-term.tsx";
import { useWarnings, WarningList } from "../parts/warnings.tsx";
import { useWriting } from "../parts/writing.tsx";
import { SessionForm } from "./session-form.tsx";
import { WhoIsFree } from "./who-is-free.tsx";

/** A dialog with one session and its actions. */
export function SessionDialog() {
  const id = openedSession.value;
  if (id === undefined) return null;
  return <Opened key={id} id={id} />;
}

function close(): void {
  openedSession.value = undefined;
}

function Opened({ id }: { id: string }) {
  const zone = practiceZone();
  const response = useResponse(id, (signal) => getSession(id, signal));
  return (
    <Dialog title={response.value?.title ?? "Session"} onClose={close}>
      <ResponseView response={response}>
        {(session) => (
          <Details
            session={session}
            since={response.sequence}
            zone={zone}
            isLoading={response.isLoading}
          />
        )}
      </ResponseView>
    </Dialog>
  );
}

function Details(properties: {
  session: Session;
  since: number | undefined;
  zone: TimeZone;
  /** Whether the session is being loaded again, after a write. */
  isLoading: boolean;
}) {
  const { session, since, zone, isLoading } = properties;
  // Until it is loaded, actions that depend on it are not offered.
  const response = useGet<SessionUtilization>(
    `sessions/${encodeURIComponent(session.publicId)}/utilization`,
  );
  const counted = response.value;
  const authorizationId = counted?.authorizationId ?? undefined;
  const [isEditing, setEditing] = useState(false);
  if (isEditing)
    return (
      <SessionForm
        session={session}
        since={since}
        authorizationId={authorizationId}
        zone={zone}
        onDone={() => setEditing(false)}
      />
    );
  return (
    <>
      <Facts
        session={session}
        zone={zone}
        authorizationId={authorizationId}
        reason={counted?.reason ?? null}
      />
      {response.failure && <FailureNotice failure={response.failure} again={response.again} />}
      <Actions
        session={session}
        since={since}
        counted={counted}
        isLoading={isLoading}
        onEdit={() => setEditing(true)}
      />
    </>
  );
}

function Facts(properties: {
  session: Session;
  zone: TimeZone;
  authorizationId: string | undefined;
  /** Why its units do not count; null if they do. */
  reason: string | null;
}) {
  const { session, zone, authorizationId, reason } = properties;
  const name = useNames(peopleOf(session));
  const location = useNamed("locations");
  const { clientId, technicianId } = session;
  const clinicianId = session.isBillable ? session.clinicianId : null;
  const person = (label: string, id: string | null) =>
    id !== null && (
      <div>
        <dt>{label}</dt>
        <dd>
          <a href={addressOf(["people", id])} onClick={close}>
            <bdi>{name(id)}</bdi>
          </a>
        </dd>
      </div>
    );
  return (
    <dl class="fields">
      <div>
        <dt>Time</dt>
        <dd>{whenText(session, zone)}</dd>
      </div>
      <div>
        <dt>Status</dt>
        <dd>{SESSION_STATUSES[session.status]}</dd>
      </div>
      {person("Patient", clientId)}
      {person("Clinician", clinicianId)}
      {person("Technician", technicianId)}
      <div>
        <dt>Place</dt>
        <dd>
          {words(session.placeOfService)}, {location(session.locationId)}
        </dd>
      </div>
      {reason !== null && (
        <div>
          <dt>Does not count</dt>
          <dd>{reason}</dd>
        </div>
      )}
      {session.isBillable && <Authorization session={session} id={authorizationId} zone={zone} />}
    </dl>
  );
}

function Authorization(properties: {
  session: Extract<Session, { isBillable: true }>;
  id: string | undefined;
  zone: TimeZone;
}) {
  const { session, id, zone } = properties;
  const serviceLine = useNamed("service-lines");
  const patient = usePerson(session.clientId ?? undefined).value;
  const authorization =
    patient?.role === "PATIENT"
      ? authorizationsOf(patient).find(({ publicId }) => publicId === id)
      : undefined;
  return (
    <div>
      <dt>Service</dt>
      <dd>
        {serviceLine(session.services)}
        {id !== undefined && (
          <>
            <br />
            <a href={addressOf(["utilization", id])} onClick={close}>
              {authorization?.number ?? "Authorization"}
            </a>
          </>
        )}
        <OutsideTerm term={authorization} zone={zone} />
      </dd>
    </div>
  );
}

function Actions(properties: {
  session: Session;
  /** The sequence with which it was read. */
  since: number | undefined;
  counted: SessionUtilization | undefined;
  isLoading: boolean;
  onEdit: () => void;
}) {
  const { session, since, counted, isLoading, onEdit } = properties;
  const authorizationId = counted?.authorizationId ?? undefined;
  const writing = useWriting();
  const removing = useWriting(close);
  const [isDeleting, setDeleting] = useState(false);
  const [isAskingWho, setAskingWho] = useState(false);
  const isBusy = writing.isWriting || removing.isWriting || isLoading;
  const mayBook = mayPlan();
  const day = dateOf(session.startTime, practiceZone());
  const mayDecide = mayDocument("session", day);
  return (
    <div class="session-actions">
      {mayDecide && !holdsSlot(session) && (
        <HoldingWarnings session={session} authorizationId={authorizationId} />
      )}
      {mayDecide && (
        <div class="choices" role="group" aria-label="Status">
          {(Object.entries(SESSION_STATUSES) as [Session["status"], string][]).map(
            ([status, label]) => (
              <button
                key={status}
                type="button"
                aria-pressed={status === session.status}
                disabled={isBusy}
                onClick={() => {
                  if (status !== session.status)
                    void writing.run(statusChange(session, status, since));
                }}
              >
                {label}
              </button>
            ),
          )}
        </div>
      )}
      {mayBook && (
        <div class="buttons">
          <button type="button" disabled={isBusy || counted === undefined} onClick={onEdit}>
            Change time or people
          </button>
          <button
            type="button"
            aria-expanded={isAskingWho}
            onClick={() => setAskingWho(!isAskingWho)}
          >
            Who is free
          </button>
          {isDeleting ? (
            <>
              <span>Delete this session?</span>
              <button
                type="button"
                class="danger"
                disabled={isBusy}
                onClick={() => removing.run(deletion(session, authorizationId, since))}
              >
                Yes, delete it
              </button>
              <button type="button" onClick={() => setDeleting(false)}>
                Keep it
              </button>
            </>
          ) : (
            <button
              type="button"
              // Undo needs the authorization.
              disabled={isBusy || counted === undefined}
              onClick={() => setDeleting(true)}
            >
              Delete
            </button>
          )}
        </div>
      )}
      {isAskingWho && (
        <WhoIsFree
          session={session}
          since={since}
          zone={practiceZone()}
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
            since={since}
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

/** Warnings before confirming a session that was declined or missed, since its slot may be taken by now. */
function HoldingWarnings(properties: { session: Session; authorizationId: string | undefined }) {
  const { session, authorizationId } = properties;
  const warnings = useWarnings({
    planned: [{ ...session, status: "CONFIRMED" }],
    instead: [session.publicId],
    authorizationId,
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
  since: number | undefined;
  authorizationId: string;
  /** The units of its length. */
  proposed: number | null;
  isBusy: boolean;
  onDeliver: (change: Change) => Promise<void>;
}) {
  const { session, since, authorizationId, proposed, isBusy, onDeliver } = properties;
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
        if (isUnits) void onDeliver(delivery(session, authorizationId, Number(units), since));
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
