import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useResponse, useGet } from "../lib/response.ts";
import { get, withQuery } from "../lib/api.ts";
import { peopleOf } from "../lib/booking.ts";
import { today } from "../lib/dates.ts";
import { CHECK_NAMES, sentenceOf } from "../lib/findings.ts";
import {
  ageText,
  countText,
  dateText,
  phoneText,
  rangeText,
  whenText,
  words,
} from "../lib/format.ts";
import { practiceZone } from "../lib/me.ts";
import { kindOf, nameOf, readPerson, useNames, usePerson } from "../lib/people.ts";
import { personLine } from "../lib/person-record.ts";
import { addressOf } from "../lib/place.ts";
import { writableRoles } from "../lib/rights.ts";
import { comingSessions } from "../lib/sessions.ts";
import type { ChecksReport, User } from "../lib/wire.ts";
import { useNamed } from "../parts/named.ts";
import { ResponseView } from "../parts/notices.tsx";
import { SessionLink } from "../parts/session-link.tsx";
import { useWriting } from "../parts/writing.tsx";
import { AuthorizationList } from "./authorization-list.tsx";
import { Calendars } from "./calendars.tsx";
import { HasLeftDialog } from "./has-left.tsx";
import { EditPersonDialog } from "./person-form.tsx";

/** One person: the record, authorizations, and links to related people. */

export function Person({ id }: { id: string }) {
  // Users tell no sequence, and it is needed to change them: it is asked for before.
  const response = useResponse(id, async (signal) => {
    await get("me", signal);
    return readPerson(id, signal);
  });
  return (
    <main>
      <Heading id={id} person={response.value} since={response.sequence} />
      <ResponseView response={response}>{(person) => <Record person={person} />}</ResponseView>
    </main>
  );
}

function Heading(properties: { id: string; person: User | undefined; since: number | undefined }) {
  const { id, person, since } = properties;
  if (person !== undefined) return <Name person={person} since={since} />;
  return (
    <header class="view-header">
      <h1 tabIndex={-1}>Record</h1>
      <p class="lead">
        <code>{id}</code>
      </p>
    </header>
  );
}

function Name({ person, since }: { person: User; since: number | undefined }) {
  const [opened, setOpened] = useState<"edit" | "left">();
  const close = (): void => setOpened(undefined);
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
        {!isActive && " · has left"}
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
          <>
            <button type="button" onClick={() => setOpened("edit")}>
              Edit
            </button>
            {isActive ? (
              <button type="button" onClick={() => setOpened("left")}>
                Has left…
              </button>
            ) : (
              <IsBack id={publicId} since={since} />
            )}
          </>
        )}
      </nav>
      {opened === "edit" && <EditPersonDialog person={person} onClose={close} />}
      {opened === "left" && <HasLeftDialog person={person} since={since} onClose={close} />}
    </header>
  );
}

/** Undoes that somebody has left. */
function IsBack({ id, since }: { id: string; since: number | undefined }) {
  const { run, isWriting, notice } = useWriting();
  const lineOf = (isActive: boolean) => [personLine(id, { isActive })];
  const change = {
    done: "The person is active again.",
    lines: lineOf(true),
    undo: lineOf(false),
    since,
  };
  return (
    <>
      <button type="button" disabled={isWriting} onClick={() => run(change)}>
        Is back
      </button>
      {notice}
    </>
  );
}

/** What is looked for most comes first. Authorizations, sessions and findings are lists of their own in the API. */
function Record({ person }: { person: User }) {
  return (
    <>
      <section class="panel">
        <h2>Contact</h2>
        <Facts facts={contactOf(person)} />
      </section>
      {person.role === "PATIENT" && <AuthorizationList patient={person} />}
      <NextSessions person={person} />
      <Findings person={person} />
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
      <Calendars person={person} />
      <section class="panel">
        <h2>About</h2>
        <Facts facts={aboutOf(person)} />
      </section>
    </>
  );
}

/** How many of the next sessions are shown. */
const NEXT = 5;

function NextSessions({ person }: { person: User }) {
  const zone = practiceZone();
  const response = useResponse(`next of ${person.publicId}`, (signal) =>
    comingSessions(person, signal, NEXT),
  );
  const sessions = response.value?.sessions ?? [];
  const name = useNames(sessions.flatMap(peopleOf));
  if (response.failure !== undefined || sessions.length === 0) return null;
  return (
    <section class="panel">
      <h2>Next sessions</h2>
      <ul class="record-list">
        {sessions.map((session) => (
          <li key={session.publicId}>
            <SessionLink id={session.publicId}>{whenText(session, zone)}</SessionLink>{" "}
            {session.title}
            <small>
              {" "}
              {peopleOf(session)
                .filter((id) => id !== person.publicId)
                .map(name)
                .join(", ")}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Findings({ person: { publicId, role } }: { person: User }) {
  const kind = kindOf(role);
  const filter = kind === "patient" ? { patientId: publicId } : { providerId: publicId };
  const response = useGet<ChecksReport>(
    kind && withQuery("checks", { ...filter, pageSize: SHOWN_FINDINGS }),
  );
  const { data = [], pagination } = response.value ?? {};
  if (pagination === undefined || data.length === 0) return null;
  return (
    <section class="panel findings">
      <h2>
        Attention <small>{countText(pagination.totalCount, "finding")}</small>
      </h2>
      <ul>
        {data.map((finding, index) => (
          <li key={index}>
            <span class="badge">{CHECK_NAMES[finding.check]}</span>
            <p>
              {kind !== "patient" && finding.patientId !== null && (
                <bdi>
                  {finding.patientFirstName} {finding.patientLastName}:{" "}
                </bdi>
              )}
              {sentenceOf(finding)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How many findings are shown of a person. */
const SHOWN_FINDINGS = 5;

/** A line of the record; omitted if it has no content. */
type Fact = [name: string, content: Exclude<ComponentChildren, boolean>];

function Facts({ facts }: { facts: Fact[] }) {
  const lines = facts.filter(([, content]) => content !== null && content !== "");
  return (
    <dl class="fields">
      {lines.map(([name, content]) => (
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
    [
      "Phone",
      person.phoneNumber && (
        <a href={`tel:${person.phoneNumber}`}>{phoneText(person.phoneNumber)}</a>
      ),
    ],
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
      <a href={addressOf(["people", id])}>
        <bdi>{person === undefined ? "…" : nameOf(person)}</bdi>
      </a>
      {person?.phoneNumber && (
        <>
          {", "}
          <a href={`tel:${person.phoneNumber}`}>{phoneText(person.phoneNumber)}</a>
        </>
      )}
    </>
  );
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
  const { birthDate, sex } = person;
  const facts: Fact[] = [
    ["Born", birthDate && bornText(birthDate)],
    ["Sex", sex && words(sex)],
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
