import { authorizationsOf } from "../../lib/authorizations/authorizations.ts";
import { clinicianOf, peopleOf } from "../../lib/session/overlaps.ts";
import { SESSION_STATUSES, whenText, words } from "../../lib/base/format.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { useNames, usePerson } from "../../lib/person/people.ts";
import { addressOf } from "../../lib/base/place.ts";
import type { Session, SessionUtilization } from "../../lib/base/wire.ts";
import { Facts } from "../../parts/base/facts.tsx";
import { useNamed } from "../../parts/base/named.ts";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { OutsideTerm } from "../../parts/authorizations/outside-term.tsx";

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
