import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { readRecords } from "../../lib/base/api.ts";
import {
  authorizationText,
  namedBy,
  overlappedBy,
  peopleIn,
  renewedBy,
  sessionText,
} from "../../lib/attention/finding-records.ts";
import type { Line } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { useNames } from "../../lib/person/people.ts";
import { useRemembered } from "../../lib/base/response.ts";
import { useNamed } from "../../parts/base/named.ts";
import { termOf } from "../../lib/authorizations/authorizations.ts";
import { groupsOf, sentenceOf } from "../../lib/attention/findings.ts";
import { dateText } from "../../lib/base/format.ts";
import { addressOf } from "../../lib/base/place.ts";
import type { Finding } from "../../lib/base/wire.ts";
import { OutsideTerm } from "../../parts/authorizations/outside-term.tsx";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { SessionLink } from "../../parts/session/session-link.tsx";

/** What is wrong, and the ways to the authorization, the other person, the day and the session. */
export function FindingText({ finding, by }: { finding: Finding; by: "patient" | "provider" }) {
  return (
    <>
      <p>
        {sentenceOf(finding)} <Named finding={finding} />
      </p>
      <Ways finding={finding} by={by} />
    </>
  );
}

/** The records that findings name, read at once for all of them. */
interface NamedRecords {
  recordOf: (id: string) => Line | undefined;
  name: (id: string) => string;
}

const NamedRecords = createContext<NamedRecords | undefined>(undefined);

/** Reads what findings name besides their own session and people. */
export function WithNamedRecords(properties: {
  findings: readonly Finding[];
  children: ComponentChildren;
}) {
  const ids = namedBy(properties.findings);
  const question = ids.length === 0 ? undefined : `named ${ids}`;
  const records = useRemembered(question, (reading) =>
    readRecords("session,authorization", ids, reading),
  ).value;
  const name = useNames((records ?? []).flatMap(peopleIn));
  const recordOf = (id: string) => records?.find(({ publicId }) => publicId === id);
  return (
    <NamedRecords.Provider value={{ recordOf, name }}>{properties.children}</NamedRecords.Provider>
  );
}

/** The session that a finding's own overlaps, as a way there, or the authorization that is to be renewed. */
function Named({ finding }: { finding: Finding }) {
  const named = useContext(NamedRecords);
  const service = useNamed("service-lines");
  const other = overlappedBy(finding);
  const renewed = renewedBy(finding);
  const record = named?.recordOf(other ?? renewed ?? "");
  if (named === undefined || record === undefined) return null;
  if (other === undefined) return <>{authorizationText(record, service)}.</>;
  return (
    <>
      It overlaps{" "}
      <SessionLink id={other}>{sessionText(record, practiceZone(), named.name)}</SessionLink>.
    </>
  );
}

function Ways({ finding, by }: { finding: Finding; by: "patient" | "provider" }) {
  const { authorizationId, poolId, goalId, date } = finding;
  const { authorizationStartDate: startDate, authorizationEndDate: endDate } = finding;
  // Of overlapping sessions, the last one is the one that begins while the others run.
  const session = finding.check === "OVER_AUTHORIZED" ? undefined : finding.sessionIds.at(-1);
  const subject = authorizationId ?? poolId;
  const [person] = groupsOf([finding], by === "patient" ? "provider" : "patient");
  return (
    <p class="ways">
      {subject !== null && (
        <span>
          <a href={addressOf(["utilization", subject])}>
            {authorizationId === null ? "Pool" : "Authorization"}
          </a>
          <OutsideTerm term={termOf({ startDate, endDate })} />
        </span>
      )}
      {goalId !== null && <a href={addressOf(["goals", goalId])}>Goal</a>}
      {person !== undefined && person.id !== null && (
        <PersonLink id={person.id} name={person.name} />
      )}
      <a href={addressOf(["schedule"], { date })}>{dateText(date)}</a>
      {session !== undefined && <SessionLink id={session}>Session</SessionLink>}
    </p>
  );
}
