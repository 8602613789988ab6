import { useState } from "preact/hooks";
import { useGet } from "../lib/response.ts";
import { withQuery } from "../lib/api.ts";
import {
  type Cause,
  causesOf,
  CHECK_NAMES,
  type CheckName,
  type Group,
  groupsOf,
  sentenceOf,
} from "../lib/findings.ts";
import { termOf } from "../lib/authorizations.ts";
import { today } from "../lib/dates.ts";
import { countText, dateText, rangeText } from "../lib/format.ts";
import { useList } from "../lib/list.ts";
import { practiceZone } from "../lib/me.ts";
import { addressOf, addressOfFilter, addressWith, parameter, parameters } from "../lib/place.ts";
import type { ChecksReport, Finding } from "../lib/wire.ts";
import { Choices } from "../parts/choices.tsx";
import { DaysFilter, PatientFilter, PayorFilter } from "../parts/filters.tsx";
import { ListPages } from "../parts/list-pages.tsx";
import { OutsideTerm } from "../parts/outside-term.tsx";
import { SessionLink } from "../parts/session-link.tsx";
import { Toolbar } from "../parts/toolbar.tsx";
import { ViewHeader } from "../parts/view-header.tsx";

/** The findings of the checks: totals, and findings grouped by person. */

const PARAMETERS = ["startDate", "endDate", "patientId", "payorId"] as const;

/** The API's maximum, so that few people are split between pages. */
const PAGE_SIZE = 100;

export function Attention() {
  const filter = parameters(PARAMETERS);
  const check = parameter("check");
  const list = useList<ChecksReport>("checks", {
    ...{ ...filter, check, page: parameter("page") },
    pageSize: PAGE_SIZE,
  });
  const shown = list.response.value;
  // With a filter by check, the API returns only the totals of that check.
  const everything = useGet<ChecksReport>(check && withQuery("checks", { ...filter, pageSize: 1 }));
  return (
    <main>
      <ViewHeader
        title="Attention"
        lead={`What needs attention${shown ? `, ${rangeText(shown.startDate, shown.endDate)}` : ""}`}
      />
      <Cards totals={(check === undefined ? shown : everything.value)?.totals} chosen={check} />
      <Filters shown={shown} />
      <ListPages
        list={list}
        empty="No findings in these days. ✓"
        head={({ pagination }) => (
          <p class="lead">
            {pagination.totalPages > 1 && "Ordered by date, and grouped within this page."}
          </p>
        )}
      >
        {({ data }) => <Grouped findings={data} />}
      </ListPages>
    </main>
  );
}

type Grouping = "cause" | "patient" | "provider";

function groupedBy(): Grouping {
  const by = parameter("by");
  return by === "provider" || by === "patient" ? by : "cause";
}

function Grouped({ findings }: { findings: Finding[] }) {
  const by = groupedBy();
  return by === "cause" ? <Causes findings={findings} /> : <Groups findings={findings} by={by} />;
}

/** One row for each cause, what has happened apart from what is to come. */
function Causes({ findings }: { findings: Finding[] }) {
  const now = today(practiceZone());
  const past = findings.filter(({ date }) => date < now);
  const coming = findings.filter(({ date }) => date >= now);
  return (
    <>
      {[["Until yesterday", past] as const, ["From today on", coming] as const].map(
        ([heading, own]) =>
          own.length > 0 && (
            <section key={heading} class="panel causes">
              <h2>{heading}</h2>
              <ul>
                {causesOf(own).map((cause) => (
                  <CauseRow key={cause.key} cause={cause} />
                ))}
              </ul>
            </section>
          ),
      )}
    </>
  );
}

function CauseRow({ cause }: { cause: Cause }) {
  const [isOpen, setOpen] = useState(false);
  const { check, person, patients, findings, sentence } = cause;
  const by = findings[0]?.providerId === person?.id ? "provider" : "patient";
  const text = (
    <>
      <span class="badge">{CHECK_NAMES[check]}</span>{" "}
      {person !== null && (
        <strong>
          <bdi>{person.name}</bdi>
        </strong>
      )}{" "}
      {sentence} {patients.length > 0 && <small>{patients.join(", ")}</small>}
    </>
  );
  const [only] = findings;
  if (findings.length === 1 && only !== undefined)
    return (
      <li>
        <p>{text}</p>
        <Ways finding={only} by={by} />
      </li>
    );
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{text}</summary>
        {isOpen && (
          <ul>
            {findings.map((finding, index) => (
              <li key={index}>
                <p>{sentenceOf(finding)}</p>
                <Ways finding={finding} by={by} />
              </li>
            ))}
          </ul>
        )}
      </details>
    </li>
  );
}

function Cards(properties: {
  totals: ChecksReport["totals"] | undefined;
  chosen: string | undefined;
}) {
  const { totals, chosen } = properties;
  const all = Object.entries(CHECK_NAMES) as [CheckName, string][];
  const isEmpty = ([check]: [CheckName, string]): boolean =>
    totals?.[check] === 0 && check !== chosen;
  const empty = all.filter(isEmpty);
  return (
    <>
      <nav class="cards" aria-label="Checks">
        {all
          .filter((entry) => !isEmpty(entry))
          .map(([check, name]) => {
            const isChosen = check === chosen;
            const total = totals?.[check];
            return (
              <a
                key={check}
                class="card"
                href={addressOfFilter({ check: isChosen ? undefined : check })}
                aria-current={isChosen ? "true" : undefined}
              >
                <strong>{total === undefined ? "…" : total.toLocaleString("en-US")}</strong> {name}
              </a>
            );
          })}
      </nav>
      {empty.length > 0 && (
        <p class="hint">
          Without findings: {empty.map(([, name]) => name.toLowerCase()).join(", ")}.
        </p>
      )}
    </>
  );
}

const GROUPINGS: Grouping[] = ["cause", "patient", "provider"];

function Filters({ shown }: { shown: ChecksReport | undefined }) {
  const by = groupedBy();
  return (
    <Toolbar>
      <Choices
        label="By whom"
        choices={GROUPINGS.map((each) => ({
          name: `By ${each}`,
          address: addressWith({ by: each === "cause" ? undefined : each }),
          isChosen: each === by,
        }))}
      />
      <PatientFilter />
      <PayorFilter />
      <DaysFilter shown={shown ?? {}} />
    </Toolbar>
  );
}

function Groups({ findings, by }: { findings: Finding[]; by: "patient" | "provider" }) {
  return (
    <>
      {groupsOf(findings, by).map((group) => (
        <PersonFindings key={group.id} group={group} by={by} />
      ))}
    </>
  );
}

function PersonFindings({ group, by }: { group: Group; by: "patient" | "provider" }) {
  const { id, name, findings } = group;
  return (
    <section class="panel findings">
      <h2>
        {id === null ? (
          name
        ) : (
          <a class="subject" href={addressOf(["people", id])}>
            <bdi>{name}</bdi>
          </a>
        )}{" "}
        <small>{countText(findings.length, "finding")}</small>
      </h2>
      <ul>
        {findings.map((finding, index) => (
          <li key={index}>
            <span class="badge">{CHECK_NAMES[finding.check]}</span>
            <p>{sentenceOf(finding)}</p>
            <Ways finding={finding} by={by} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Links to the authorization, the other person and the day of a finding. */
function Ways({ finding, by }: { finding: Finding; by: "patient" | "provider" }) {
  const { authorizationId, poolId, date } = finding;
  const { authorizationStartDate: startDate, authorizationEndDate: endDate } = finding;
  // Of overlapping sessions, the last one is the one that begins while the others run.
  const session = finding.check === "OVER_AUTHORIZED" ? undefined : finding.sessionIds.at(-1);
  const subject = authorizationId ?? poolId;
  const other = by === "patient" ? "provider" : "patient";
  const [person] = groupsOf([finding], other);
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
      {person !== undefined && person.id !== null && (
        <a href={addressOf(["people", person.id])}>
          <bdi>{person.name}</bdi>
        </a>
      )}
      <a href={addressOf(["schedule"], { day: date })}>{dateText(date)}</a>
      {session !== undefined && <SessionLink id={session}>Session</SessionLink>}
    </p>
  );
}
