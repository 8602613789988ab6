import { type ResponseState, useResponse } from "../../lib/base/response.ts";
import { getAll } from "../../lib/base/api.ts";
import { addDays, dateOf, type Instant } from "../../lib/base/dates.ts";
import { Failure } from "../../lib/base/failure.ts";
import { countText } from "../../lib/base/format.ts";
import {
  type Candidate,
  daysText,
  fieldOf,
  freeStaff,
  LATELY,
  remarkOn,
  type StaffFieldName,
} from "../../lib/session/free.ts";
import type { Change } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { nameOf, readPerson, useStaffRecords } from "../../lib/person/people.ts";
import { isGroupAmong } from "../../lib/session/overlaps.ts";
import { sessionsDuring } from "../../lib/session/sessions.ts";
import { changeOf } from "../../lib/session/session-changes.ts";
import { changeOfAll } from "../../lib/session/together.ts";
import type { Finding, Service, Session } from "../../lib/base/wire.ts";
import { findingsOf } from "../../lib/base/write.ts";
import { Button } from "../../parts/base/button.tsx";
import { useNamedList } from "../../parts/base/named.ts";
import { ResponseView } from "../../parts/base/notices.tsx";
import { PhoneLink } from "../../parts/base/phone-link.tsx";

/**
 * The staff who could take a session over, or several of a slot. It reads the whole clinic's days, since everybody's day
 * says who is free, the patient's team, and whom the patient has met.
 */
export function WhoIsFree(properties: {
  sessions: readonly [Session, ...Session[]];
  /** Whom they replace, if it is not whoever delivers it. */
  personId?: string;
  isBusy: boolean;
  onChoose: (change: () => Promise<Change>) => void;
}) {
  const { sessions, personId, isBusy, onChoose } = properties;
  const [first] = sessions;
  const field = fieldOf(first, personId);
  const response = useFree(sessions, field);
  return (
    <ResponseView response={response}>
      {({ candidates, patientName }) => {
        if (candidates.length === 0) return <p>Nobody is free at this time.</p>;
        return (
          <ul class="candidates" aria-label="Who is free">
            {candidates.map((candidate) => (
              <li key={candidate.person.publicId}>
                <Button
                  disabled={isBusy}
                  onClick={() => onChoose(() => handover(sessions, field, candidate))}
                >
                  <bdi>{nameOf(candidate.person)}</bdi>
                </Button>
                <span class="hint">
                  {remarkOn(candidate, patientName, practiceZone())}
                  {candidate.person.phoneNumber !== "" && (
                    <>
                      {" "}
                      <PhoneLink number={candidate.person.phoneNumber} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        );
      }}
    </ResponseView>
  );
}

/** Who could take sessions of a slot, and the patient's first name; nothing is asked without a session. */
export function useFree(
  sessions: readonly Session[],
  field: StaffFieldName,
): ResponseState<{ candidates: Candidate[]; patientName: string | undefined }> {
  const zone = practiceZone();
  const [first, ...others] = sessions;
  const staff = useStaffRecords(first && (field === "technicianId" ? "technician" : "clinician"));
  const question = sessions.map(
    ({ publicId, clientId, startTime, endTime }) =>
      `${publicId} ${clientId} ${startTime} ${endTime}`,
  );
  const services = useNamedList<Service>("service-lines");
  const response = useResponse(first && `free for ${question.join()}`, async (reading) => {
    const { clientId = null, startTime = "" as Instant } = first ?? {};
    const day = dateOf(startTime, zone);
    const lately = { startDate: addDays(day, -LATELY), endDate: addDays(day, -1), timezone: zone };
    const [around, earlier, patient] = await Promise.all([
      sessionsDuring(sessions, zone, reading),
      clientId === null ? [] : getAll<Session>("sessions", { clientId, ...lately }, reading),
      clientId === null ? undefined : readPerson(clientId, reading),
    ]);
    return { around, earlier, patient: patient?.role === "PATIENT" ? patient : undefined };
  });
  if (staff.value === undefined) return { ...staff, value: undefined };
  if (first === undefined || response.value === undefined) return { ...response, value: undefined };
  const { around, earlier, patient } = response.value;
  const candidates = freeStaff([first, ...others], staff.value, {
    ...{ sessions: around, earlier, patient, field, zone },
    isGroupService: isGroupAmong(services),
  });
  return { ...response, value: { candidates, patientName: patient?.firstName } };
}

/**
 * The change by which somebody takes sessions over: those for which they are free.
 *
 * @throws Failure if they have become busy since the list was read.
 */
async function handover(
  sessions: readonly [Session, ...Session[]],
  field: StaffFieldName,
  { person, free, busy }: Candidate,
): Promise<Change> {
  const zone = practiceZone();
  const name = nameOf(person);
  const change = { [field]: person.publicId };
  const others = busy.length > 0 ? ` ${daysText(busy, zone)} stay as they are.` : "";
  const taken =
    sessions.length === 1
      ? changeOf(sessions[0], change, `${name} takes the session over.`)
      : changeOfAll(
          free.map((session) => ({ session, change })),
          `${name} takes ${countText(free.length, "session")} over.${others}`,
        );
  const { brought } = await findingsOf(taken.lines);
  const isTaken = ({ check, providerId }: Finding): boolean =>
    check === "PROVIDER_OVERLAP" && providerId === person.publicId;
  if (brought.some(isTaken))
    throw new Failure(`${name} has another session at this time by now. Nothing was written.`);
  return taken;
}
