import { labelOf } from "../../lib/base/labels.ts";
import { type Mistakes, mistakeAt, type Path } from "../../lib/base/mistakes.ts";
import type { FieldDescription } from "../../lib/base/record-fields.ts";
import type { Choice } from "../base/field.tsx";

/** What the controls of a record's fields have in common. */

/** A field as a form shows it: its name, and what differs from its description. */
export interface FormField extends FieldDescription {
  name: string;
  label?: string;
  hint?: string;
  /** The records that it may name, if these are in no list of the practice. */
  choices?: readonly Choice[];
}

export interface ControlProperties {
  field: FormField;
  path: Path;
  value: unknown;
  mistakes: Mistakes;
  onChange: (value: unknown) => void;
}

export function labelIn({ label, name }: FormField): string {
  return label ?? labelOf(name);
}

/** Properties that all controls with one line pass on. */
export function lineOf({ field, path, mistakes }: ControlProperties) {
  const mistake = mistakeAt(mistakes, path);
  return { label: labelIn(field), hint: field.hint, mistake, isRequired: field.isRequired };
}
