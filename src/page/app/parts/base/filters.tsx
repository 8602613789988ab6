import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { today } from "../../lib/base/dates.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { monthName, monthOf, monthsAround } from "../../lib/base/windows.ts";
import { filterBy, parameter } from "../../lib/base/place.ts";
import type { NamedRecord } from "../../lib/base/wire.ts";
import { Button } from "./button.tsx";
import { Field, type FieldProperties, zoneNames } from "./field.tsx";
import { Form } from "./form.tsx";
import { choicesOf, useNamedList } from "./named.ts";
import { PersonField } from "./person-field.tsx";

/** The filters of a view: each is a parameter of the place. Another value leads to the first page of its list. */

export function FilterField(
  properties: Omit<FieldProperties, "value"> & {
    name: string;
    /** The value without the parameter. */
    fallback?: string | undefined;
  },
) {
  const { name, fallback = "", ...field } = properties;
  return (
    <Field
      {...field}
      value={parameter(name) ?? fallback}
      onChange={(value) => filterBy({ [name]: value })}
    />
  );
}

/** The first and the last day; without the parameters, those of what is shown. */
export function DaysFilter({ shown }: { shown: { startDate?: string; endDate?: string } }) {
  return (
    <>
      <FilterField name="startDate" type="date" label="From" fallback={shown.startDate} />
      <FilterField name="endDate" type="date" label="To" fallback={shown.endDate} />
    </>
  );
}

/** One of some elements, which are chosen by their ids, or all. */
export function ChoiceFilter(properties: {
  name: string;
  label: string;
  /** The name of all. */
  all: string;
  elements: readonly NamedRecord[];
}) {
  const { name, label, all, elements } = properties;
  const id = parameter(name);
  const choices = choicesOf(elements);
  const isListed = id === undefined || choices.some(({ value }) => value === id);
  const other = isListed ? [] : [{ value: id, name: id }];
  return (
    <FilterField
      name={name}
      label={label}
      choices={[{ value: "", name: all }, ...other, ...choices]}
    />
  );
}

export function ZoneFilter({ placeholder }: { placeholder: string }) {
  return (
    <FilterField
      name="timezone"
      label="Time zone"
      suggestions={zoneNames}
      placeholder={placeholder}
    />
  );
}

/** A month by its name: not all browsers have a control for months. */
export function MonthFilter({ shown }: { shown: string | undefined }) {
  const day = today(practiceZone());
  const month = monthOf(shown) ?? day.slice(0, 7);
  return (
    <FilterField
      name="month"
      label="Month"
      fallback={month}
      choices={monthsAround(day, month).map((each) => ({ value: each, name: monthName(each) }))}
    />
  );
}

export function PayorFilter() {
  return <ChoiceFilter name="payorId" label="Payor" all="All" elements={useNamedList("payors")} />;
}

export function PatientFilter() {
  return (
    <PersonField
      label="Patient"
      role="PATIENT"
      id={parameter("patientId") ?? null}
      onPick={(patientId) => filterBy({ patientId })}
    />
  );
}

/** The controls of a view; on a phone behind a button, but for those with the class `keep`. */
export function Toolbar({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Form class={isOpen ? "toolbar" : "toolbar folded"} role="search" aria-label="Filter">
      <Button class="toolbar-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filter
      </Button>
      {children}
    </Form>
  );
}

/** A few controls of a view, which a phone has room for. */
export function Filters(properties: { label?: string; children: ComponentChildren }) {
  const { label = "Filter", children } = properties;
  return (
    <Form class="toolbar" aria-label={label}>
      {children}
    </Form>
  );
}
