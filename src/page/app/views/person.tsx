import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useAnswer } from "../lib/answer.ts";
import { today } from "../lib/dates.ts";
import { ageText, dateText, phoneText, rangeText, words } from "../lib/format.ts";
import { practiceZone } from "../lib/me.ts";
import { kindOf, nameOf, readPerson, useNames } from "../lib/people.ts";
import { addressOf } from "../lib/place.ts";
import { writableRoles } from "../lib/rights.ts";
import type { User } from "../lib/wire.ts";
import { useNamed } from "../parts/named.ts";
import { Answered } from "../parts/notices.tsx";
import { AuthorizationList } from "./authorization-list.tsx";
import { EditPersonDialog } from "./person-form.tsx";

/** One person: the record, authorizations, and links to related people. */

export function Person({ id }: { id: string }) {
  const answer = useAnswer(id, (signal) => readPerson(id, signal));
  return (
    <main>
      <Heading id={id} person={answer.value} />
      <Answered answer={answer}>{(person) => <Record person={person} />}</Answered>
    </main>
  );
}

function Heading({ id, person }: { id: string; person: User | undefined }) {
  if (person !== undefined) return <Name person={person} />;
  return (
    <header class="view-header">
      <h1 tabIndex={-1}>Record</h1>
      <p class="lead">
        <code>{id}</code>
      </p>
    </header>
  );
}

function Name({ person }: { person: User }) {
  const [isEditing, setEditing] = useState(false);
  const { role, userStatus, isActive, publicId } = person;
  const whose = kindOf(role);
  return (
    <header class="view-header">
      <h1 tabIndex={-1}>
        <bdi>{nameOf(person)}</bdi>
      </h1>
      <p class="lead">
        {words(role)}
        {userStatus !== null && ` · ${words(userStatus)}`}
        {!isActive && " · inactive"}
      </p>
      <nav class="actions" aria-label="About this person">
        {whose !== undefined && (
          <a class="button" href={addressOf(["schedule"], { whose, person: publicId })}>
            Schedule
          </a>
        )}
        {role === "PATIENT" && (
          <a class="button" href={addressOf(["utilization"], { patientId: publicId })}>
            Current authorizations
          </a>
        )}
        {writableRoles().includes(role) && (
          <button type="button" onClick={() => setEditing(true)}>
            Edit
          </button>
        )}
      </nav>
      {isEditing && <EditPersonDialog id={publicId} onClose={() => setEditing(false)} />}
    </header>
  );
}

function Record({ person }: { person: User }) {
  return (
    <>
      {person.role === "PATIENT" && <AuthorizationList patient={person} />}
      <section class="panel">
        <h2>About</h2>
        <Facts facts={[...contactOf(person), ...aboutOf(person)]} />
      </section>
      {"payors" in person && person.payors.length > 0 && (
        <section class="panel">
          <h2>Insurance</h2>
          {person.payors.map((payor, index) => (
            <Insurance key={index} payor={payor} />
          ))}
        </section>
      )}
      {"credentials" in person && person.credentials.length > 0 && (
        <section class="panel">
          <h2>Credentials</h2>
          {person.credentials.map((credential, index) => (
            <Credential key={index} credential={credential} />
          ))}
        </section>
      )}
    </>
  );
}

/** A line of the record; omitted if it has no content. */
type Fact = [name: string, content: Exclude<ComponentChildren, boolean>];

function Facts({ facts }: { facts: Fact[] }) {
  const known = facts.filter(([, content]) => content !== null && content !== "");
  return (
    <dl class="fields">
      {known.map(([name, content]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{content}</dd>
        </div>
      ))}
    </dl>
  );
}

function contactOf(person: User): Fact[] {
  return [
    ["Email", person.email],
    ["Phone", phoneText(person.phoneNumber)],
    ["Address", addressText(person)],
  ];
}

interface Address {
  addressLine1: string | null;
  addressLine2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
}

/** `397 Orchard Avenue, Springfield, NY 10001` */
function addressText(address: Address): string {
  const region = [address.state, address.postalCode].filter(Boolean).join(" ");
  return [address.addressLine1, address.addressLine2, address.city, region]
    .filter(Boolean)
    .join(", ");
}

function aboutOf(person: User): Fact[] {
  const { birthDate, sex, caregiverId } = person;
  const facts: Fact[] = [
    ["Born", birthDate && bornText(birthDate)],
    ["Sex", sex && words(sex)],
    ["Caregiver", caregiverId && <PeopleLinks ids={[caregiverId]} />],
  ];
  if (person.role === "PATIENT")
    facts.push(
      ["Record number", person.internalRecordId],
      ["Clinicians", links(person.clinicianIds, { id: person.primaryClinicianId, is: "primary" })],
    );
  if ("careTeamTechnicianIds" in person)
    facts.push(["Supervises", links(person.careTeamTechnicianIds)]);
  if ("careTeamLeadIds" in person) facts.push(["Supervised by", links(person.careTeamLeadIds)]);
  if ("specializations" in person)
    facts.push(
      ["Specializations", person.specializations.map(({ name }) => name).join(", ")],
      ["Compliance", person.complianceCredentials.join(", ")],
    );
  if ("locationIds" in person) {
    const primary = "primaryLocationId" in person ? person.primaryLocationId : null;
    const ids = [...new Set([...(primary === null ? [] : [primary]), ...person.locationIds])];
    facts.push(["Locations", ids.length === 0 ? null : <Locations ids={ids} primary={primary} />]);
  }
  facts.push(["ID", <code>{person.publicId}</code>]);
  return facts;
}

function bornText(birthDate: string): string {
  const day = today(practiceZone());
  const date = dateText(birthDate);
  return birthDate > day ? date : `${date} (${ageText(birthDate, day)})`;
}

function links(ids: readonly string[], marked?: { id: string | null; is: string }) {
  return ids.length === 0 ? null : <PeopleLinks ids={ids} marked={marked} />;
}

function PeopleLinks(properties: {
  ids: readonly string[];
  marked?: { id: string | null; is: string } | undefined;
}) {
  const { ids, marked } = properties;
  const name = useNames(ids);
  return (
    <ul class="record-list">
      {ids.map((id) => (
        <li key={id}>
          <a href={addressOf(["people", id])}>
            <bdi>{name(id)}</bdi>
          </a>
          {marked?.id === id && <small> {marked.is}</small>}
        </li>
      ))}
    </ul>
  );
}

function Locations({ ids, primary }: { ids: readonly string[]; primary: string | null }) {
  const name = useNamed("locations");
  return (
    <ul class="record-list">
      {ids.map((id) => (
        <li key={id}>
          {name(id)}
          {id === primary && ids.length > 1 && <small> primary</small>}
        </li>
      ))}
    </ul>
  );
}

type Payor = Extract<User, { role: "PATIENT" }>["payors"][number];

function Insurance({ payor }: { payor: Payor }) {
  const { effectiveStartDate: from, effectiveEndDate: to } = payor;
  return (
    <div class="entry">
      <h3>
        {payor.payorName} <small>{words(payor.priority).toLowerCase()}</small>
      </h3>
      <Facts
        facts={[
          ["Member ID", payor.memberId],
          ["Group", payor.groupId],
          ["Plan holder", payor.planHolder],
          [
            "Holder is the patient’s",
            payor.relationshipToPatient === "SELF" ? null : words(payor.relationshipToPatient),
          ],
          ["Holder born", dateText(payor.insuredBirthDate)],
          ["Holder’s address", addressText(payor.insuredAddress)],
          ["In effect", to === null ? `since ${dateText(from)}` : rangeText(from, to)],
        ]}
      />
    </div>
  );
}

type ProviderCredential = Extract<User, { role: "TECHNICIAN" }>["credentials"][number];

function Credential({ credential }: { credential: ProviderCredential }) {
  const { credentialType, practiceArea, credentialNumber, credentialStatus } = credential;
  return (
    <div class="entry">
      <h3>
        {credentialType}{" "}
        <small>{[practiceArea, credentialStatus].filter(Boolean).join(" · ")}</small>
      </h3>
      <Facts
        facts={[
          ["Number", credentialNumber],
          ["Expires", credential.expiresAt && dateText(credential.expiresAt)],
          ...credential.payorCredentialing.map((each): Fact => [
            each.payor.name,
            [
              words(each.status),
              each.endDate === null
                ? `since ${dateText(each.startDate)}`
                : rangeText(each.startDate, each.endDate),
              each.notes,
            ]
              .filter(Boolean)
              .join(" · "),
          ]),
        ]}
      />
    </div>
  );
}
