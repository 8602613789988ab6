import { useDraft } from "../../lib/base/draft.ts";
import { countText, words as textOf } from "../../lib/base/format.ts";
import { keepChoices, keptChoices } from "../../lib/import/import-choices.ts";
import { guessFields, guessRole, type Sheet } from "../../lib/import/import-sheet.ts";
import {
  LEFT_EMPTY,
  type MatchOption,
  type OptionsOf,
  type Word,
  wordsOf,
} from "../../lib/import/import-words.ts";
import { labelOf } from "../../lib/base/labels.ts";
import { newId } from "../../lib/base/lines.ts";
import { me } from "../../lib/base/me.ts";
import { columnsOfTypes, TYPES } from "../../lib/base/csv-columns.ts";
import { kindsOf } from "../../lib/base/record-fields.ts";
import { guessType, parseTable } from "../../lib/import/table.ts";
import type { Role } from "../../lib/base/wire.ts";
import { Field } from "../../parts/base/field.tsx";
import { FailureNotice, Loading } from "../../parts/base/notices.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { Imported, type ImportOutcome } from "./import-outcome.tsx";
import { columnsFor, fixedValues, useDirectory } from "./import-options.ts";
import { Preview } from "./import-preview.tsx";

/**
 * Files of CSV into the practice: each is a type of record, its headings are fields, its words values. What would change
 * is shown before anything is written. Files that others refer to come first, and each must be stored before the next
 * is checked.
 */

interface ImportedFile extends Sheet {
  /** What was made of it; undefined until it is imported. */
  outcome?: ImportOutcome;
}

function sheetOf(name: string, text: string): ImportedFile {
  const [headings = [], ...rows] = parseTable(text);
  const type = guessType(headings, columnsOfTypes, labelOf, name) ?? "user";
  const ids = rows.map(() => newId("usr_"));
  const sheet = { name, type, role: undefined, headings, rows, fields: [], words: {}, ids };
  const kept = keptChoices(me().organization.publicId, headings);
  return kept === undefined ? guessed(sheet, type) : { ...sheet, ...kept };
}

/** The sheet as one of a type: its columns are guessed anew, and of people what they are, unless a column says it. */
function guessed(sheet: Sheet, type: string, wanted?: Role): ImportedFile {
  const { name, headings } = sheet;
  const fields = guessFields(headings, columnsFor({ type, role: undefined }), labelOf);
  const isOpen = type === "user" && !fields.includes("role");
  const role = isOpen ? (wanted ?? guessRole(name, headings)) : undefined;
  const own =
    role === undefined ? fields : guessFields(headings, columnsFor({ type, role }), labelOf);
  return { ...sheet, type, role, fields: own, words: {} };
}

function byNeed(a: Sheet, b: Sheet): number {
  return TYPES.indexOf(a.type) - TYPES.indexOf(b.type);
}

export function Import() {
  // What is imported is stored.
  const [sheets, setSheets] = useDraft<ImportedFile[]>("Import", [], (all) =>
    all.some(({ outcome }) => outcome === undefined),
  );
  const add = async (files: readonly File[]): Promise<void> => {
    const read = files.map(async (file) => sheetOf(file.name, await file.text()));
    setSheets([...sheets, ...(await Promise.all(read))].sort(byNeed));
  };
  const change = (sheet: ImportedFile, changed: Partial<ImportedFile>): void => {
    const next = { ...sheet, ...changed };
    keepChoices(
      me().organization.publicId,
      next,
      (field) => fixedValues(next.type, field) !== undefined,
    );
    setSheets(sheets.map((each) => (each === sheet ? next : each)).sort(byNeed));
  };
  const current = sheets.find(({ outcome }) => outcome === undefined);
  return (
    <main
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void add([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <ViewHeader
        title="Import"
        lead="Spreadsheets, saved as CSV: people first, then what refers to them."
      />
      <label class="drop">
        <span>Drop files here, or choose them</span>
        <input
          type="file"
          multiple
          accept=".csv,.txt,.tsv,text/csv"
          onChange={(event) => {
            void add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
      </label>
      {sheets.length === 0 && <WhatItTakes />}
      {sheets.map((sheet) => (
        <section key={sheet.name} class="panel" aria-label={sheet.name}>
          <h2>
            {sheet.name} <small>{countText(sheet.rows.length, "row")}</small>
            {sheet.outcome && <span class="badge">Imported</span>}
          </h2>
          {sheet.outcome ? (
            <Imported type={sheet.type} outcome={sheet.outcome} />
          ) : (
            <Open
              sheet={sheet}
              isCurrent={sheet === current}
              onChange={(changed) => change(sheet, changed)}
            />
          )}
        </section>
      ))}
    </main>
  );
}

/** What an office can bring, while nothing is chosen. */
function WhatItTakes() {
  return (
    <section class="panel">
      <h2>What can be imported</h2>
      <ul class="notes">
        <li>
          Lists of patients, caregivers, technicians or other people, with any headings. Guardians
          in a patient’s row become caregivers.
        </li>
        <li>Payors, locations, services, authorizations, sessions and what was delivered.</li>
        <li>
          Each row needs an id of its own if you want to import the list again later; without one,
          every row is a new record.
        </li>
        <li>
          Nothing is written before you have seen what would change, and all of it can be undone.
        </li>
      </ul>
    </section>
  );
}

function Open(properties: {
  sheet: ImportedFile;
  isCurrent: boolean;
  onChange: (changed: Partial<ImportedFile>) => void;
}) {
  const { sheet, isCurrent, onChange } = properties;
  const directory = useDirectory(sheet);
  if (directory.failure)
    return <FailureNotice failure={directory.failure} again={directory.again} />;
  const { records = new Map<string, readonly MatchOption[]>(), caregivers = [] } =
    directory.value ?? {};
  const optionsOf = (field: string) => fixedValues(sheet.type, field) ?? records.get(field);
  return (
    <>
      <Columns sheet={sheet} onChange={onChange} />
      {directory.isLoading ? (
        <Loading />
      ) : (
        <>
          <Words sheet={sheet} optionsOf={optionsOf} onChange={onChange} />
          {isCurrent ? (
            <Preview
              key={JSON.stringify([sheet.type, sheet.role, sheet.fields, sheet.words])}
              {...{ sheet, optionsOf, caregivers }}
              onDone={(outcome) => onChange({ outcome })}
            />
          ) : (
            <p class="hint">It is checked when the files above are imported.</p>
          )}
        </>
      )}
    </>
  );
}

/** What the table is, and the field of each of its headings. */
function Columns(properties: {
  sheet: ImportedFile;
  onChange: (changed: Partial<ImportedFile>) => void;
}) {
  const { sheet, onChange } = properties;
  const { type, role, headings, fields } = sheet;
  const omitted = headings.filter((_, index) => fields[index] === undefined);
  const people = kindsOf("user").map((each) => ({ value: `user ${each}`, name: peopleText(each) }));
  const types = TYPES.map((each) => ({ value: each, name: labelOf(each) }));
  const isOfPeople = type === "user" && !fields.includes("role");
  return (
    <>
      <Field
        class="short"
        label="These are"
        value={role === undefined ? type : `user ${role}`}
        choices={isOfPeople ? [...people, ...types.filter(({ value }) => value !== "user")] : types}
        onType={(picked) => {
          const [of = "", kind] = picked.split(" ");
          onChange(guessed(sheet, of, kind as Role | undefined));
        }}
      />
      <details class="columns">
        <summary>
          {countText(headings.length, "column")}
          {omitted.length > 0 && `, left out: ${omitted.join(", ")}`}
        </summary>
        <div class="record-fields">
          {headings.map((heading, index) => (
            <Field
              key={index}
              label={heading || `Column ${index + 1}`}
              value={fields[index] ?? ""}
              choices={[
                { value: "", name: "Leave out" },
                ...columnsFor(sheet).map((field) => ({ value: field, name: labelOf(field) })),
              ]}
              onType={(picked) => onChange({ fields: fields.with(index, picked || undefined) })}
            />
          ))}
        </div>
      </details>
    </>
  );
}

/** `Patients`, `Technicians` */
function peopleText(role: string): string {
  return `${textOf(role)}s`;
}

/** The words of columns whose values are fixed, or are records: what is matched to none is shown first. */
function Words(properties: {
  sheet: Sheet;
  optionsOf: OptionsOf;
  onChange: (changed: Partial<Sheet>) => void;
}) {
  const { sheet, optionsOf, onChange } = properties;
  const columns = sheet.fields.flatMap((field, index) => {
    const options = field === undefined ? undefined : optionsOf(field);
    if (field === undefined || options === undefined) return [];
    const cells = sheet.rows.map((row) => row[index] ?? "");
    const words = wordsOf(cells, options, sheet.words[field]);
    const isOpen = words.some(({ value }) => value === undefined);
    return [{ field, heading: sheet.headings[index] ?? field, options, words, isOpen }];
  });
  const choose = (field: string, word: string, value: string): void =>
    onChange({
      words: { ...sheet.words, [field]: { ...sheet.words[field], [word]: value } },
    });
  return (
    <>
      {columns.map(({ field, heading, options, words, isOpen }) => (
        <details key={field} class="columns" open={isOpen}>
          <summary>{wordsText(heading, words)}</summary>
          <div class="record-fields">
            {words.slice(0, MAX_WORDS).map(({ word, count, value }) => (
              <Field
                key={word}
                label={`“${word}”, ${countText(count, "row")}`}
                value={value ?? ""}
                choices={[
                  { value: "", name: "As it is" },
                  { value: LEFT_EMPTY, name: "Leave empty" },
                  ...options.map((option) => ({ value: option.value, name: option.name })),
                ]}
                onType={(picked) => choose(field, word, picked)}
              />
            ))}
          </div>
        </details>
      ))}
    </>
  );
}

/** How many words of a column are shown. */
const MAX_WORDS = 60;

/** `Status: 3 words, not matched: Hold` */
function wordsText(heading: string, words: readonly Word[]): string {
  const open = words.filter(({ value }) => value === undefined).map(({ word }) => word);
  const named = open.slice(0, 5).join(", ") + (open.length > 5 ? " …" : "");
  const said = open.length === 0 ? "all matched" : `not matched: ${named}`;
  return `${heading}: ${countText(words.length, "word")}, ${said}`;
}
