import { useState } from "preact/hooks";
import { get, getAll, readRecord, type Reading } from "../../lib/base/api.ts";
import { holdsSlot } from "../../lib/session/overlaps.ts";
import { type CalendarDate, parseCalendarDate, today } from "../../lib/base/dates.ts";
import { addressText, mapAddress, phoneAddress } from "../../lib/person/contact.ts";
import {
  countText,
  dayText,
  phoneText,
  SESSION_STATUSES,
  timesText,
  words,
} from "../../lib/base/format.ts";
import { me, practiceZone } from "../../lib/base/me.ts";
import { nameOf, type PersonRecord, usePeople } from "../../lib/person/people.ts";
import { addressOf, parameter } from "../../lib/base/place.ts";
import { useRemembered } from "../../lib/base/response.ts";
import { mayDocument, mayRecord } from "../../lib/base/rights.ts";
import { delivery, statusChange, undelivery } from "../../lib/session/session-changes.ts";
import type { Session, SessionUtilization } from "../../lib/base/wire.ts";
import { isToDocument, isToRecord } from "../../lib/schedule/my-day.ts";
import { ofPerson } from "../../lib/session/sessions.ts";
import { Button } from "../../parts/base/button.tsx";
import { useCalmButtons } from "../../parts/schedule/calm-buttons.ts";
import { ResponseView, Empty } from "../../parts/base/notices.tsx";
import { OtherDays } from "../../parts/schedule/other-days.tsx";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { useNamed } from "../../parts/base/named.ts";
import { SessionLink } from "../../parts/session/session-link.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { useWriting } from "../../parts/base/writing.tsx";

/** One's own sessions of a day, for a phone: each is delivered, missed or cancelled by one tap. */

interface OwnSession {
  session: Session;
  /** Whether it is documented, and the units of its length; undefined where that is no question yet. */
  counted: SessionUtilization | undefined;
}

export function MyDay() {
  const zone = practiceZone();
  const day = parseCalendarDate(parameter("date") ?? "") ?? today(zone);
  const response = useRemembered(`my day ${day}`, (reading) => ownSessions(day, reading));
  useCalmButtons(response.isLoading);
  const sessions = response.value ?? [];
  const clients = usePeople(sessions.flatMap(({ session }) => session.clientId ?? []));
  const caregivers = usePeople(
    [...(clients.value?.values() ?? [])].flatMap(({ caregiverId }) => caregiverId ?? []),
  );
  return (
    <main class="my-day">
      <ViewHeader title="My day" lead={dayText(day)}>
        <OtherDays day={day} step={1} />
      </ViewHeader>
      <ResponseView response={response}>
        {(shown) =>
          shown.length === 0 ? (
            <Empty>No session starts on this day.</Empty>
          ) : (
            <ol>
              {shown.map((own) => {
                const client = clients.value?.get(own.session.clientId ?? "");
                const caregiver = caregivers.value?.get(client?.caregiverId ?? "");
                return <Own key={own.session.publicId} {...{ ...own, client, caregiver }} />;
              })}
            </ol>
          )
        }
      </ResponseView>
    </main>
  );
}

/** That sessions are documented is no part of them: it is asked for with each that has ended. */
async function ownSessions(day: CalendarDate, reading?: Reading): Promise<OwnSession[]> {
  const { role, userId } = me().key;
  const ofDay = { startDate: day, endDate: day, timezone: practiceZone() };
  const query = { ...ofPerson(userId, role), ...ofDay };
  const sessions = await getAll<Session>("sessions", query, reading);
  const counted = (session: Session): Promise<SessionUtilization> | undefined =>
    isToDocument(session)
      ? get(`sessions/${encodeURIComponent(session.publicId)}/utilization`, reading)
      : undefined;
  return Promise.all(
    sessions.map(async (session) => ({ session, counted: await counted(session) })),
  );
}

function Own(
  properties: OwnSession & {
    client: PersonRecord | undefined;
    caregiver: PersonRecord | undefined;
  },
) {
  const { session, counted, client, caregiver } = properties;
  const writing = useWriting();
  const locationName = useNamed("locations");
  return (
    <li class={`panel status-${session.status.toLowerCase()}`}>
      <h2>
        <SessionLink id={session.publicId}>
          <time dateTime={session.startTime}>{timesText(session, practiceZone())}</time>
        </SessionLink>{" "}
        {client === undefined ? (
          <bdi>{session.clientId === null ? session.title : "…"}</bdi>
        ) : (
          <PersonLink id={client.publicId} name={nameOf(client)} />
        )}
      </h2>
      <p class="hint">
        {session.isSupervision && "Supervision, "}
        {words(session.placeOfService)}
        {!isAtHome(session) && session.locationId && `, ${locationName(session.locationId)}`}
        {session.status !== "CONFIRMED" &&
          holdsSlot(session) &&
          `, ${SESSION_STATUSES[session.status]}`}
      </p>
      {client !== undefined && (
        <Family client={client} caregiver={caregiver} isVisited={isAtHome(session)} />
      )}
      {mayRecord() && isToRecord(session) && (
        <p>
          <a class="button" href={addressOf(["record", session.publicId])}>
            Record
          </a>
        </p>
      )}
      {mayDocument("session", session) && (
        <Outcome session={session} counted={counted} writing={writing} />
      )}
      {writing.notice}
    </li>
  );
}

/** Whether somebody goes to the family: elsewhere, their address is where the session is not. */
function isAtHome({ placeOfService }: Session): boolean {
  return placeOfService === "HOME";
}

/** Where the family lives, if that is where to go, and whom to call. */
function Family(properties: {
  client: PersonRecord;
  caregiver: PersonRecord | undefined;
  isVisited: boolean;
}) {
  const { client, caregiver, isVisited } = properties;
  const address = isVisited ? addressText(client) : "";
  if (address === "" && !caregiver?.phoneNumber) return null;
  return (
    <p class="family">
      {address !== "" && <a href={mapAddress(address)}>{address}</a>}
      {caregiver?.phoneNumber && (
        <a href={phoneAddress(caregiver.phoneNumber)}>
          <bdi>{nameOf(caregiver)}</bdi> {phoneText(caregiver.phoneNumber)}
        </a>
      )}
    </p>
  );
}

/** What has become of the session, in one line with a way back; before that, the buttons that say so. */
function Outcome(properties: OwnSession & { writing: ReturnType<typeof useWriting> }) {
  const { session, counted, writing } = properties;
  // What the status was before this view changed it.
  const [before, setBefore] = useState<Session["status"]>("CONFIRMED");
  const { encounters = [], authorizationId = null, units = null } = counted ?? {};
  const run = (change: ReturnType<typeof statusChange>) =>
    void writing.run({ ...change, isShown: true });
  const change = (status: Session["status"]): void => {
    setBefore(session.status);
    run(statusChange(session, status));
  };
  const [encounter] = encounters;
  if (encounter !== undefined) {
    const delivered = encounters.reduce((sum, each) => sum + each.units, 0);
    const mayUndo = encounters.length === 1 && mayDocument("encounter", session);
    return (
      <Done
        said={`✓ Delivered, ${countText(delivered, "unit")}`}
        isBusy={writing.isWriting}
        onUndo={
          mayUndo
            ? () =>
                void writing.run(async () => ({
                  ...undelivery(session, await readRecord("encounter", encounter.publicId)),
                  isShown: true,
                }))
            : undefined
        }
      />
    );
  }
  if (!holdsSlot(session))
    return (
      <Done
        said={SESSION_STATUSES[session.status]}
        isBusy={writing.isWriting}
        onUndo={() => run(statusChange(session, before))}
      />
    );
  return (
    <div class="buttons">
      {authorizationId !== null && units !== null && mayDocument("encounter", session) && (
        <Button
          class="primary"
          disabled={writing.isWriting}
          onClick={() => run(delivery(session, authorizationId, units))}
        >
          Delivered: {countText(units, "unit")}
        </Button>
      )}
      {session.clientId !== null && (
        <Button disabled={writing.isWriting} onClick={() => change("PATIENT_NO_SHOW")}>
          No-show
        </Button>
      )}
      <Button disabled={writing.isWriting} onClick={() => change("DECLINED")}>
        Cancelled
      </Button>
    </div>
  );
}

function Done(properties: { said: string; isBusy: boolean; onUndo: (() => void) | undefined }) {
  const { said, isBusy, onUndo } = properties;
  return (
    <p role="status">
      {said}
      {onUndo !== undefined && (
        <>
          {" · "}
          <Button class="link" disabled={isBusy} onClick={onUndo}>
            Undo
          </Button>
        </>
      )}
    </p>
  );
}
