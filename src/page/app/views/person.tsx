import { dateText, rangeText, unitsText, words } from "../lib/format.ts";
import { nameOf, useNames, usePerson } from "../lib/people.ts";
import { addressOf } from "../lib/place.ts";
import type { User } from "../lib/wire.ts";
import { useNamed } from "../parts/named.ts";
import { Answered } from "../parts/notices.tsx";

/** One person: every field that the API has, and the ways to authorizations and to people around. */

type Patient = Extract<User, { role: "PATIENT" }>;

/** Fields that the view shows in a form of their own. */
const SHOWN_APART = new Set(["firstName", "lastName", "authorizations", "authorizationPools"]);

/** Fields with ids of people. */
const PEOPLE_FIELDS = new Set([
  "caregiverId",
  "clinicianIds",
  "primaryClinicianId",
  "careTeamTechnicianIds",
  "careTeamLeadIds",
]);

/** Fields with ids of locations. */
const LOCATION_FIELDS = new Set(["locationIds", "primaryLocationId"]);

/** Who has sessions, as the schedule calls them. */
const WITH_SESSIONS: Partial<Record<User["role"], string>> = {
  PATIENT: "patient",
  TECHNICIAN: "technician",
  CLINICIAN: "clinician",
  CLINICAL_ADMIN: "clinician",
  CLINICAL_SUPERADMIN: "clinician",
};

export function Person({ id }: { id: string }) {
  const answer = usePerson(id);
  return (
    <main>
      <Heading id={id} person={answer.value} />
      <Answered answer={answer}>{(person) => <Record person={person} />}</Answered>
    </main>
  );
}

function Heading({ id, person }: { id: string; person: User | undefined }) {
  if (person === undefined)
    return (
      <header class="view-header">
        <h1 tabIndex={-1}>Record</h1>
        <p class="lead">
          <code>{id}</code>
        </p>
      </header>
    );
  const { role, userStatus, isActive, publicId } = person;
  return (
    <header class="view-header">
      <h1 tabIndex={-1}>{nameOf(person)}</h1>
      <p class="lead">
        {words(role)}
        {userStatus !== null && ` · ${words(userStatus)}`}
        {!isActive && " · inactive"}
      </p>
      <nav class="actions" aria-label="About this person">
        <ScheduleLink person={person} />
        {role === "PATIENT" && (
          <a class="button" href={addressOf(["utilization"], { patientId: publicId })}>
            Live authorizations
          </a>
        )}
      </nav>
    </header>
  );
}

function Record({ person }: { person: User }) {
  const fields = Object.entries(person).filter(([name]) => !SHOWN_APART.has(name));
  const lists = fields.filter(([, value]) => isList(value) && value.some(isRecord));
  const single = fields.filter((field) => !lists.includes(field));
  return (
    <>
      {person.role === "PATIENT" && <Authorizations patient={person} />}
      <section class="panel">
        <h2>Record</h2>
        <Fields fields={single} />
      </section>
      {lists.map(([name, value]) => (
        <section key={name} class="panel">
          <h2>{label(name)}</h2>
          <List name={name} items={value as unknown[]} />
        </section>
      ))}
    </>
  );
}

function ScheduleLink({ person: { role, publicId } }: { person: User }) {
  const whose = WITH_SESSIONS[role];
  if (whose === undefined) return null;
  return (
    <a class="button" href={addressOf(["schedule"], { whose, person: publicId })}>
      Schedule
    </a>
  );
}

function Authorizations({ patient }: { patient: Patient }) {
  const rows = [
    ...patient.authorizationPools.flatMap((pool) => [
      {
        id: pool.publicId,
        name: `Shared pool, ${pool.payor.name}`,
        number: "",
        units: pool.isUnlimited ? "no limit" : unitsText(pool.totalUnits),
        frequency: pool.unitFrequency,
        dates: "",
        status: "",
        isMember: false,
      },
      ...pool.authorizations.map((authorization) => ({
        ...described(authorization),
        units: "",
        frequency: "",
        isMember: true,
      })),
    ]),
    ...patient.authorizations.map((authorization) => ({
      ...described(authorization),
      units: unitsText(authorization.authorizedUnitsQuantity),
      frequency: authorization.authorizedUnitFrequency,
      isMember: false,
    })),
  ];
  return (
    <section class="panel">
      <h2>Authorizations</h2>
      {rows.length === 0 ? (
        <p>None.</p>
      ) : (
        <div class="scroller" tabIndex={0} role="region" aria-label="Authorizations">
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">Authorization</th>
                <th scope="col">Number</th>
                <th scope="col" class="number">
                  Units
                </th>
                <th scope="col">Per</th>
                <th scope="col">Dates</th>
                <th scope="col">Status</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row" class={row.isMember ? "member" : undefined}>
                    <a href={addressOf(["utilization", row.id])}>{row.name}</a>
                  </th>
                  <td>{row.number}</td>
                  <td class="number">{row.units}</td>
                  <td>{words(row.frequency)}</td>
                  <td>{row.dates}</td>
                  <td>{words(row.status)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function described(authorization: Patient["authorizationPools"][number]["authorizations"][number]) {
  const { authorizationDate, authorizationExpirationDate } = authorization;
  return {
    id: authorization.publicId,
    name: authorization.serviceLine.name,
    number: authorization.authorizationNumber,
    dates: rangeText(authorizationDate, authorizationExpirationDate),
    status: authorization.authorizationStatus,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !isList(value);
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/** `addressLine1` as `Address line 1`. */
function label(field: string): string {
  return words(field.replace(/([A-Z]|\d+)/g, " $1"));
}

function Fields({ fields }: { fields: [string, unknown][] }) {
  return (
    <dl class="fields">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{label(name)}</dt>
          <dd>
            <Value name={name} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function List({ name, items }: { name: string; items: unknown[] }) {
  if (items.length === 0) return <span class="none">–</span>;
  return (
    <ul class="record-list">
      {items.map((item, index) => (
        <li key={index}>
          <Value name={name} value={item} />
        </li>
      ))}
    </ul>
  );
}

function Value({ name, value }: { name: string; value: unknown }) {
  if (value === null || value === "") return <span class="none">–</span>;
  if (isList(value)) return <List name={name} items={value} />;
  if (isRecord(value)) {
    const parts = Object.values(value);
    // An address, or an id with its name.
    if (parts.every((part) => part === null || typeof part === "string"))
      return <>{parts.filter(Boolean).join(", ")}</>;
    return <Fields fields={Object.entries(value)} />;
  }
  if (typeof value === "boolean") return <>{value ? "Yes" : "No"}</>;
  const text = String(value);
  if (PEOPLE_FIELDS.has(name)) return <PersonLink id={text} />;
  if (LOCATION_FIELDS.has(name)) return <LocationName id={text} />;
  return <>{/^\d{4}-\d{2}-\d{2}$/.test(text) ? dateText(text) : text}</>;
}

function LocationName({ id }: { id: string }) {
  return <>{useNamed("locations")(id)}</>;
}

function PersonLink({ id }: { id: string }) {
  const name = useNames();
  return <a href={addressOf(["people", id])}>{name(id)}</a>;
}
