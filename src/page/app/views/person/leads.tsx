import { noteAct } from "../../lib/base/acts.ts";
import { get, postOnce, type Reading, withQuery } from "../../lib/base/api.ts";
import { Failure } from "../../lib/base/failure.ts";
import { phoneText, words } from "../../lib/base/format.ts";
import { useList } from "../../lib/base/list.ts";
import { instantDayText, me } from "../../lib/base/me.ts";
import { nameOf, usePeople } from "../../lib/person/people.ts";
import { addressOf, goTo, openDialog, openedDialog, parameters } from "../../lib/base/place.ts";
import { fieldsOf, picked, type RecordDescription } from "../../lib/base/record-fields.ts";
import { mayWrite, writableRoles } from "../../lib/base/rights.ts";
import type { IntakeLead, IntakeLeadCreation, PageOf } from "../../lib/base/wire.ts";
import { deletionOf } from "../../lib/base/lines.ts";
import { writeLines } from "../../lib/base/write.ts";
import { Since } from "../../lib/base/response.ts";
import { Button } from "../../parts/base/button.tsx";
import { ChangePersonButton } from "../../parts/person/change-person.tsx";
import { Dialog } from "../../parts/base/dialog.tsx";
import { EditRecordDialog } from "../../parts/record/edit-record.tsx";
import { ChoiceFilter, Filters } from "../../parts/base/filters.tsx";
import type { Column } from "../../parts/base/list-table.tsx";
import { ListView } from "../../parts/base/list-view.tsx";
import { useNamed, useNamedList } from "../../parts/base/named.ts";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { type FormSection, RecordForm, type Saving } from "../../parts/record/record-form.tsx";

/** The leads: who has asked for treatment, at which stage they are, and the form of a new one. */
export function Leads() {
  const stages = useNamedList("intake-stages");
  const list = useList<PageOf<IntakeLead>>("intake-leads", parameters(["stageId"]));
  const edited = openedDialog("edit")?.id;
  return (
    <>
      {openedDialog("new-lead") && <NewLeadDialog />}
      {edited !== undefined && (
        <EditRecordDialog
          type="intakeLead"
          id={edited}
          description={fieldsOf("intakeLead")}
          sections={editSections}
          done="The lead was changed."
        />
      )}
      <ListView
        title="Leads"
        list={list}
        actions={
          !me().key.isReadOnly && (
            <Button class="primary" onClick={() => openDialog("new-lead")}>
              New lead
            </Button>
          )
        }
        filters={
          <Filters>
            <ChoiceFilter name="stageId" label="Stage" all="All" elements={stages} />
          </Filters>
        }
        columns={useColumns(list.response.value?.data ?? [])}
        keyOf={({ publicId }) => publicId}
        empty="No leads."
      />
    </>
  );
}

const ACTIVE = "ACTIVE";

function useColumns(leads: readonly IntakeLead[]): Column<IntakeLead>[] {
  // A lead names its people by their ids only; the status of the child is changed, and the caregiver called.
  const people = usePeople(leads.flatMap(({ clientId, caregiverId }) => [clientId, caregiverId]));
  const stage = useNamed("intake-stages");
  const label = useNamed("intake-labels");
  const mayActivate = writableRoles().includes("PATIENT");
  return [
    {
      name: "Child",
      cell: ({ clientId }) => {
        const child = people.value?.get(clientId);
        return (
          <>
            <PersonLink id={clientId} name={child ? nameOf(child) : "…"} />
            {child?.userStatus && <small>{words(child.userStatus)}</small>}
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
              {caregiver.phoneNumber && <small>{phoneText(caregiver.phoneNumber)}</small>}
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
      cell: ({ publicId, clientId }) => {
        const child = people.value?.get(clientId);
        return (
          <>
            {child && child.userStatus !== ACTIVE && mayActivate && (
              <Since.Provider value={people.sequence}>
                <ChangePersonButton
                  label="Make active"
                  done="The patient is active now."
                  id={clientId}
                  from={{ userStatus: child.userStatus }}
                  to={{ userStatus: ACTIVE }}
                />
              </Since.Provider>
            )}
            {mayWrite("intakeLead") && (
              <Button
                aria-label={`Edit the lead of ${child ? nameOf(child) : publicId}`}
                onClick={() => openDialog("edit", { id: publicId })}
              >
                Edit
              </Button>
            )}
          </>
        );
      },
    },
  ];
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
        ...picked(client.fields ?? {}, CLIENT_FIELDS),
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
    noteAct({ said: "The lead was added.", undo: await undoOf(created) });
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
async function undoOf({ client, caregiver }: IntakeLeadCreation) {
  if (!mayWrite("intakeLead")) return undefined;
  const clientId = client.publicId;
  const path = withQuery("intake-leads", { clientId });
  const reading: Reading = {};
  const leads = await get<PageOf<IntakeLead>>(path, reading).catch(() => undefined);
  if (leads === undefined) return undefined;
  const records = [
    ...leads.data.map(({ publicId }) => ({ type: "intakeLead", publicId })),
    ...[clientId, caregiver.publicId].map((publicId) => ({ type: "user", publicId })),
  ];
  return () => writeLines(deletionOf(records), reading.sequence);
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
