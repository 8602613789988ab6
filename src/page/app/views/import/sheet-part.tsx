import { saveCsv } from "../../lib/base/download.ts";
import type { TimeZone } from "../../lib/base/dates.ts";
import { countText } from "../../lib/base/format.ts";
import { labelOf } from "../../lib/base/labels.ts";
import type { Built, BuiltSheet } from "../../lib/import/build.ts";
import type { Constant } from "../../lib/import/constants.ts";
import { FIELDS, SHEET_TYPES, type SheetType } from "../../lib/import/fields.ts";
import { type Note, noteText, rowsText } from "../../lib/import/notes.ts";
import type { Word } from "../../lib/import/reader.ts";
import { guessedChoices, readAs, type Sheet, withField } from "../../lib/import/sheet.ts";
import { type Encoding, UNMARKED } from "../../lib/import/text-file.ts";
import type { Option } from "../../lib/import/words.ts";
import { textOfField } from "../../lib/import/texts.ts";
import { Button } from "../../parts/base/button.tsx";
import { Field } from "../../parts/base/field.tsx";
import { ListTable } from "../../parts/base/list-table.tsx";

/** One sheet of an import: what it is, its columns and words, what is said of it, and its first rows as they will be. */

interface PartProperties extends BuiltSheet {
  sheet: Sheet;
  built: Built;
  zone: TimeZone;
  notes: readonly Note[];
  mistakes: readonly Note[];
  onChoose: (changed: Partial<Sheet>) => void;
  onGuessAgain: () => void;
  onTakeAway: () => void;
}

export function SheetPart(properties: PartProperties) {
  const { sheet, mistakes, constants, reader, onChoose, onGuessAgain, onTakeAway } = properties;
  const types = Object.entries(SHEET_TYPES).map(([value, name]) => ({ value, name }));
  return (
    <section class="panel sheet" aria-label={sheet.name}>
      <h2>
        {sheet.name} <small>{countText(reader.rows.length, "row")}</small>
      </h2>
      {sheet.leftOut && <p class="hint">Left out: {sheet.leftOut.join(", ")}</p>}
      <Field
        class="short"
        label="These are"
        value={sheet.type}
        choices={types}
        onType={(type) => onChoose(guessedChoices(sheet.name, sheet.grid, type as SheetType))}
      />
      <Columns {...{ sheet, onChoose }} />
      {constants.length > 0 && <ForAllRows {...{ sheet, constants, onChoose }} />}
      <Words {...{ sheet, reader, onChoose }} />
      <Notes {...properties} />
      {mistakes.length > 0 && <Mistakes {...{ sheet, mistakes }} />}
      <FirstRows {...properties} />
      <div class="buttons">
        <Button onClick={onTakeAway}>Take away</Button>
        <Button onClick={onGuessAgain}>Guess again</Button>
      </div>
    </section>
  );
}

type Choosing = Pick<PartProperties, "sheet" | "onChoose">;

/** The field of each heading. */
function Columns({ sheet, onChoose }: Choosing) {
  const { type, fields, grid } = sheet;
  const omitted = grid.headings.filter((heading, index) => heading && fields[index] === undefined);
  const choices = [
    { value: "", name: "Leave out" },
    ...Object.entries(FIELDS[type]).map(([value, { label }]) => ({ value, name: label })),
  ];
  return (
    <details class="sheet-columns" open>
      <summary>
        {countText(grid.headings.length, "column")}
        {omitted.length > 0 && `, left out: ${omitted.join(", ")}`}
      </summary>
      <div class="record-fields">
        {grid.headings.map((heading, index) => (
          <Field
            key={index}
            label={heading || `Column ${index + 1}`}
            value={fields[index] ?? ""}
            choices={choices}
            onType={(picked) => onChoose({ fields: withField(sheet, index, picked || undefined) })}
          />
        ))}
      </div>
    </details>
  );
}

function ForAllRows(properties: Choosing & { constants: readonly Constant[] }) {
  const { sheet, constants, onChoose } = properties;
  return (
    <fieldset class="for-all-rows">
      <legend>For all rows</legend>
      <div class="record-fields">
        {constants.map(({ field, label, value, options, isDay, isAsked }) => (
          <Field
            key={field}
            {...{ label, value }}
            type={isDay ? "date" : "text"}
            choices={options}
            isRequired={isAsked}
            mistake={isAsked ? "Please choose" : undefined}
            {...{
              [options === undefined ? "onChange" : "onType"]: (picked: string) =>
                onChoose({ constants: { ...sheet.constants, [field]: picked } }),
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** How many words of a column are shown. */
const MAX_WORDS = 60;

/** The words of columns that stand for values or records: what is matched to none is shown first. */
function Words({ sheet, reader, onChoose }: Choosing & Pick<PartProperties, "reader">) {
  const choose = (field: string, word: string, value: string): void =>
    onChoose({ words: { ...sheet.words, [field]: { ...sheet.words[field], [word]: value } } });
  return [...reader.words].map(([field, ofField]) => {
    const words = [...ofField.values()].sort((a, b) => b.rows.size - a.rows.size);
    const open = words.filter(({ value }) => value === undefined);
    const shown = [...open, ...words.filter((each) => !open.includes(each))].slice(0, MAX_WORDS);
    return (
      <details key={field} class="sheet-columns" open={open.length > 0}>
        <summary>
          {reader.headingOf(field)}: {countText(words.length, "word")}, {openText(open)}
        </summary>
        <div class="record-fields">
          {shown.map(({ word, rows, value, options }) => (
            <Field
              key={word}
              label={`“${word}”, ${countText(rows.size, "row")}`}
              value={value ?? ""}
              choices={[{ value: "", name: "As it is" }, ...options]}
              onType={(picked) => choose(field, word, picked)}
            />
          ))}
        </div>
      </details>
    );
  });
}

/** `not matched: Hold` */
function openText(open: readonly Word[]): string {
  const named = open.slice(0, 5).map(({ word }) => word);
  const more = open.length > named.length ? " …" : "";
  return open.length === 0 ? "all matched" : `not matched: ${named.join(", ")}${more}`;
}

/** Everything that is not as the sheet has it, with the choice where there is one. */
function Notes({ sheet, notes, onChoose }: PartProperties) {
  const { encoding = "UTF-8", answers } = sheet;
  if (notes.length === 0 && encoding === "UTF-8") return null;
  const answer = (key: string, picked: string): void => {
    const { [key]: _, ...others } = answers;
    onChoose({ answers: picked === "" ? others : { ...others, [key]: picked } });
  };
  return (
    <ul class="notes" aria-label="Notes">
      {encoding !== "UTF-8" && (
        <li>
          Read as {encoding}.
          {UNMARKED.some((each) => each === encoding) && (
            <NoteChoice
              label="Letters of the file"
              value={encoding}
              options={UNMARKED.map((value) => ({ value, name: value }))}
              onChoose={(picked) => onChoose(readAs(sheet, picked as Encoding))}
            />
          )}
        </li>
      )}
      {notes.map((note) => (
        <li key={`${note.heading} ${note.what}`}>
          {noteText(note)}
          {note.options && (
            <NoteChoice
              label={`${note.heading} ${note.what}`.trim()}
              value={answers[note.key] ?? ""}
              options={note.options}
              onChoose={(picked) => answer(note.key, picked)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function NoteChoice(properties: {
  label: string;
  value: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
}) {
  const { label, value, options, onChoose } = properties;
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </select>
  );
}

/** As many as the API tells. */
const MAX_MISTAKES = 100;

function Mistakes({ sheet, mistakes }: { sheet: Sheet; mistakes: readonly Note[] }) {
  const rows = mistakes.flatMap(({ heading, what, rows: own }) =>
    own.map((row) => [row, heading, what]),
  );
  const save = (): void =>
    saveCsv(`mistakes-in-${sheet.name}`, [["Row", "Column", "Mistake"], ...rows]);
  const count = countText(rows.length, "mistake");
  return (
    <div class="notice failure" role="alert">
      <p>
        Nothing can be imported yet: {rows.length < MAX_MISTAKES ? count : `${count} or more`}.
        Correct the file and choose it again, or choose other fields and words here.
      </p>
      <ListTable
        label="Mistakes"
        keyOf={(_, index) => index}
        rows={mistakes}
        columns={[
          { name: "Row", cell: ({ rows }) => rowsText(rows) },
          { name: "Column", cell: ({ heading }) => heading },
          { name: "Mistake", class: "wide words", cell: ({ what }) => what },
        ]}
      />
      <Button onClick={save}>Save the mistakes</Button>
    </div>
  );
}

/** How many rows are shown as they will be. */
const FIRST_ROWS = 5;
const HIDDEN = new Set(["type", "publicId", "isClientPresent", "isSupervision"]);

/** The first rows as they will be, with names for ids. */
function FirstRows({ built, reader, zone }: PartProperties) {
  const { practice } = built;
  const isRow = ({ type }: { type: string }): boolean =>
    !["payor", "location", "serviceLine", "encounter"].includes(type) ||
    ["payors", "locations", "services"].includes(reader.sheet.type);
  const rows = built.lines
    .filter((each) => each.sheet === reader.sheet && !each.isGuardian && isRow(each.line))
    .slice(0, FIRST_ROWS)
    .map(({ line }) => line);
  if (rows.length === 0) return null;
  const fields = [...new Set(rows.flatMap((line) => Object.keys(line)))].filter(
    (field) => !HIDDEN.has(field),
  );
  // Of as many columns as there are, which scroll: a list of the page is never wider than the page.
  return (
    <div
      class="scroller"
      tabIndex={0}
      role="region"
      aria-label={`First rows of ${reader.sheet.name}`}
    >
      <table class="plain">
        <thead>
          <tr>
            {fields.map((field) => (
              <th key={field} scope="col">
                {labelOf(field)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((line) => (
            <tr key={line.publicId}>
              {fields.map((field) => (
                <td key={field}>
                  {field in line && textOfField(field, line[field], practice, zone)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
