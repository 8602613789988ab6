import type { ComponentChildren } from "preact";
import { linesOfChange, type Values } from "../../lib/base/form-values.ts";
import { type Reading, readRecord } from "../../lib/base/api.ts";
import { Failure } from "../../lib/base/failure.ts";
import { type Change, type Line, nameOfLine } from "../../lib/base/lines.ts";
import type { Path } from "../../lib/base/mistakes.ts";
import type { RecordDescription } from "../../lib/base/record-fields.ts";
import { write } from "../../lib/base/write.ts";
import { ReadingDialog } from "../base/reading-dialog.tsx";
import { type FormSections, RecordForm, type Saving } from "./record-form.tsx";

/** A dialog for changes of a stored record, with all its fields as a practice file has them. */
export function EditRecordDialog(properties: {
  type: string;
  id: string;
  description: RecordDescription;
  sections: FormSections;
  /** A sentence about the change: `The record was changed.` */
  done: string;
  /** The lines of the change, and those that undo it; the fields that differ, if left out. */
  change?: (saving: Saving, stored: Line) => Omit<Change, "done"> | Promise<Change>;
  /** Anything that depends on the values, such as a further question. */
  children?: (values: Values, stored: Line) => ComponentChildren;
  pathOf?: (path: Path) => Path;
  complete?: (changed: Values, before: Values) => Values;
}) {
  const { type, id, description, sections, done, pathOf, complete, children } = properties;
  const { change = linesOfChange } = properties;
  const read = async (reading: Reading): Promise<Line> => {
    const line = await readRecord(type, id, reading);
    if (line === undefined) throw new Failure("This record was deleted meanwhile.");
    return line;
  };
  return (
    <ReadingDialog
      title={(line) => ["Edit", line && nameOfLine(line)].filter(Boolean).join(" ")}
      question={`edit ${type} ${id}`}
      read={read}
    >
      {(stored) => (
        <RecordForm
          label="Edit"
          description={description}
          sections={sections}
          stored={stored}
          complete={complete}
          save="Save"
          onSave={async (saving) =>
            write({ done, ...(await change(saving, stored)) }, saving.since)
          }
          {...(pathOf && { pathOf })}
        >
          {(values) => children?.(values, stored)}
        </RecordForm>
      )}
    </ReadingDialog>
  );
}
