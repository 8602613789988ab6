import type { ComponentChildren } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { useDraft } from "../../lib/base/draft.ts";
import type { Failure } from "../../lib/base/failure.ts";
import { fieldsThatDiffer, type Saved, savedOf, type Values } from "../../lib/base/form-values.ts";
import { type Mistakes, type Path, sortedMistakes } from "../../lib/base/mistakes.ts";
import { closeDialog } from "../../lib/base/place.ts";
import type { RecordDescription } from "../../lib/base/record-fields.ts";
import { useWork } from "../base/work.tsx";
import { hasChanged } from "../../lib/base/write.ts";
import { Since } from "../../lib/base/response.ts";
import { Button } from "../base/button.tsx";
import { Form } from "../base/form.tsx";
import { Conflict } from "./conflict.tsx";
import { Alert } from "../base/notices.tsx";
import type { FormField } from "./control.ts";
import { RecordFields } from "./record-field.tsx";

/**
 * The form of any record, in a dialog. What is typed stays until it is stored: after an error, and after somebody else's change,
 * which is shown, and on top of which it can be saved.
 */

export interface FormSection {
  title?: string;
  fields: readonly (string | FormField)[];
}

/** They may depend on what is typed. */
export type FormSections = readonly FormSection[] | ((values: Values) => readonly FormSection[]);

export interface Saving extends Saved {
  /** The sequence of the response with the stored values. */
  since: number | undefined;
}

export function RecordForm(properties: {
  label: string;
  description: RecordDescription;
  sections: FormSections;
  /**
   * The fields of the record, as a practice file has them; of a new one, which has no id, its defaults. They may change
   * meanwhile: a stored record stays as it was first seen, so that another's change of it is noticed.
   */
  stored: Values;
  /** The text of the button. */
  save: string;
  /** Writes what is to be saved. */
  onSave: (saving: Saving) => Promise<void>;
  /** The place in the form's values of an issue of the request; of a practice file with one record behind its line. */
  pathOf?: (path: Path) => Path;
  /** What else changes with a change of some values. */
  complete?: ((changed: Values, before: Values) => Values) | undefined;
  /** Anything that depends on the values, such as warnings. */
  children?: (values: Values) => ComponentChildren;
}) {
  const { label, description, sections, save, onSave, children } = properties;
  const { pathOf = ([, ...path]: Path) => path, complete = (changed) => changed } = properties;
  const stored = { values: properties.stored, since: useContext(Since) };
  const isNew = !("publicId" in stored.values);
  const [name] = useState(() => [label, location.hash, stored.values.publicId].join(" "));
  const [draft, setDraft] = useDraft(name, { seen: stored, typed: {} as Values });
  const { typed } = draft;
  const base = isNew ? stored : draft.seen;
  const { isWorking, failure, run } = useWork("The form could not be saved.");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure !== undefined)
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [failure]);

  const values = { ...base.values, ...typed };
  const isConflict = hasChanged(failure);
  const { atFields, others } = sortedMistakes(failure?.issues ?? [], description, pathOf);

  const submit = async (): Promise<void> => {
    if (isWorking) return;
    // After a conflict, what the person has seen of the other change is what this one is based on.
    const seen = isConflict ? stored : base;
    setDraft({ seen, typed });
    await run(async () => {
      await onSave({ ...savedOf(description, seen.values, typed), since: seen.since });
      closeDialog();
    });
  };

  return (
    <Form of={form} class="record-form" aria-label={label} noValidate onSubmit={submit}>
      {(typeof sections === "function" ? sections(values) : sections).map(
        ({ title, fields }, index) => (
          <fieldset key={index}>
            {title && <legend>{title}</legend>}
            <RecordFields
              description={description}
              fields={fields}
              values={values}
              mistakes={atFields}
              onChange={(changed) => {
                const now = fieldsThatDiffer(complete(changed, values), values);
                setDraft({ ...draft, typed: { ...typed, ...now } });
              }}
            />
          </fieldset>
        ),
      )}
      {children?.(values)}
      {failure && isConflict && isNew ? (
        // What it takes along has changed, and is shown as it is now.
        <Alert failure={failure} />
      ) : failure && isConflict ? (
        <Conflict
          {...{ failure, type: String(base.values.type), id: String(base.values.publicId) }}
          {...{ before: base.values, now: stored.values, since: base.since }}
        />
      ) : (
        failure && <Refusal failure={failure} atFields={atFields} others={others} />
      )}
      <div class="buttons">
        <button type="submit" class="primary" disabled={isWorking}>
          {isConflict && !isNew ? "Save mine on top" : save}
        </button>
        <Button onClick={closeDialog}>Cancel</Button>
      </div>
    </Form>
  );
}

function Refusal(properties: { failure: Failure; atFields: Mistakes; others: string[] }) {
  const { failure, atFields, others } = properties;
  if (failure.issues.length === 0) return <Alert failure={failure} />;
  return (
    <div class="notice failure" role="alert">
      <p>
        Nothing was written yet.
        {atFields.size > 0 &&
          ` ${atFields.size === 1 ? "One field is" : `${atFields.size} fields are`} marked above.`}
      </p>
      {others.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}
