import { useState } from "preact/hooks";
import { dateText, phoneText, words } from "../../lib/base/format.ts";
import { useList } from "../../lib/base/list.ts";
import { listName } from "../../lib/person/people.ts";
import {
  addressOfFilter,
  addressWith,
  goTo,
  openDialog,
  openedDialog,
  parameters,
} from "../../lib/base/place.ts";
import { writableRoles } from "../../lib/base/rights.ts";
import { signedIn } from "../../lib/sign-in/signed-in.ts";
import type { PageOf, Role, User } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Choices } from "../../parts/base/choices.tsx";
import { Field } from "../../parts/base/field.tsx";
import { FilterField } from "../../parts/base/filters.tsx";
import { Form } from "../../parts/base/form.tsx";
import { ListPages } from "../../parts/base/list-pages.tsx";
import { later } from "../../parts/base/later.tsx";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { useSettled } from "../../parts/base/person-field.tsx";
import { Table } from "../../parts/base/table.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";

/** The people of the practice, with search while typing. The search text may be a name and is therefore not in the URL. */

const NewPersonDialog = later(async () => (await import("../forms.ts")).NewPersonDialog);

/** Patients and those around them first, then the staff. */
const ROLES: Role[] = [
  "PATIENT",
  "CAREGIVER",
  "TECHNICIAN",
  "CLINICIAN",
  "CLINICAL_ADMIN",
  "CLINICAL_SUPERADMIN",
  "SCHEDULING_MANAGER",
  "BILLING_MANAGER",
  "PAYROLL_ADMIN",
  "ADMIN",
];

/** Whether people are there, by the `isActive` of the query. */
const PRESENCES = [
  { name: "Active", isActive: undefined },
  { name: "Left", isActive: "false" },
  { name: "All", isActive: "all" },
];

/** Shown in a new practice. */
const NO_PEOPLE_YET =
  "No people yet. People and sessions are imported from a practice file or a spreadsheet.";

export function People() {
  const [typed, setTyped] = useState(signedIn.value?.search ?? "");
  const search = useSettled(typed);
  const { role, isActive: presence, page } = parameters(["role", "isActive", "page"]);
  const isActive = presence === "all" ? undefined : (presence ?? "true");
  const list = useList<PageOf<User>>("users", {
    ...{ search, role, isActive, page },
    sort: "lastName_asc",
  });

  const type = (text: string): void => {
    if (signedIn.value !== undefined) signedIn.value.search = text;
    setTyped(text);
    if (page !== undefined) goTo(addressWith({ page: undefined }), "replace");
  };

  return (
    <main>
      <ViewHeader
        isAboutPatients
        title="People"
        lead="Patients, caregivers and staff, with their records."
      >
        {writableRoles().length > 0 && (
          <nav class="actions" aria-label="People">
            <Button class="primary" onClick={() => openDialog("new-person")}>
              New person
            </Button>
          </nav>
        )}
      </ViewHeader>
      {openedDialog("new-person") && writableRoles().length > 0 && <NewPersonDialog role={role} />}
      <Form class="toolbar" role="search">
        <Field
          class="wide"
          label="Search"
          type="search"
          value={typed}
          placeholder="Name, email, phone or record number"
          onType={type}
        />
        <FilterField
          name="role"
          label="Role"
          choices={[
            { value: "", name: "Everybody" },
            ...ROLES.map((each) => ({ value: each, name: words(each) })),
          ]}
        />
        <Choices
          label="Who is here"
          choices={PRESENCES.map(({ name, isActive: choice }) => ({
            name,
            address: addressOfFilter({ isActive: choice }),
            isChosen: choice === presence,
          }))}
        />
      </Form>
      <ListPages
        list={list}
        empty={search === "" && role === undefined ? NO_PEOPLE_YET : "No people found."}
      >
        {({ data }) => <Rows people={data} />}
      </ListPages>
    </main>
  );
}

function Rows({ people }: { people: User[] }) {
  return (
    <Table class="people folding" headings={["Name", "Role", "Born", "Record", "Contact"]}>
      <tbody>
        {people.map((person) => (
          <tr key={person.publicId}>
            <th scope="row">
              <PersonLink class="subject" id={person.publicId} name={listName(person)} />
              {!person.isActive && <span class="badge">Left</span>}
            </th>
            <td>
              {words(person.role)}
              {person.userStatus !== null && <small>{words(person.userStatus)}</small>}
            </td>
            <td>{person.birthDate === null ? "" : dateText(person.birthDate)}</td>
            <td>{person.role === "PATIENT" ? person.internalRecordId : ""}</td>
            <td class="contact">
              {person.email}
              {person.phoneNumber !== "" && <small>{phoneText(person.phoneNumber)}</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
