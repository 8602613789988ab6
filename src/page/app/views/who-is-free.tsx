import { useResponse } from "../lib/response.ts";
import { addDays, dateOf } from "../lib/dates.ts";
import { type Candidate, delivererField, freeStaff } from "../lib/free.ts";
import { practiceZone } from "../lib/me.ts";
import { nameOf, readPerson, useStaff } from "../lib/people.ts";
import { changeOf } from "../lib/session-changes.ts";
import { sessionsMeanwhile, sessionsOfDays } from "../lib/sessions.ts";
import type { Session, User } from "../lib/wire.ts";
import { findClashes } from "../lib/clashes.ts";
import { Failure } from "../lib/failure.ts";
import type { Change } from "../lib/lines.ts";
import { Button } from "../parts/button.tsx";
import { ResponseView } from "../parts/notices.tsx";

/** Who counts as knowing the patient, in days before the session. */
const LATELY = 90;

/**
 * The staff who could take a session over. It reads the whole clinic's day, since everybody's day says who is free, the
 * patient's team, and whom the patient has met.
 */
export function WhoIsFree(properties: {
  session: Session;
  isBusy: boolean;
  onChoose: (change: () => Promise<Change>) => void;
}) {
  const { session, isBusy, onChoose } = properties;
  const { publicId, clientId, startTime } = session;
  const zone = practiceZone();
  const field = delivererField(session);
  const staff = useStaff(field === "technicianId" ? "technician" : "clinician");
  const clinicians = useStaff("clinician").value ?? [];
  const response = useResponse(`free for ${publicId} ${startTime}`, async (signal) => {
    const day = dateOf(startTime, zone);
    const before = { first: addDays(day, -LATELY), count: LATELY, zone };
    const [sessions, earlier, patient] = await Promise.all([
      sessionsMeanwhile({}, [session], zone, signal),
      clientId === null ? [] : sessionsOfDays({ clientId }, before, signal),
      clientId === null ? undefined : readPerson(clientId, signal),
    ]);
    return { sessions, earlier, patient: patient?.role === "PATIENT" ? patient : undefined };
  });
  return (
    <ResponseView response={response}>
      {(around) => {
        const people = new Map(
          [...clinicians, ...(staff.value ?? [])].map((person) => [person.publicId, person]),
        );
        const candidates = freeStaff(session, [...people.values()], around);
        if (candidates.length === 0) return <p>Nobody is free at this time.</p>;
        return (
          <ul class="candidates" aria-label="Who is free">
            {candidates.map((candidate) => (
              <li key={candidate.person.publicId}>
                <Button
                  disabled={isBusy}
                  onClick={() => onChoose(() => handover(session, candidate.person))}
                >
                  <bdi>{nameOf(candidate.person)}</bdi>
                </Button>
                <span class="hint">{remarkOn(candidate)}</span>
              </li>
            ))}
          </ul>
        );
      }}
    </ResponseView>
  );
}

/**
 * The change by which somebody takes a session over.
 *
 * @throws Failure if they have become busy since the list was read.
 */
async function handover(session: Session, person: User): Promise<Change> {
  const { publicId } = session;
  const name = nameOf(person);
  const theirs = { ...session, [delivererField(session)]: person.publicId };
  const { signal } = new AbortController();
  const clashes = await findClashes([theirs], [publicId], practiceZone(), signal);
  if (clashes.get(publicId)?.staff.has(person.publicId))
    throw new Failure(`${name} has another session at this time by now. Nothing was written.`);
  const change = { [delivererField(session)]: person.publicId };
  return changeOf(session, change, `${name} takes the session over.`);
}

function remarkOn({ isOfTeam, hasMet, hasNoCredential }: Candidate): string {
  return [
    isOfTeam ? "patient’s team" : hasMet ? `with the patient in the last ${LATELY} days` : "",
    hasNoCredential ? "credentials ended" : "",
  ]
    .filter(Boolean)
    .join(", ");
}
