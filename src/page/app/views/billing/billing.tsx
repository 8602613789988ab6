import type { ComponentChildren } from "preact";
import { problems } from "../../../../billing/problems.ts";
import {
  isFilled,
  isoWeekOf,
  linesOfBatch,
  type LineState,
  STATES,
  timesOf,
} from "../../lib/billing/billing.ts";
import { lastCounting } from "../../lib/billing/hand-overs.ts";
import { earlier, today } from "../../lib/base/dates.ts";
import {
  handOver,
  readBatch,
  readLines,
  saveBatch,
  takeBack,
} from "../../lib/billing/handing-over.ts";
import { countText, dayText, rangeText, unitsText } from "../../lib/base/format.ts";
import { useList } from "../../lib/base/list.ts";
import { instantDayText, practiceZone } from "../../lib/base/me.ts";
import { patientName, rowName } from "../../lib/person/people.ts";
import {
  addressOf,
  addressOfFilter,
  closeDialog,
  filterBy,
  openDialog,
  openedDialog,
  parameter,
  parameters,
} from "../../lib/base/place.ts";
import { mayBill, maySupport } from "../../lib/base/rights.ts";
import { useTotals } from "../../lib/base/totals.ts";
import type { BillingLine, BillingReport } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Choices } from "../../parts/base/choices.tsx";
import { Dialog } from "../../parts/base/dialog.tsx";
import { DialogForm } from "../../parts/base/dialog-form.tsx";
import { Field } from "../../parts/base/field.tsx";
import {
  DaysFilter,
  FilterField,
  Filters,
  PatientFilter,
  PayorFilter,
} from "../../parts/base/filters.tsx";
import { ListPages } from "../../parts/base/list-pages.tsx";
import { More } from "../../parts/base/more.tsx";
import { PrintAll } from "../../parts/base/pager.tsx";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { StaffField } from "../../parts/base/staff-field.tsx";
import { type Column, ListTable } from "../../parts/base/list-table.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { useWork } from "../../parts/base/work.tsx";
import { HandedOver, LINE_DIALOG, LineDialog, useBatch, wasAndIs } from "./line.tsx";

/** What is handed over for billing: lines by their state, what is wrong in them, and the batches. */

const FILTERS = ["startDate", "endDate", "payorId", "patientId", "providerId"] as const;

const isState = (text: string | undefined): text is LineState =>
  text !== undefined && text in STATES;

/** Which lines are shown. */
function shownLines() {
  const { state, ...filter } = parameters([...FILTERS, "problem", "state"]);
  return { ...filter, state: isState(state) ? state : "READY" };
}

export function Billing() {
  const query = shownLines();
  const list = useList<BillingReport>("billing-lines", query);
  const report = list.response.value;
  const mayHandOver =
    mayBill() && query.state !== "BILLED" && report !== undefined && report.data.length > 0;
  return (
    <main>
      <ViewHeader
        isAboutPatients
        title="Billing"
        filters={
          <>
            <Choices
              label="States"
              choices={tabsOf(report, query.state).map(([each, name]) => ({
                name: `${name} ${unitsText(report?.totals.states[each as LineState] ?? 0)}`,
                address: addressOfFilter({ state: each }),
                isChosen: each === query.state,
              }))}
            />
            <LineFilters shown={report ?? {}} />
          </>
        }
      >
        <div class="actions">
          {report && <NotDocumented report={report} />}
          <PrintAll list={list} />
          {mayHandOver && (
            <Button
              class={isFilled(query.state) ? "primary" : ""}
              onClick={() => openDialog(HAND_OVER)}
            >
              Hand over {unitsText(report.pagination.totalCount)}…
            </Button>
          )}
        </div>
      </ViewHeader>
      {mayHandOver && openedDialog(HAND_OVER) && <HandOverDialog report={report} />}
      <ListPages
        list={list}
        empty={
          <>
            <p>No line of these days is {STATES[query.state].toLowerCase()}.</p>
            <a class="button" href={addressOf(["billing"], { state: query.state })}>
              Show all {STATES[query.state].toLowerCase()}
            </a>
          </>
        }
      >
        {({ data }) => <Lines lines={data} />}
      </ListPages>
      {report && <Batches report={report} />}
      <LineDialog known={report === undefined ? [] : batchesOf(report)} />
    </main>
  );
}

function LineFilters({ shown }: { shown: { startDate?: string; endDate?: string } }) {
  return (
    <Filters>
      <More of={[...FILTERS, "problem"]}>
        <DaysFilter shown={shown} />
        <FilterField
          name="problem"
          label="Problem"
          choices={[
            { value: "", name: "Any" },
            ...Object.entries(problems).map(([value, name]) => ({ value, name })),
          ]}
        />
        <PayorFilter />
        <PatientFilter />
        <StaffField
          kind="provider"
          label="Delivered by"
          none="Anybody"
          id={parameter("providerId") ?? null}
          onPick={(providerId) => filterBy({ providerId })}
        />
      </More>
    </Filters>
  );
}

/** The states, *Taken back* only where some lines are, or it is shown. */
function tabsOf(report: BillingReport | undefined, shown: LineState) {
  return Object.entries(STATES).filter(
    ([state]) =>
      state !== "TAKEN_BACK" ||
      shown === "TAKEN_BACK" ||
      (report?.totals.states.TAKEN_BACK ?? 0) > 0,
  );
}

/** How many sessions of these days are not documented, and so are no lines yet: a second request, since checks find it. */
function NotDocumented({ report: { startDate, endDate } }: { report: BillingReport }) {
  const { payorId, patientId } = shownLines();
  const query = { startDate, endDate, payorId, patientId, check: "NOT_DOCUMENTED" };
  const total = useTotals(query)?.NOT_DOCUMENTED ?? 0;
  if (total === 0) return null;
  return (
    <a
      href={addressOf(["attention"], query)}
      title={`${countText(total, "session")} of these days ${total === 1 ? "is" : "are"} not documented`}
    >
      {unitsText(total)} not documented
    </a>
  );
}

const HAND_OVER = "hand-over";

/** Hands over all lines that are shown, in a batch with a name. */
function HandOverDialog({ report }: { report: BillingReport }) {
  const query = shownLines();
  const { state, payorId } = query;
  const { run, ...work } = useWork("The lines could not be handed over.");
  // Of the lines themselves: a name that is still being read would be offered as an id.
  const payorName = report.data.find((line) => line.payorId === payorId)?.payorName;
  const now = today(practiceZone());
  const week = isoWeekOf(earlier(report.endDate, now));
  const { batch, field } = useBatch([week, payorName], batchesOf(report));
  const { startDate, endDate, pagination } = report;
  const lines = [
    countText(pagination.totalCount, "line"),
    state === "PROBLEM" && "with problems",
    (state === "CHANGED" || state === "TAKEN_BACK") && "again",
  ].filter(Boolean);
  const handOverAll = async (): Promise<void> => {
    await handOver(await readLines({ ...query, startDate, endDate }, pagination.totalCount), batch);
    closeDialog();
  };
  return (
    <Dialog title={`Hand over, ${rangeText(startDate, endDate)}`}>
      <DialogForm
        label="Hand over"
        button={`Hand over ${lines.join(" ")}`}
        class={isFilled(state) ? "primary" : undefined}
        isReady={batch !== ""}
        {...work}
        onSubmit={() => run(handOverAll)}
      >
        <Field {...field} />
      </DialogForm>
    </Dialog>
  );
}

function Lines({ lines }: { lines: readonly BillingLine[] }) {
  const firstOfDay = new Set(
    lines
      .filter((line, index) => line.date !== lines[index - 1]?.date)
      .map(({ encounterId }) => encounterId),
  );
  // What is to be done stands where a phone shows it.
  const areRemarked = lines.some(
    ({ problems, billed }) => problems.length > 0 || billed.length > 0,
  );
  return (
    <ListTable
      label="Lines"
      columns={[
        {
          name: "Day",
          class: "date",
          // A day is said once; the others are quiet, and there for who reads one row alone.
          cell: ({ date, encounterId }) =>
            firstOfDay.has(encounterId) ? (
              dayText(date)
            ) : (
              <span class="again">{dayText(date)}</span>
            ),
        },
        PATIENT,
        ...(areRemarked ? [REMARKS] : []),
        ...LINE,
        ...(maySupport() ? [OPEN] : []),
      ]}
      keyOf={({ encounterId }) => encounterId}
      rows={lines}
    />
  );
}

const PATIENT: Column<BillingLine> = {
  name: "Patient",
  class: "lead",
  cell: (line) => (
    <>
      <PersonLink id={line.patientId} name={patientName(line)} />
      <small>{timesOf(line)}</small>
    </>
  ),
};

const REMARKS: Column<BillingLine> = { name: "Remarks", cell: (line) => <Remarks line={line} /> };

const OPEN: Column<BillingLine> = {
  name: "",
  class: "actions",
  cell: (line) => <Opening line={line}>Open</Opening>,
};

const LINE: Column<BillingLine>[] = [
  {
    name: "Service",
    cell: ({ code, modifiers, serviceLineName }) => (
      <>
        {[code ?? "no code", ...modifiers].join(" ")}
        <small class="spare">
          {/* Many a service is called by its code, too. */}
          <bdi>{serviceLineName.replace(` (${code})`, "")}</bdi>
        </small>
      </>
    ),
  },
  {
    name: "Delivered by",
    cell: (line) =>
      line.renderedById !== null && (
        <PersonLink id={line.renderedById} name={rowName(line, "renderedBy")} />
      ),
  },
  { name: "Units", class: "number", cell: ({ units }) => unitsText(units) },
  {
    name: "Payor",
    cell: ({ payorName, memberId }) => (
      <>
        <bdi>{payorName}</bdi>
        <small class="spare">
          <bdi>{memberId}</bdi>
        </small>
      </>
    ),
  },
];

/** What is wrong in a line, what changed since it was handed over, and when that was last. */
function Remarks({ line }: { line: BillingLine }) {
  const { billed, claimFrequencyCode, replacesBatch, replacesUnits } = line;
  const last = lastCounting(billed) ?? billed.at(-1);
  const replaced = replacesUnits === null ? "" : `${countText(replacesUnits, "unit")} of `;
  const code =
    replacesBatch !== null &&
    `${claimFrequencyCode === "8" ? "voids " : `replaces ${replaced}`}${replacesBatch}`;
  return (
    <>
      {code !== false && <bdi>{code}; </bdi>}
      {wasAndIs(line).map(([name, text]) => (
        <span key={name}>{text} </span>
      ))}
      {line.problems.length > 0 && (
        <Opening line={line}>{line.problems.map((name) => problems[name]).join(", ")}</Opening>
      )}
      <small>{code === false && last !== undefined && <HandedOver one={last} />}</small>
    </>
  );
}

/** Opens a line at the side, for who may read what supports it. */
function Opening(properties: { line: BillingLine; children: ComponentChildren }) {
  const { line, children } = properties;
  if (!maySupport()) return <>{children}</>;
  const open = () => openDialog(LINE_DIALOG, { id: line.encounterId });
  return (
    <Button class="link" onClick={open}>
      {children}
    </Button>
  );
}

const batchesOf = ({ batches }: BillingReport): string[] => batches.map(({ batch }) => batch);

/** The batches of the billed lines of these days. */
function Batches({ report: { batches } }: { report: BillingReport }) {
  if (batches.length === 0) return null;
  return (
    <section>
      <h2 class="list-head">Batches</h2>
      <ListTable
        label="Batches"
        keyOf={({ batch }) => batch}
        rows={batches}
        columns={[
          { name: "Batch", cell: ({ batch }) => <bdi>{batch}</bdi> },
          {
            name: "Handed over",
            cell: ({ firstAt, lastAt }) =>
              [...new Set([firstAt, lastAt].map(instantDayText))].join(" – "),
          },
          { name: "Lines", class: "number", cell: ({ lines }) => unitsText(lines) },
          {
            name: "",
            class: "actions",
            cell: (batch) => <BatchWays batch={batch} />,
          },
        ]}
      />
    </section>
  );
}

function BatchWays({ batch: { batch } }: { batch: BillingReport["batches"][number] }) {
  const { isWorking, run, notice } = useWork("The batch could not be read.");
  const takeAllBack = async (): Promise<unknown> => {
    const { lines, since } = await readBatch(batch);
    const { own, later } = linesOfBatch(batch, lines);
    const stay =
      later === 0
        ? ""
        : `. Handed over again since, or left as billed: ${countText(later, "line")}`;
    return takeBack({ lines: own, since }, `taken back from ${batch}${stay}`);
  };
  return (
    <>
      <Button disabled={isWorking} onClick={() => run(() => saveBatch(batch))}>
        Save again
      </Button>
      {mayBill() && (
        <Button disabled={isWorking} onClick={() => run(takeAllBack)}>
          Take back
        </Button>
      )}
      {notice}
    </>
  );
}
