import type { ComponentChildren } from "preact";
import { addressText } from "../../lib/person/contact.ts";
import { today } from "../../lib/base/dates.ts";
import { ageText, dateText, rangeText, words } from "../../lib/base/format.ts";
import { instantDayText, practiceZone } from "../../lib/base/me.ts";
import { nameOf, useNames, usePerson } from "../../lib/person/people.ts";
import type { User } from "../../lib/base/wire.ts";
import { type Fact, Facts } from "../../parts/base/facts.tsx";
import { useNamed } from "../../parts/base/named.ts";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { PhoneLink } from "../../parts/base/phone-link.tsx";

/** What a person's record says. */

export function contactOf(person: User): Fact[] {
  return [
    ["Phone", person.phoneNumber && <PhoneLink number={person.phoneNumber} />],
    ["Email", person.email],
    ["Caregiver", person.caregiverId && <Caregiver id={person.caregiverId} />],
    ["Address", addressText(person)],
  ];
}

/** Whom to call about a patient. */
function Caregiver({ id }: { id: string }) {
  const person = usePerson(id).value;
  return (
    <>
      <PersonLink id={id} name={person === undefined ? "…" : nameOf(person)} />
      {person?.phoneNumber && (
        <>
          {", "}
          <PhoneLink number={person.phoneNumber} />
        </>
      )}
    </>
  );
}

export function aboutOf(person: User): Fact[] {
  const { birthDate, sex } = person;
  const facts: Fact[] = [
    ["Born", birthDate && bornText(birthDate)],
    ["Sex", sex && words(sex)],
  ];
  if (person.role === "PATIENT")
    facts.push(
      ["Record number", person.internalRecordId],
      [
        "Clinicians",
        links(allOf(person.clinicianIds, person.primaryClinicianId), person.primaryClinicianId),
      ],
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
    const ids = allOf(person.locationIds, primary);
    facts.push(["Locations", ids.length === 0 ? null : <Locations ids={ids} primary={primary} />]);
  }
  facts.push(["ID", <code>{person.publicId}</code>]);
  return facts;
}

/** A primary one stands first, and may stand alone. */
function allOf(ids: readonly string[], primary: string | null): string[] {
  return [...new Set([...(primary === null ? [] : [primary]), ...ids])];
}

function bornText(birthDate: string): string {
  const day = today(practiceZone());
  const date = dateText(birthDate);
  return birthDate > day ? date : `${date} (${ageText(birthDate, day)})`;
}

function links(ids: readonly string[], primary?: string | null) {
  return ids.length === 0 ? null : <PeopleLinks ids={ids} primary={primary} />;
}

interface Several {
  ids: readonly string[];
  primary: string | null | undefined;
}

function PeopleLinks(several: Several) {
  const name = useNames(several.ids);
  return listOf(several, (id) => <PersonLink id={id} name={name(id)} />);
}

function Locations({ ids, primary }: Several) {
  return listOf({ ids, primary: ids.length > 1 ? primary : null }, useNamed("locations"));
}

function listOf({ ids, primary }: Several, item: (id: string) => ComponentChildren) {
  return (
    <ul class="record-list">
      {ids.map((id) => (
        <li key={id}>
          {item(id)}
          {id === primary && <small> primary</small>}
        </li>
      ))}
    </ul>
  );
}

type Payor = Extract<User, { role: "PATIENT" }>["payors"][number];
type ProviderCredential = Extract<User, { role: "TECHNICIAN" }>["credentials"][number];

/** A part of a record that it may have several times. */
interface Entry {
  title: string;
  note: string;
  facts: Fact[];
}

export function Insurances({ payors }: { payors: readonly Payor[] }) {
  return <Entries heading="Insurance" entries={payors.map(insuranceOf)} />;
}

export function Credentials({ credentials }: { credentials: readonly ProviderCredential[] }) {
  return <Entries heading="Credentials" entries={credentials.map(credentialOf)} />;
}

function Entries({ heading, entries }: { heading: string; entries: Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <section class="panel">
      <h2>{heading}</h2>
      {entries.map(({ title, note, facts }, index) => (
        <div key={index} class="entry">
          <h3>
            {title} <small>{note}</small>
          </h3>
          <Facts facts={facts} />
        </div>
      ))}
    </section>
  );
}

function insuranceOf(payor: Payor): Entry {
  const { relationshipToPatient: holder, effectiveStartDate: from, effectiveEndDate: to } = payor;
  return {
    title: payor.payorName,
    note: words(payor.priority).toLowerCase(),
    facts: [
      ["Member ID", payor.memberId],
      ["Group", payor.groupId],
      ["Plan holder", payor.planHolder],
      ["Holder is the patient’s", holder === "SELF" ? null : words(holder)],
      ["Holder born", dateText(payor.insuredBirthDate)],
      ["Holder’s address", addressText(payor.insuredAddress)],
      ["In effect", spanText(from, to)],
    ],
  };
}

function credentialOf(credential: ProviderCredential): Entry {
  const { credentialType, practiceArea, credentialNumber, credentialStatus } = credential;
  return {
    title: credentialType,
    note: [practiceArea, credentialStatus].filter(Boolean).join(" · "),
    facts: [
      ["Number", credentialNumber],
      ["Expires", credential.expiresAt && instantDayText(credential.expiresAt)],
      ...credential.payorCredentialing.map((each): Fact => [
        each.payor.name,
        [words(each.status), spanText(each.startDate, each.endDate), each.notes]
          .filter(Boolean)
          .join(" · "),
      ]),
    ],
  };
}

/** `Nov 1 – 30`, or `since Nov 1, 2026` without an end. */
function spanText(from: string, to: string | null): string {
  return to === null ? `since ${dateText(from)}` : rangeText(from, to);
}
