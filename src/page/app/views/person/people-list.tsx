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
import type { Column } from "../../parts/base/list-table.tsx";
import { ListView } from "../../parts/base/list-view.tsx";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { useSettled } from "../../parts/base/person-field.tsx";
import { NewPersonDialog } from "../late-forms.ts";

/** The people of the practice, with search while typing. The search text may be a name and is therefore not in the URL. */

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
  const query = { search, role, isActive, sort: "lastName_asc" };
  const list = useList<PageOf<User>>("users", query);

  const type = (text: string): void => {
    if (signedIn.value !== undefined) signedIn.value.search = text;
    setTyped(text);
    if (page !== undefined) goTo(addressWith({ page: undefined }), "replace");
  };

  return (
    <>
      {openedDialog("new-person") && writableRoles().length > 0 && <NewPersonDialog role={role} />}
      <ListView
        isAboutPatients
        title="People"
        list={list}
        actions={
          writableRoles().length > 0 && (
            <Button class="primary" onClick={() => openDialog("new-person")}>
              New person
            </Button>
          )
        }
        filters={
          <Form class="toolbar" role="search" aria-label="Filter">
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
        }
        columns={COLUMNS}
        keyOf={({ publicId }) => publicId}
        saveAs="people"
        empty={
          search === "" && role === undefined && presence === undefined ? (
            NO_PEOPLE_YET
          ) : (
            <>
              <p>
                Nobody{" "}
                {[search && `is found for “${search}”`, role && `is ${words(role).toLowerCase()}`]
                  .filter(Boolean)
                  .join(" and ") || "is here"}
                .
              </p>
              <a
                class="button"
                href={addressOfFilter({ role: undefined, isActive: "all" })}
                onClick={() => type("")}
              >
                Show everybody
              </a>
            </>
          )
        }
      />
    </>
  );
}

const COLUMNS: Column<User>[] = [
  {
    name: "Name",
    cell: (person) => (
      <>
        <PersonLink class="subject" id={person.publicId} name={listName(person)} />
        {!person.isActive && <span class="badge">Left</span>}
      </>
    ),
    saved: {
      "Last name": ({ lastName }) => lastName,
      "First name": ({ firstName }) => firstName,
      ID: ({ publicId }) => publicId,
    },
  },
  {
    name: "Role",
    cell: ({ role, userStatus }) => (
      <>
        {words(role)}
        {userStatus !== null && <small>{words(userStatus)}</small>}
      </>
    ),
    saved: { Role: ({ role }) => words(role), Status: ({ userStatus }) => userStatus },
  },
  {
    name: "Born",
    cell: ({ birthDate }) => birthDate && dateText(birthDate),
    saved: { Born: ({ birthDate }) => birthDate },
  },
  {
    name: "Record",
    cell: recordNumber,
    saved: { "Record number": recordNumber },
  },
  {
    name: "Contact",
    class: "lead",
    cell: ({ email, phoneNumber }) => (
      <>
        {email}
        {phoneNumber !== "" && <small>{phoneText(phoneNumber)}</small>}
      </>
    ),
    saved: { Email: ({ email }) => email, Phone: ({ phoneNumber }) => phoneNumber },
  },
];

function recordNumber(person: User): string | null {
  return person.role === "PATIENT" ? person.internalRecordId : null;
}
