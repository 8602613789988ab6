import { useState } from "preact/hooks";
import { readPractice } from "../../lib/base/api.ts";
import { words } from "../../lib/base/format.ts";
import { linesOfChange, type Values } from "../../lib/base/form-values.ts";
import { labelOf } from "../../lib/base/labels.ts";
import { type Change, deletionOf, type Line, newId } from "../../lib/base/lines.ts";
import { useNames } from "../../lib/person/people.ts";
import { addressOf, addressOfRecord, openDialog, openedDialog } from "../../lib/base/place.ts";
import {
  detailsOf,
  listed,
  nextPosition,
  PRACTICE_TYPES,
  type PracticeType,
  reordering,
  type Use,
  useIn,
} from "../../lib/practice/practice.ts";
import { fieldsOf } from "../../lib/base/record-fields.ts";
import { useRemembered } from "../../lib/base/response.ts";
import { mayWrite } from "../../lib/base/rights.ts";
import { write } from "../../lib/base/write.ts";
import { Button } from "../../parts/base/button.tsx";
import type { FormField } from "../../parts/record/control.ts";
import { Dialog } from "../../parts/base/dialog.tsx";
import { Facts } from "../../parts/base/facts.tsx";
import { ResponseView } from "../../parts/base/notices.tsx";
import { RecordForm, type Saving } from "../../parts/record/record-form.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { useWriting } from "../../parts/base/writing.tsx";

/** The practice itself: its name and zone, and all that its records refer to. Each sees what they may write. */

type EntryType = PracticeType | "organization";

/** The singular of each list. */
const ONE: Record<PracticeType, string> = {
  location: "location",
  payor: "payor",
  serviceLine: "service",
  intakeStage: "stage",
  nonBillableCode: "code",
  specialization: "specialization",
  intakeLabel: "label",
};

/** The fields of a form; a position is that of the list. */
const FIELDS: Record<EntryType, readonly (string | FormField)[]> = {
  organization: [
    "name",
    "timezone",
    "weekStartsOn",
    { name: "goalDaysInARow", hint: "3 if empty. A goal with an observation period has its own." },
  ],
  location: ["name"],
  payor: ["name"],
  serviceLine: [
    "name",
    {
      name: "billingUnitMinutes",
      isRequired: false,
      hint: "Empty if each visit is a unit.",
    },
    { name: "code", hint: "As claims have it: 97153." },
    { name: "modifiers", hint: "Up to four, with commas between them: HM, HN." },
    "kind",
    {
      name: "isGroup",
      hint: "Its sessions with several clients at one time and place overlap nothing.",
    },
    { name: "recordsData", hint: "Billing warns where a session has none." },
  ],
  intakeStage: [
    "name",
    { name: "key", hint: "The step that other systems know it by." },
    "isActive",
  ],
  nonBillableCode: ["name"],
  specialization: ["name", "isActive"],
  intakeLabel: ["name"],
};

export function Practice() {
  const types = PRACTICE_TYPES.filter(mayWrite);
  const response = useRemembered(`practice ${types}`, (reading) => readPractice(types, reading));
  return (
    <main>
      <ViewHeader title="Practice" lead="What all records of the practice refer to." />
      <ResponseView response={response}>
        {(lines) => (
          <>
            <div class="practice">
              {mayWrite("organization") && <Organization lines={lines} />}
              {types.map((type) => (
                <List key={type} type={type} records={listed(lines, type)} />
              ))}
            </div>
            <OpenedDialog lines={lines} />
          </>
        )}
      </ResponseView>
    </main>
  );
}

function Organization({ lines: [organization] }: { lines: Line[] }) {
  if (organization === undefined) return null;
  const { name, timezone, weekStartsOn, goalDaysInARow } = organization;
  return (
    <section class="panel" aria-label="The practice">
      <div class="list-head">
        <h2>The practice</h2>
        <Button onClick={() => openDialog("edit-practice")}>Edit</Button>
      </div>
      <Facts
        facts={[
          ["Name", <bdi>{String(name)}</bdi>],
          ["Time zone", timezone === null ? "None: UTC" : String(timezone)],
          ["Weeks start on", words(String(weekStartsOn))],
          ["Goals are met by", `${goalDaysInARow ?? 3} days in a row`],
        ]}
      />
    </section>
  );
}

const MOVES = [
  { by: -1, arrow: "↑", way: "up" },
  { by: 1, arrow: "↓", way: "down" },
] as const;

function List({ type, records }: { type: PracticeType; records: Line[] }) {
  const { isWriting, failure, notice, run } = useWriting();
  const [removed, setRemoved] = useState<string>();
  const remove = (record: Line): void => {
    setRemoved(record.publicId);
    const lines = deletionOf([record]);
    void run({ done: `${record.name} was removed.`, lines, undo: [record] });
  };
  const move = (id: string, by: 1 | -1): void => {
    setRemoved(undefined);
    void run({ done: "The stages have another order.", ...reordering(records, id, by) });
  };
  const use = failure?.issues.map(({ message }) => useIn(message)).find(Boolean);
  return (
    <section class={`panel practice-list ${type}`} aria-label={labelOf(type)}>
      <div class="list-head">
        <h2>
          {labelOf(type)} <small>{records.length}</small>
        </h2>
        <Button onClick={() => openDialog("new-entry", { type })}>Add</Button>
      </div>
      <ul>
        {records.map((record, index) => (
          <li key={record.publicId}>
            <span>
              <bdi>{String(record.name)}</bdi> <small>{detailsOf(record)}</small>
            </span>
            <span class="row-actions">
              {type === "intakeStage" &&
                MOVES.map(({ by, arrow, way }) => (
                  <Button
                    key={by}
                    aria-label={`${record.name} ${way}`}
                    disabled={isWriting || records[index + by] === undefined}
                    onClick={() => move(record.publicId, by)}
                  >
                    {arrow}
                  </Button>
                ))}
              <Button
                class="link"
                aria-label={`Edit ${record.name}`}
                onClick={() => openDialog("edit-entry", { id: record.publicId, type })}
              >
                Edit
              </Button>
              <Button
                class="link"
                aria-label={`Remove ${record.name}`}
                disabled={isWriting}
                onClick={() => remove(record)}
              >
                Remove
              </Button>
            </span>
            {removed === record.publicId && use && <InUse use={use} />}
          </li>
        ))}
        {records.length === 0 && <li class="hint">None yet.</li>}
      </ul>
      {use === undefined && notice}
    </section>
  );
}

/** What kinds of records are called, in the middle of a sentence. */
const NOUNS: Record<string, string> = {
  user: "a person",
  authorization: "an authorization",
  authorizationPool: "a pool",
  session: "a session",
  intakeLead: "a lead",
};

/** Why a record stays: one that names it, with the way there. */
function InUse({ use: { type, publicId, others } }: { use: Use }) {
  const name = useNames(type === "user" ? [publicId] : []);
  const who = type === "user" ? name(publicId) : (NOUNS[type] ?? words(type));
  return (
    <p class="mistake" role="alert">
      In use: <a href={addressOfRecord({ type, publicId }) ?? addressOf([])}>{who}</a>
      {others && ` and ${others}`} {others === "" ? "names" : "name"} it.
    </p>
  );
}

/** The form that is open. */
function OpenedDialog({ lines }: { lines: Line[] }) {
  const added = openedDialog("new-entry")?.type;
  const edited = openedDialog("edit-entry")?.id;
  const record = lines.find(({ publicId }) => publicId === edited);
  const [organization] = lines;
  if (isPracticeType(added)) return <NewEntry type={added} lines={lines} />;
  if (record !== undefined && isPracticeType(record.type))
    return (
      <EditEntry
        key={record.publicId}
        title={`Edit ${record.name}`}
        type={record.type}
        stored={record}
      />
    );
  if (openedDialog("edit-practice") && organization)
    return <EditEntry title="Edit the practice" type="organization" stored={organization} />;
  return null;
}

function isPracticeType(type: string | undefined): type is PracticeType {
  return PRACTICE_TYPES.some((each) => each === type) && mayWrite(type as PracticeType);
}

/** The form of a new record. */
function NewEntry({ type, lines }: { type: PracticeType; lines: Line[] }) {
  const [publicId] = useState(() => newId(`${type}_`.toLowerCase()));
  const description = fieldsOf(type);
  const stored = {
    ...("isActive" in description && { isActive: true }),
    ...("billingUnitMinutes" in description && { billingUnitMinutes: 15 }),
    ...(type === "intakeStage" && { position: nextPosition(listed(lines, type)) }),
  };
  const change = ({ values }: Saving): Change => {
    const made = [{ type, publicId, ...asClaimed(values) }];
    return { done: `${values.name} was added.`, lines: made, undo: deletionOf(made) };
  };
  return <Entry title={`New ${ONE[type]}`} save="Add" {...{ type, stored, change }} />;
}

/** The form of a record that is there. */
function EditEntry({ title, type, stored }: { title: string; type: EntryType; stored: Line }) {
  const change = ({ values, changed, before }: Saving): Change => ({
    done: `${type === "organization" ? "The practice" : values.name} was changed.`,
    ...linesOfChange({ changed: asClaimed(changed), before }, stored),
  });
  return <Entry save="Save" {...{ title, type, stored, change }} />;
}

function Entry(properties: {
  title: string;
  type: EntryType;
  stored: Values;
  save: string;
  change: (saving: Saving) => Change;
}) {
  const { title, type, stored, save, change } = properties;
  return (
    <Dialog title={title}>
      <RecordForm
        label={title}
        description={fieldsOf(type)}
        sections={[{ fields: FIELDS[type] }]}
        stored={stored}
        save={save}
        onSave={(saving) => write(change(saving), saving.since)}
      />
    </Dialog>
  );
}

/** Codes and modifiers are in capitals, however they are typed. */
function asClaimed(values: Values): Values {
  const { code, modifiers } = values;
  return {
    ...values,
    ...(typeof code === "string" && { code: code.trim().toUpperCase() }),
    ...(Array.isArray(modifiers) && {
      modifiers: modifiers.map((each: string) => each.toUpperCase()),
    }),
  };
}
