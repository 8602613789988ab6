import { Since, useGet, useRemembered } from "../../lib/base/response.ts";
import { withQuery } from "../../lib/base/api.ts";
import { peopleOf } from "../../lib/session/overlaps.ts";
import { whenText, words } from "../../lib/base/format.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { nameOf, readPerson, useNames } from "../../lib/person/people.ts";
import { addressOf, openDialog, openedDialog } from "../../lib/base/place.ts";
import { kindOf } from "../../lib/base/roles.ts";
import { mayPlan, maySupport, writableRoles } from "../../lib/base/rights.ts";
import { comingSessions } from "../../lib/session/sessions.ts";
import type { ChecksReport, User } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { ChangePersonButton } from "../../parts/person/change-person.tsx";
import { Facts } from "../../parts/base/facts.tsx";
import { MoreActs } from "../../parts/base/more.tsx";
import { later } from "../../parts/base/later.tsx";
import { ResponseView, PartFailure } from "../../parts/base/notices.tsx";
import { SessionLink } from "../../parts/session/session-link.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { AuthorizationList } from "../authorizations/authorization-list.tsx";
import { Calendars } from "./calendars.tsx";
import { Causes } from "../attention/causes.tsx";
import { aboutOf, contactOf, Credentials, Insurances } from "./person-facts.tsx";
import { EditPersonDialog, LeavingDialog, TimeOffDialog } from "../late-forms.ts";

/** One person: the record, authorizations, and links to related people. */

const GoalsOf = later(async () => (await import("../goals/goals.tsx")).GoalsOf);

export function Person({ id }: { id: string }) {
  const response = useRemembered(`person ${id}`, (reading) => readPerson(id, reading));
  const person = response.value;
  return (
    <main>
      <Since.Provider value={response.sequence}>
        {person === undefined ? (
          <ViewHeader title="Record" lead={<code>{id}</code>} />
        ) : (
          <Heading person={person} />
        )}
      </Since.Provider>
      <ResponseView response={response}>{(shown) => <Record person={shown} />}</ResponseView>
    </main>
  );
}

function Heading({ person }: { person: User }) {
  const { role, userStatus, isActive, publicId } = person;
  const whose = kindOf(role);
  const mayWritePerson = writableRoles().includes(role);
  const isDischarged = userStatus === "DISCHARGED";
  return (
    <ViewHeader
      title={<bdi>{nameOf(person)}</bdi>}
      lead={[words(role), userStatus && words(userStatus), !isActive && "has left"]
        .filter(Boolean)
        .join(" · ")}
    >
      <nav class="actions" aria-label="About this person">
        {whose !== undefined && (
          <a class="button keep" href={addressOf(["schedule"], { whose, person: publicId })}>
            Schedule
          </a>
        )}
        {role === "PATIENT" && maySupport() && (
          <a class="button" href={addressOf(["billing", publicId])}>
            Proof of a month
          </a>
        )}
        {mayWritePerson && <Button onClick={() => openDialog("edit")}>Edit</Button>}
        {mayWritePerson && !isActive && (
          <ChangePersonButton
            label="Is back"
            done="The person is active again."
            id={publicId}
            from={{ isActive, ...(isDischarged && { userStatus }) }}
            to={{ isActive: true, ...(isDischarged && { userStatus: "ACTIVE" }) }}
          />
        )}
        {(role === "PATIENT" || (mayWritePerson && isActive)) && (
          <MoreActs>
            {role === "PATIENT" && (
              <a class="button" href={addressOf(["utilization"], { patientId: publicId })}>
                Current authorizations
              </a>
            )}
            {mayWritePerson && isActive && (
              <Button onClick={() => openDialog("left")}>
                {role === "PATIENT" ? "Is discharged…" : "Has left…"}
              </Button>
            )}
            {mayWritePerson && isActive && role === "TECHNICIAN" && mayPlan() && (
              <Button onClick={() => openDialog("off")}>Time off…</Button>
            )}
          </MoreActs>
        )}
      </nav>
      {openedDialog("edit") && <EditPersonDialog person={person} />}
      {openedDialog("left") && <LeavingDialog person={person} />}
      {openedDialog("off") && mayPlan() && <TimeOffDialog person={person} />}
    </ViewHeader>
  );
}

/** Who it is stays on the left; what is going on with them stands on the right, what has to be mended first. */
function Record({ person }: { person: User }) {
  return (
    <div class="columns">
      <aside aria-label="Who this is">
        <section class="panel">
          <h2>Contact</h2>
          <Facts facts={contactOf(person)} />
        </section>
        {"payors" in person && <Insurances payors={person.payors} />}
        <section class="panel">
          <h2>About</h2>
          <Facts facts={aboutOf(person)} />
        </section>
        {"credentials" in person && <Credentials credentials={person.credentials} />}
        <Calendars person={person} />
      </aside>
      <div>
        <Findings person={person} />
        {person.role === "PATIENT" && <AuthorizationList patient={person} />}
        <NextSessions person={person} />
        {person.role === "PATIENT" && <GoalsOf patientId={person.publicId} />}
      </div>
    </div>
  );
}

/** How many of the next sessions are shown. */
const NEXT = 5;

function NextSessions({ person }: { person: User }) {
  const zone = practiceZone();
  const response = useRemembered(`next of ${person.publicId}`, (reading) =>
    comingSessions(person, NEXT, reading),
  );
  const sessions = response.value ?? [];
  const name = useNames(sessions.flatMap(peopleOf));
  if (response.failure !== undefined)
    return <PartFailure response={response} what="The next sessions" />;
  if (sessions.length === 0) return null;
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
  if (response.failure !== undefined)
    return <PartFailure response={response} what="What needs attention" />;
  if (pagination === undefined || data.length === 0) return null;
  const heading =
    kind === "patient" ? <a href={addressOf(["attention"], filter)}>Attention</a> : "Attention";
  return (
    <section class="mending">
      <h2 class="list-head">
        <span>
          {heading} <small>{pagination.totalCount}</small>
        </span>
      </h2>
      <Causes findings={data} of={publicId} />
    </section>
  );
}

/** How many findings are shown of a person. */
const SHOWN_FINDINGS = 20;
