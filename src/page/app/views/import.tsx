import { useDraft } from "../lib/draft.ts";
import { countText } from "../lib/format.ts";
import { labelOf } from "../lib/labels.ts";
import { columnsOfTypes, TYPES } from "../lib/record-fields.ts";
import { guessField, guessType, parseTable } from "../lib/table.ts";
import { Field } from "../parts/field.tsx";
import { ViewHeader } from "../parts/view-header.tsx";
import { type ImportedFile, Preview } from "./import-preview.tsx";

/**
 * Files of CSV into the practice: each is a type of record, its headings are fields. What would change is shown before
 * anything is written. Files that others refer to come first, and each must be stored before the next is checked.
 */

function tableOf(name: string, text: string): ImportedFile {
  const [headings = [], ...rows] = parseTable(text);
  const byName = TYPES.find((type) => name.toLowerCase().startsWith(type.toLowerCase()));
  const type = guessType(headings, columnsOfTypes, labelOf) ?? byName ?? "user";
  return { name, type, headings, rows, fields: guessed(headings, type), isDone: false };
}

/** Each field is of one heading only: of the first one that names it. */
function guessed(headings: string[], type: string): (string | undefined)[] {
  const fields = headings.map((each) => guessField(each, columnsOfTypes[type] ?? [], labelOf));
  return fields.map((field, index) => (fields.indexOf(field) === index ? field : undefined));
}

function byNeed(a: ImportedFile, b: ImportedFile): number {
  return TYPES.indexOf(a.type) - TYPES.indexOf(b.type);
}

export function Import() {
  const [tables, setTables] = useDraft<ImportedFile[]>("Import", []);
  const add = async (files: readonly File[]): Promise<void> => {
    const read = files.map(async (file) => tableOf(file.name, await file.text()));
    setTables([...tables, ...(await Promise.all(read))].sort(byNeed));
  };
  const change = (table: ImportedFile, changed: Partial<ImportedFile>): void =>
    setTables(tables.map((each) => (each === table ? { ...each, ...changed } : each)).sort(byNeed));
  const current = tables.find(({ isDone }) => !isDone);
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
      {tables.map((table) => (
        <section key={table.name} class="panel" aria-label={table.name}>
          <h2>
            {table.name} <small>{countText(table.rows.length, "row")}</small>
            {table.isDone && <span class="badge">Imported</span>}
          </h2>
          {!table.isDone && (
            <Columns table={table} onChange={(changed) => change(table, changed)} />
          )}
          {table === current ? (
            <Preview
              key={JSON.stringify([table.type, table.fields])}
              table={table}
              onDone={() => change(table, { isDone: true })}
            />
          ) : (
            !table.isDone && <p class="hint">It is checked when the files above are imported.</p>
          )}
        </section>
      ))}
    </main>
  );
}

/** What the table is, and the field of each of its headings. */
function Columns({
  table,
  onChange,
}: {
  table: ImportedFile;
  onChange: (changed: Partial<ImportedFile>) => void;
}) {
  const { type, headings, fields } = table;
  const columns = columnsOfTypes[type] ?? [];
  const omitted = headings.filter((_, index) => fields[index] === undefined);
  return (
    <>
      <Field
        class="short"
        label="These are"
        value={type}
        choices={TYPES.map((each) => ({ value: each, name: labelOf(each) }))}
        onType={(picked) => onChange({ type: picked, fields: guessed(headings, picked) })}
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
                ...columns.map((field) => ({ value: field, name: labelOf(field) })),
              ]}
              onType={(picked) => onChange({ fields: fields.with(index, picked || undefined) })}
            />
          ))}
        </div>
      </details>
    </>
  );
}
