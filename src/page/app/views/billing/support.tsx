import { monthBefore, today } from "../../lib/base/dates.ts";
import { countText, dateText } from "../../lib/base/format.ts";
import { useList } from "../../lib/base/list.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { addressOf, parameter } from "../../lib/base/place.ts";
import { monthName, monthOf } from "../../lib/base/windows.ts";
import type { BillingLine, BillingSupport, BillingSupportReport } from "../../lib/base/wire.ts";
import { timesOf } from "../../lib/billing/billing.ts";
import { proofsOf } from "../../lib/billing/support.ts";
import { patientName } from "../../lib/person/people.ts";
import { type Fact, Facts } from "../../parts/base/facts.tsx";
import { Filters, MonthFilter } from "../../parts/base/filters.tsx";
import { ListPages } from "../../parts/base/list-pages.tsx";
import { PrintAll } from "../../parts/base/pager.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";

/** What supports a line, in sentences with their ways. */
export function Proofs({ support }: { support: BillingSupport }) {
  return (
    <Facts
      facts={proofsOf(support, practiceZone()).map(({ name, text, address }): Fact => [
        name,
        address === undefined ? text : <a href={address}>{text}</a>,
      ])}
    />
  );
}

/** What supports the lines of a patient in a month, to be printed for whoever asks for proof. */
export function PatientMonth({ id }: { id: string }) {
  const month = monthOf(parameter("month")) ?? monthBefore(today(practiceZone()));
  const query = { patientId: id, month, pageSize: 100 };
  const list = useList<BillingSupportReport>("billing-support", query);
  const line = list.response.value?.data[0]?.line;
  return (
    <main>
      <ViewHeader
        title={line ? patientName(line) : "Support"}
        lead={`What supports the lines of ${monthName(month)}.`}
      >
        <a class="button" href={addressOf(["people", id])}>
          Person
        </a>
        <PrintAll list={list} />
      </ViewHeader>
      <Filters>
        <MonthFilter shown={month} />
      </Filters>
      <ListPages list={list} empty="Nothing was delivered in this month.">
        {({ data }) =>
          data.map((support) => (
            <section key={support.line.encounterId} class="panel">
              <h2>{lineText(support.line)}</h2>
              <Proofs support={support} />
            </section>
          ))
        }
      </ListPages>
    </main>
  );
}

function lineText(line: BillingLine): string {
  const { date, code, modifiers, units } = line;
  const service = [code ?? line.serviceLineName, ...modifiers].join(" ");
  return `${dateText(date)}, ${timesOf(line)}: ${service}, ${countText(units, "unit")}`;
}
