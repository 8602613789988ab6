import { useState } from "preact/hooks";
import { dateText, phoneText, words } from "../lib/format.ts";
import { useList } from "../lib/list.ts";
import { listName, remember, type Role } from "../lib/people.ts";
import { addressOf, addressWith, goTo, place } from "../lib/place.ts";
import { writableRoles } from "../lib/rights.ts";
import { signedIn } from "../lib/signed-in.ts";
import type { PageOf, User } from "../lib/wire.ts";
import { Choices } from "../parts/choices.tsx";
import { Field } from "../parts/field.tsx";
import { ResponseView, Empty } from "../parts/notices.tsx";
import { Pager } from "../parts/pager.tsx";
import { useSettled } from "../parts/person-field.tsx";
import { NewPersonDialog } from "./person-form.tsx";

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
  const { query } = place.value;
  const [typed, setTyped] = useState(signedIn.value?.search ?? "");
  const [isAdding, setAdding] = useState(false);
  const search = useSettled(typed);
  const role = query.get("role") ?? undefined;
  const page = query.get("page") ?? undefined;
  const presence = query.get("isActive") ?? undefined;
  const isActive = presence === "all" ? undefined : (presence ?? "true");
  const { response, print } = useList<PageOf<User>>("users", {
    ...{ search, role, isActive, page },
    sort: "lastName_asc",
  });
  remember(response.value?.data ?? []);

  const type = (text: string): void => {
    if (signedIn.value !== undefined) signedIn.value.search = text;
    setTyped(text);
    if (page !== undefined) goTo(addressWith({ page: undefined }), "replace");
  };

  return (
    <main>
      <header class="view-header">
        <h1 tabIndex={-1}>People</h1>
        <p class="lead">Patients, caregivers and staff, with their records.</p>
        {writableRoles().length > 0 && (
          <nav class="actions" aria-label="People">
            <button type="button" class="primary" onClick={() => setAdding(true)}>
              New person
            </button>
          </nav>
        )}
      </header>
      {isAdding && <NewPersonDialog role={role} onClose={() => setAdding(false)} />}
      <form class="toolbar" role="search" onSubmit={(event) => event.preventDefault()}>
        <Field
          class="wide"
          label="Search"
          type="search"
          value={typed}
          placeholder="Name, email, phone or record number"
          onType={type}
        />
        <Field
          label="Role"
          value={role ?? ""}
          choices={[
            { value: "", name: "Everybody" },
            ...ROLES.map((each) => ({ value: each, name: words(each) })),
          ]}
          onType={(picked) => goTo(addressWith({ role: picked, page: undefined }))}
        />
        <Choices
          label="Who is here"
          choices={PRESENCES.map(({ name, isActive: choice }) => ({
            name,
            address: addressWith({ isActive: choice, page: undefined }),
            isChosen: choice === presence,
          }))}
        />
      </form>
      <ResponseView response={response}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty>
              <p>{search === "" && role === undefined ? NO_PEOPLE_YET : "No people found."}</p>
            </Empty>
          ) : (
            <>
              <div class="list-head">
                <Pager pagination={pagination} label="Pages" onPrint={print} />
              </div>
              <List people={data} />
              <Pager pagination={pagination} label="Pages, after the list" />
            </>
          )
        }
      </ResponseView>
    </main>
  );
}

function List({ people }: { people: User[] }) {
  return (
    <table class="people folding">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Role</th>
          <th scope="col">Born</th>
          <th scope="col">Record</th>
          <th scope="col">Contact</th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.publicId}>
            <th scope="row">
              <a class="subject" href={addressOf(["people", person.publicId])}>
                <bdi>{listName(person)}</bdi>
              </a>
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
    </table>
  );
}
