import type { CalendarDate } from "../../lib/base/dates.ts";
import { STATUS_NAMES } from "../../lib/base/format.ts";
import { nameOf, useStaff } from "../../lib/person/people.ts";
import { addressWith, goTo, parameter } from "../../lib/base/place.ts";
import { Choices } from "../../parts/base/choices.tsx";
import { Field } from "../../parts/base/field.tsx";
import { ChoiceFilter, FilterField, Toolbar } from "../../parts/base/filters.tsx";
import { More } from "../../parts/base/more.tsx";
import { useNamedList } from "../../parts/base/named.ts";
import { OtherDays } from "../../parts/schedule/other-days.tsx";
import { PersonField } from "../../parts/base/person-field.tsx";
import { StaffField } from "../../parts/base/staff-field.tsx";

/** Whose sessions the schedule shows, of which days, in which form, and which of them. */

/** The kinds of people with sessions, each with the API's filter. */
const KINDS = [
  { whose: "clinic", name: "Whole clinic", filter: undefined },
  { whose: "clinician", name: "Clinician", filter: "clinicianId" },
  { whose: "technician", name: "Technician", filter: "technicianId" },
  { whose: "patient", name: "Patient", filter: "clientId" },
] as const;

/** Whose sessions are shown. */
export function shownKind(): (typeof KINDS)[number] {
  return KINDS.find(({ whose }) => whose === parameter("whose")) ?? KINDS[0];
}

const CLINIC_FORMS = [
  { name: "Day", form: undefined },
  { name: "List", form: "table" },
  { name: "Week", form: "week" },
];

const FORMS = [
  { name: "Week", form: undefined },
  { name: "Table", form: "table" },
];

const STATUSES = [
  { publicId: "DECLINED,PATIENT_NO_SHOW", name: "Cancelled or no-show" },
  ...STATUS_NAMES.map(([publicId, name]) => ({ publicId, name })),
];

export function ScheduleControls({ day, step }: { day: CalendarDate | undefined; step: 1 | 7 }) {
  const { whose } = shownKind();
  const isClinic = whose === "clinic";
  return (
    <Toolbar>
      <Field
        label="Of"
        value={whose}
        choices={KINDS.map((kind) => ({ value: kind.whose, name: kind.name }))}
        onType={(chosen) => {
          const kind = KINDS.find((each) => each.whose === chosen);
          goTo(
            addressWith({
              ...{ whose: kind?.filter && kind.whose, person: undefined },
              ...{ team: undefined, as: undefined },
            }),
          );
        }}
      />
      {!isClinic && <WhoField whose={whose} />}
      <FilterField name="date" label="Day" type="date" fallback={day} />
      <OtherDays day={day} step={step} />
      <Choices
        label="Show as"
        choices={(isClinic ? CLINIC_FORMS : FORMS).map(({ name, form }) => ({
          name,
          address: addressWith({ as: form }),
          isChosen: form === parameter("as"),
        }))}
      />
      <More of={["status", "location", "team"]}>
        <ChoiceFilter name="status" label="Status" all="Any" elements={STATUSES} />
        <LocationFilter />
        {isClinic && <TeamFilter />}
      </More>
    </Toolbar>
  );
}

function WhoField({ whose }: { whose: "clinician" | "technician" | "patient" }) {
  const id = parameter("person") ?? null;
  const pick = (person: string | null): void => goTo(addressWith({ person }));
  if (whose === "patient")
    return <PersonField label="Patient" role="PATIENT" id={id} onPick={pick} />;
  return <StaffField kind={whose} id={id} none="Choose" onPick={pick} />;
}

function LocationFilter() {
  const locations = useNamedList("locations");
  return <ChoiceFilter name="location" label="Location" all="Any" elements={locations} />;
}

function TeamFilter() {
  const clinicians = useStaff("clinician").value ?? [];
  const elements = clinicians.map((each) => ({ publicId: each.publicId, name: nameOf(each) }));
  return <ChoiceFilter name="team" label="Team of" all="Everybody" elements={elements} />;
}
