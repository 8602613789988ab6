import { useState } from "preact/hooks";
import { today } from "../../lib/base/dates.ts";
import { CHECKS, findingRows, IN_ORDER, STAKES } from "../../lib/attention/findings.ts";
import type { Grouping } from "../../lib/attention/inbox.ts";
import { rangeText, unitsText } from "../../lib/base/format.ts";
import { useList } from "../../lib/base/list.ts";
import {
  addressOf,
  addressOfFilter,
  addressWith,
  filterBy,
  parameter,
  parameters,
} from "../../lib/base/place.ts";
import { me, practiceZone } from "../../lib/base/me.ts";
import { useTotals } from "../../lib/base/totals.ts";
import { windowsOf } from "../../lib/base/windows.ts";
import type { ChecksReport, Finding } from "../../lib/base/wire.ts";
import { Choices } from "../../parts/base/choices.tsx";
import { Field } from "../../parts/base/field.tsx";
import { DaysFilter, PatientFilter, PayorFilter, Toolbar } from "../../parts/base/filters.tsx";
import { More } from "../../parts/base/more.tsx";
import { later } from "../../parts/base/later.tsx";
import { ListPages } from "../../parts/base/list-pages.tsx";
import { useNamed } from "../../parts/base/named.ts";
import { PrintAll } from "../../parts/base/pager.tsx";
import { SaveAsCsv } from "../../parts/base/save-as-csv.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { Causes } from "./causes.tsx";

const Beginning = later(async () => (await import("./beginning.tsx")).Beginning);

/** The findings of the checks: totals, and findings grouped by cause or person. */

const PARAMETERS = ["startDate", "endDate", "patientId", "payorId"] as const;

/** The API's maximum, so that few people are split between pages. */
const PAGE_SIZE = 100;

export function Attention() {
  const filter = parameters(PARAMETERS);
  const check = parameter("check");
  const list = useList<ChecksReport>("checks", { ...filter, check, pageSize: PAGE_SIZE });
  const shown = list.response.value;
  // With a filter by check, the API returns only the totals of that check.
  const everything = useTotals(check === undefined ? undefined : filter);
  const totals = check === undefined ? shown?.totals : everything;
  const all = totals && Object.values(totals).reduce((sum, count) => sum + count, 0);
  const payor = useNamed("payors");
  const [missing, setMissing] = useState<readonly string[]>([]);
  // What a practice does not have yet is one line, unless its findings are asked for.
  const isOpen = ({ check: name }: Finding): boolean => !missing.includes(name);
  const by = GROUPINGS.find((each) => each === parameter("by")) ?? "cause";
  return (
    <main>
      <ViewHeader
        title="Attention"
        isAboutPatients
        lead={all && unitsText(all)}
        filters={
          <Toolbar>
            <DaysChoice days={filter} shown={shown} />
            <Choices
              label="By whom"
              choices={GROUPINGS.map((each) => ({
                name: GROUPED_BY[each],
                address: addressWith({ by: each === "cause" ? undefined : each }),
                isChosen: each === by,
              }))}
            />
            <PatientFilter />
            <More of={["payorId"]}>
              <PayorFilter />
              <DaysFilter shown={shown ?? {}} />
            </More>
          </Toolbar>
        }
      >
        <div class="actions">
          <PrintAll list={list} />
          <SaveAsCsv
            read={async () => {
              const { data, startDate, endDate } = await list.readWhole();
              return { name: `attention-${startDate}-${endDate}`, rows: findingRows(data, payor) };
            }}
          />
        </div>
      </ViewHeader>
      {me().key.role === "ADMIN" && (
        <Beginning totals={check === undefined ? totals : undefined} onKnown={setMissing} />
      )}
      {all !== 0 && <Kinds totals={totals} all={all} chosen={check} />}
      <ListPages list={list} empty={<Nothing />}>
        {({ data, pagination }) => (
          <>
            <Causes findings={data.filter(isOpen)} by={by} />
            {pagination.totalPages > 1 && (
              <p class="hint">Ordered by date, and grouped within this page.</p>
            )}
          </>
        )}
      </ListPages>
    </main>
  );
}

/** Nothing is found: because of the filter, or because all is well. */
function Nothing() {
  if ([...PARAMETERS, "check"].every((name) => parameter(name) === undefined))
    return <p>✓ Nothing needs attention.</p>;
  return (
    <>
      <p>Nothing is found in these days, for this filter.</p>
      <a class="button" href={addressOf(["attention"])}>
        Show everything
      </a>
    </>
  );
}

/** The days that are looked at: those around today, or one of the windows of an office. */
function DaysChoice(properties: {
  days: { startDate?: string | undefined; endDate?: string | undefined };
  shown: ChecksReport | undefined;
}) {
  const { days, shown } = properties;
  const windows = windowsOf(today(practiceZone())).map(({ name, startDate, endDate }) => ({
    value: `${startDate} ${endDate}`,
    name,
  }));
  const value = days.startDate && days.endDate ? `${days.startDate} ${days.endDate}` : "";
  const isOther = value !== "" && windows.every((each) => each.value !== value);
  const range = shown ? rangeText(shown.startDate, shown.endDate) : "Around today";
  return (
    <Field
      label="Days"
      value={value}
      choices={[
        { value: "", name: value === "" ? range : "Around today" },
        ...(isOther ? [{ value, name: range }] : []),
        ...windows,
      ]}
      onType={(chosen) => {
        const [startDate, endDate] = chosen.split(" ");
        filterBy({ startDate: startDate || undefined, endDate });
      }}
    />
  );
}

const GROUPED_BY = { cause: "Cause", patient: "Patient", provider: "Provider" };
const GROUPINGS = Object.keys(GROUPED_BY) as Grouping[];

/** How many findings there are of each kind, by what is at stake; a press shows one kind alone. */
function Kinds(properties: {
  totals: ChecksReport["totals"] | undefined;
  all: number | undefined;
  chosen: string | undefined;
}) {
  const { totals, all, chosen } = properties;
  const shown = IN_ORDER.filter((check) => totals?.[check] !== 0 || check === chosen);
  return (
    <nav class="kinds" aria-label="Checks">
      <a href={addressOfFilter({ check: undefined })} aria-current={chosen ? undefined : "true"}>
        All <strong>{all === undefined ? "…" : unitsText(all)}</strong>
      </a>
      {[...Map.groupBy(shown, (check) => CHECKS[check].stake)].map(([stake, checks]) => (
        <span key={stake} class="stakes" role="group" aria-label={STAKES[stake]}>
          <i class={`stake ${stake}`} title={STAKES[stake]} />
          {checks.map((check) => (
            <a
              key={check}
              href={addressOfFilter({ check: check === chosen ? undefined : check })}
              aria-current={check === chosen ? "true" : undefined}
              title={CHECKS[check].name}
            >
              {CHECKS[check].short}{" "}
              <strong>{totals === undefined ? "…" : unitsText(totals[check] ?? 0)}</strong>
            </a>
          ))}
        </span>
      ))}
    </nav>
  );
}
