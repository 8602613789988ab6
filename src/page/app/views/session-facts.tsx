import { authorizationsOf } from "../lib/authorizations.ts";
import { clinicianOf, peopleOf } from "../lib/overlaps.ts";
import { SESSION_STATUSES, whenText, words } from "../lib/format.ts";
import { practiceZone } from "../lib/me.ts";
import { useNames, usePerson } from "../lib/people.ts";
import { addressOf } from "../lib/place.ts";
import type { Session, SessionUtilization } from "../lib/wire.ts";
import { Facts } from "../parts/facts.tsx";
import { useNamed } from "../parts/named.ts";
import { PersonLink } from "../parts/person-link.tsx";
import { OutsideTerm } from "../parts/outside-term.tsx";

/** What a session's dialog says of it. */
export function SessionFacts(properties: {
  session: Session;
  counted: SessionUtilization | undefined;
}) {
  const { session, counted } = properties;
  const name = useNames(peopleOf(session));
  const location = useNamed("locations");
  const person = (id: string | null) => id && <PersonLink id={id} name={name(id)} />;
  return (
    <Facts
      facts={[
        ["Time", whenText(session, practiceZone())],
        ["Status", SESSION_STATUSES[session.status]],
        ["Patient", person(session.clientId)],
        ["Clinician", person(clinicianOf(session))],
        ["Technician", person(session.technicianId)],
        ["Place", `${words(session.placeOfService)}, ${location(session.locationId)}`],
        ["Does not count", counted?.reason ?? null],
        [
          "Service",
          session.isBillable ? (
            <Service session={session} id={counted?.authorizationId ?? undefined} />
          ) : null,
        ],
      ]}
    />
  );
}

function Service(properties: {
  session: Extract<Session, { isBillable: true }>;
  /** Of its authorization. */
  id: string | undefined;
}) {
  const { session, id } = properties;
  const serviceLine = useNamed("service-lines");
  const patient = usePerson(session.clientId ?? undefined).value;
  const authorization =
    patient?.role === "PATIENT"
      ? authorizationsOf(patient).find(({ publicId }) => publicId === id)
      : undefined;
  return (
    <>
      {serviceLine(session.services)}
      {id !== undefined && (
        <>
          <br />
          <a href={addressOf(["utilization", id])}>{authorization?.number ?? "Authorization"}</a>
        </>
      )}
      <OutsideTerm term={authorization} />
    </>
  );
}
