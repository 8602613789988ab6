import { useState } from "preact/hooks";
import { getWhole } from "../../lib/base/api.ts";
import { evenColumns } from "../../lib/base/columns.ts";
import { today } from "../../lib/base/dates.ts";
import {
  CHECK_NAMES,
  type CheckName,
  findingRows,
  groupsOf,
} from "../../lib/attention/findings.ts";
import { rangeText } from "../../lib/base/format.ts";
import { useList } from "../../lib/base/list.ts";
import { addressOfFilter, addressWith, parameter, parameters } from "../../lib/base/place.ts";
import { me, practiceZone } from "../../lib/base/me.ts";
import { useTotals } from "../../lib/base/totals.ts";
import { windowsOf } from "../../lib/base/windows.ts";
import type { ChecksReport, Finding } from "../../lib/base/wire.ts";
import { Choices } from "../../parts/base/choices.tsx";
import { DaysFilter, PatientFilter, PayorFilter } from "../../parts/base/filters.tsx";
import { More } from "../../parts/base/more.tsx";
import { later } from "../../parts/base/later.tsx";
import { ListPages } from "../../parts/base/list-pages.tsx";
import { useNamed } from "../../parts/base/named.ts";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { SaveAsCsv } from "../../parts/base/save-as-csv.tsx";
import { Toolbar } from "../../parts/base/toolbar.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { Causes } from "./causes.tsx";
import { FindingsPanel, FindingText, WithNamedRecords } from "./findings-panel.tsx";

const Beginning = later(async () => (await import("./beginning.tsx")).Beginning);

/** The findings of the checks: totals, and findings grouped by cause or person. */

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
  const everything = useTotals(check === undefined ? undefined : filter);
  const totals = check === undefined ? shown?.totals : everything;
  const payor = useNamed("payors");
  const [missing, setMissing] = useState<readonly string[]>([]);
  // What a practice does not have yet is one line, unless its findings are asked for.
  const isOpen = ({ check: name }: Finding): boolean => !missing.includes(name);
  const now = today(practiceZone());
  const by = GROUPINGS.find((each) => each === parameter("by")) ?? "cause";
  return (
    <main>
      <ViewHeader
        title="Attention"
        isAboutPatients
        lead={`What needs attention${shown ? `, ${rangeText(shown.startDate, shown.endDate)}` : ""}`}
      >
        <div class="actions">
          <SaveAsCsv
            read={async () => {
              const query = { ...filter, check };
              const { data, startDate, endDate } = await getWhole<ChecksReport>("checks", query);
              return { name: `attention-${startDate}-${endDate}`, rows: findingRows(data, payor) };
            }}
          />
        </div>
      </ViewHeader>
      {me().key.role === "ADMIN" && (
        <Beginning totals={check === undefined ? totals : undefined} onKnown={setMissing} />
      )}
      <Cards totals={totals} chosen={check} />
      <Toolbar>
        <Choices
          label="Days"
          choices={windowsOf(now).map(({ name, startDate, endDate }) => ({
            name,
            address: addressOfFilter({ startDate, endDate }),
            isChosen: filter.startDate === startDate && filter.endDate === endDate,
          }))}
        />
        <Choices
          label="By whom"
          choices={GROUPINGS.map((each) => ({
            name: `By ${each}`,
            address: addressWith({ by: each === "cause" ? undefined : each }),
            isChosen: each === by,
          }))}
        />
        <PatientFilter />
        <More>
          <PayorFilter />
          <DaysFilter shown={shown ?? {}} />
        </More>
      </Toolbar>
      <ListPages
        list={list}
        empty="No findings in these days. ✓"
        head={({ pagination }) => (
          <p class="lead">
            {pagination.totalPages > 1 && "Ordered by date, and grouped within this page."}
          </p>
        )}
      >
        {({ data }) => (
          <WithNamedRecords findings={data}>
            {by === "cause" ? (
              <Causes findings={data.filter(isOpen)} />
            ) : (
              <People findings={data.filter(isOpen)} by={by} />
            )}
          </WithNamedRecords>
        )}
      </ListPages>
      <WithoutFindings totals={totals} />
    </main>
  );
}

const NAMED_CHECKS = Object.entries(CHECK_NAMES) as [CheckName, string][];

const GROUPINGS = ["cause", "patient", "provider"] as const;

function Cards(properties: {
  totals: ChecksReport["totals"] | undefined;
  chosen: string | undefined;
}) {
  const { totals, chosen } = properties;
  const cards = NAMED_CHECKS.filter(([check]) => totals?.[check] !== 0 || check === chosen);
  return (
    <nav
      class="cards scroller"
      aria-label="Checks"
      style={{ "--wide": evenColumns(cards.length, 6), "--middle": evenColumns(cards.length, 4) }}
    >
      {cards.map(([check, name]) => (
        <a
          key={check}
          class="card"
          href={addressOfFilter({ check: check === chosen ? undefined : check })}
          aria-current={check === chosen ? "true" : undefined}
        >
          <strong>{totals?.[check]?.toLocaleString("en-US") ?? "…"}</strong> {name}
        </a>
      ))}
    </nav>
  );
}

/** The checks that find nothing in these days. */
function WithoutFindings({ totals }: { totals: ChecksReport["totals"] | undefined }) {
  const empty = NAMED_CHECKS.filter(([check]) => totals?.[check] === 0);
  if (empty.length === 0) return null;
  return (
    <p class="hint">Without findings: {empty.map(([, name]) => name.toLowerCase()).join(", ")}.</p>
  );
}

function People({ findings, by }: { findings: Finding[]; by: "patient" | "provider" }) {
  return (
    <>
      {groupsOf(findings, by).map(({ id, name, findings: own }) => (
        <FindingsPanel
          key={id}
          heading={id === null ? name : <PersonLink class="subject" id={id} name={name} />}
          findings={own}
        >
          {(finding) => <FindingText finding={finding} by={by} />}
        </FindingsPanel>
      ))}
    </>
  );
}
