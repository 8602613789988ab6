import { noteAct } from "../../lib/base/acts.ts";
import { get, postOnce, sequenceOf, withQuery } from "../../lib/base/api.ts";
import { Failure } from "../../lib/base/failure.ts";
import { phoneText, words } from "../../lib/base/format.ts";
import { instantDayText, me } from "../../lib/base/me.ts";
import { nameOf, type PersonRecord, usePeople } from "../../lib/person/people.ts";
import { addressOf, goTo, openDialog, openedDialog, parameters } from "../../lib/base/place.ts";
import { fieldsOf, type RecordDescription } from "../../lib/base/record-fields.ts";
import { mayWrite, writableRoles } from "../../lib/base/rights.ts";
import type { IntakeLead, IntakeLeadCreation, PageOf } from "../../lib/base/wire.ts";
import { writeLines } from "../../lib/base/write.ts";
import { Since } from "../../lib/base/response.ts";
import { Button } from "../../parts/base/button.tsx";
import { ChangePersonButton } from "../../parts/person/change-person.tsx";
import { Dialog } from "../../parts/base/dialog.tsx";
import { EditRecordDialog } from "../../parts/record/edit-record.tsx";
import { ChoiceFilter } from "../../parts/base/filters.tsx";
import { type Column, ListTable } from "../../parts/base/list-table.tsx";
import { ListView } from "../../parts/base/list-view.tsx";
import { useNamed, useNamedList } from "../../parts/base/named.ts";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { type FormSection, RecordForm, type Saving } from "../../parts/record/record-form.tsx";
import { Filters } from "../../parts/base/toolbar.tsx";

/** The leads: who has asked for treatment, at which stage they are, and the form of a new one. */
export function Leads() {
  const stages = useNamedList("intake-stages");
  return (
    <>
      {openedDialog("new-lead") && <NewLeadDialog />}
      <ListView<PageOf<IntakeLead>>
        title="Leads"
        lead="Families who have asked for treatment, the newest first."
        actions={
          !me().key.isReadOnly && (
            <Button class="primary" onClick={() => openDialog("new-lead")}>
              New lead
            </Button>
          )
        }
        filters={() => (
          <Filters>
            <ChoiceFilter name="stageId" label="Stage" all="All" elements={stages} />
          </Filters>
        )}
        path="intake-leads"
        query={parameters(["stageId"])}
        columns={[]}
        keyOf={({ publicId }) => publicId}
        empty="No leads."
      >
        {({ data }) => <Rows leads={data} />}
      </ListView>
    </>
  );
}

const ACTIVE = "ACTIVE";

function Rows({ leads }: { leads: IntakeLead[] }) {
  // A lead names its people by their ids only; the status of the child is changed, and the caregiver called.
  const ids = leads.flatMap(({ clientId, caregiverId }) => [clientId, caregiverId]);
  const people = usePeople(ids);
  const stage = useNamed("intake-stages");
  const label = useNamed("intake-labels");
  const mayActivate = writableRoles().includes("PATIENT");
  const edited = openedDialog("edit")?.id;
  const client = ({ clientId }: IntakeLead) => people.value?.get(clientId);
  const columns: Column<IntakeLead>[] = [
    {
      name: "Child",
      cell: (lead) => {
        const { userStatus, ...child } = client(lead) ?? {};
        const name = "firstName" in child ? nameOf(child as PersonRecord) : "…";
        return (
          <>
            <PersonLink class="subject" id={lead.clientId} name={name} />
            {userStatus && <small>{words(userStatus)}</small>}
          </>
        );
      },
    },
    {
      name: "Caregiver",
      cell: ({ caregiverId, relationship }) => {
        const caregiver = people.value?.get(caregiverId);
        return (
          caregiver && (
            <>
              <bdi>{nameOf(caregiver)}</bdi>, {words(relationship).toLowerCase()}
              <small>{phoneText(caregiver.phoneNumber)}</small>
            </>
          )
        );
      },
    },
    {
      name: "Stage",
      cell: ({ stageId, labelIds }) => (
        <>
          {stageId === null ? "" : stage(stageId)}
          <small>{labelIds.map(label).join(", ")}</small>
        </>
      ),
    },
    {
      name: "Source",
      cell: ({ source, channel }) => (
        <>
          {source}
          <small>{channel}</small>
        </>
      ),
    },
    { name: "Since", class: "date", cell: ({ createdAt }) => instantDayText(createdAt) },
    {
      name: "",
      class: "actions",
      cell: (lead) => {
        const child = client(lead);
        return (
          <>
            {mayWrite("intakeLead") && (
              <Button
                aria-label={`Edit the lead of ${child ? nameOf(child) : lead.publicId}`}
                onClick={() => openDialog("edit", { id: lead.publicId })}
              >
                Edit
              </Button>
            )}
            {child && child.userStatus !== ACTIVE && mayActivate && (
              <ChangePersonButton
                label="Make active"
                done="The patient is active now."
                id={child.publicId}
                from={{ userStatus: child.userStatus }}
                to={{ userStatus: ACTIVE }}
              />
            )}
          </>
        );
      },
    },
  ];
  return (
    <Since.Provider value={people.sequence}>
      {edited !== undefined && (
        <EditRecordDialog
          type="intakeLead"
          id={edited}
          description={fieldsOf("intakeLead")}
          sections={editSections}
          done="The lead was changed."
        />
      )}
      <ListTable label="Leads" columns={columns} keyOf={({ publicId }) => publicId} rows={leads} />
    </Since.Provider>
  );
}

const editSections: FormSection[] = [
  { fields: ["stageId", "labelIds", "relationship", "source", "channel", "campaign"] },
];

const { client, caregiver } = fieldsOf("lead");

const CLIENT_FIELDS = "firstName lastName birthdate sex address city state zip".split(" ");

const lead: RecordDescription = {
  ...(client && {
    client: {
      ...client,
      fields: {
        ...Object.fromEntries(
          Object.entries(client.fields ?? {}).filter(([name]) => CLIENT_FIELDS.includes(name)),
        ),
        intakeStatusPublicId: { names: "intakeStage" },
        labelPublicIds: { names: "intakeLabel", isList: true },
      },
    },
  }),
  ...(caregiver && { caregiver }),
  source: { maxLength: 200 },
};

const sections: FormSection[] = [
  {
    fields: [
      { name: "client", label: "Child" },
      "caregiver",
      { name: "source", label: "How they heard of the practice" },
    ],
  },
];

/** The form of a new lead, as somebody calls. */
function NewLeadDialog() {
  const save = async ({ values }: Saving): Promise<void> => {
    const { source, ...people } = values;
    const attribution = { utm_source: source ?? null };
    const body = JSON.stringify(withoutEmpty({ ...people, attribution }));
    const created = await postOnce<IntakeLeadCreation>("intake-leads", body).catch(atTheEmail);
    noteAct({ said: "The lead was added.", undo: await deletionOf(created) });
    goTo(addressOf(["people", created.client.publicId]), "replace");
  };
  return (
    <Dialog title="New lead">
      <RecordForm
        label="New lead"
        description={lead}
        sections={sections}
        // The body is the form's own.
        pathOf={(path) => path}
        stored={{ client: {}, caregiver: {} }}
        save="Add"
        onSave={save}
      />
    </Dialog>
  );
}

/** What undoes a new lead, for those who may delete people; undefined for others, and where that cannot be read. */
async function deletionOf({ client, caregiver }: IntakeLeadCreation) {
  if (!mayWrite("intakeLead")) return undefined;
  const { signal } = new AbortController();
  const clientId = client.publicId;
  const path = withQuery("intake-leads", { clientId });
  const leads = await get<PageOf<IntakeLead>>(path, signal).catch(() => undefined);
  if (leads === undefined) return undefined;
  const records = [
    ...leads.data.map(({ publicId }) => ({ type: "intakeLead", publicId })),
    ...[clientId, caregiver.publicId].map((publicId) => ({ type: "user", publicId })),
  ];
  const lines = records.map((record) => ({ ...record, deleted: true }));
  return () => writeLines(lines, sequenceOf(signal));
}

/** A lead without the fields that were left empty. */
function withoutEmpty(values: object): unknown {
  return JSON.parse(JSON.stringify(values), (_, value: unknown) => value ?? undefined);
}

const CONFLICT = 409;

/** @throws Failure the same, at the field of the email if it belongs to somebody else. */
function atTheEmail(error: unknown): never {
  if (!(error instanceof Failure) || error.status !== CONFLICT) throw error;
  const issues = [{ path: ["caregiver", "email"], message: error.message }];
  throw new Failure(error.message, error.status, { issues });
}
