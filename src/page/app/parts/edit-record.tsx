import { readRecords } from "../lib/api.ts";
import { Failure } from "../lib/failure.ts";
import type { Line } from "../lib/lines.ts";
import type { RecordDescription } from "../lib/record-fields.ts";
import { useResponse } from "../lib/response.ts";
import { write } from "../lib/write.ts";
import { Dialog } from "./dialog.tsx";
import { ResponseView } from "./notices.tsx";
import { type FormSection, RecordForm, type Saving } from "./record-form.tsx";

/** A dialog for changes of a stored record, with all its fields as a practice file has them. */
export function EditRecordDialog(properties: {
  type: string;
  id: string;
  description: RecordDescription;
  sections: readonly FormSection[];
  /** A sentence about the change: `The record was changed.` */
  done: string;
  /** What undoes the change; the former values of what has changed, if left out. */
  undo?: (saving: Saving, stored: Line) => object;
}) {
  const { type, id, description, sections, done } = properties;
  const { undo = ({ before }) => before } = properties;
  const response = useResponse(`edit ${type} ${id}`, async (signal) => {
    const [line] = await readRecords(type, [id], signal);
    if (line === undefined) throw new Failure("This record was deleted meanwhile.");
    return line;
  });
  return (
    <Dialog title="Edit">
      <ResponseView response={response}>
        {(line) => (
          <RecordForm
            label="Edit"
            description={description}
            sections={sections}
            stored={line}
            save="Save"
            onSave={(saving) =>
              write(
                {
                  done,
                  lines: [{ type, publicId: id, ...saving.changed }],
                  undo: [{ type, publicId: id, ...undo(saving, line) }],
                },
                saving.since,
              )
            }
          />
        )}
      </ResponseView>
    </Dialog>
  );
}
