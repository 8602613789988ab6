import { useState } from "preact/hooks";
import { INCOMPLETE } from "../../lib/base/typed.ts";

/**
 * What a control holds and cannot say as the value of its field: half a date, a word that is no number, a name that was
 * typed and not chosen. The control tells its form, as browsers' own validation does, and nothing is sent.
 */

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What is wrong with the content of a control, by its own rules and by those of its field. */
function mistakeIn(control: Control): string | undefined {
  const { badInput, customError, valueMissing } = control.validity;
  if (badInput) return INCOMPLETE[control.type] ?? INCOMPLETE.text;
  if (customError) return control.validationMessage;
  return valueMissing ? "Please fill this in." : undefined;
}

/** The mistake that is shown at a control: once its field is left, or its form was to be sent. */
export function useUnsaid() {
  const [mistake, setMistake] = useState<string>();
  return {
    mistake,
    /** Says what is wrong, if anything is; what is empty may still be filled in. */
    look: ({ currentTarget: control }: { currentTarget: Control }): void =>
      setMistake(control.validity.valueMissing ? undefined : mistakeIn(control)),
    /** What was said follows what is typed. */
    follow: (control: Control): void => {
      if (mistake !== undefined) setMistake(mistakeIn(control));
    },
    onInvalid: (event: Event & { currentTarget: Control }): void => {
      event.preventDefault();
      setMistake(mistakeIn(event.currentTarget));
    },
  };
}

/**
 * Whether nothing of a form may be sent yet: then each of its fields says why.
 *
 * @param isWholeNeeded whether what is required counts, too; else the API says so.
 */
export function isUnsaid(form: HTMLFormElement, isWholeNeeded: boolean): boolean {
  const wrong = [...form.elements].filter((element): element is Control => {
    const { validity } = element as Control;
    return validity?.badInput || validity?.customError || (isWholeNeeded && validity?.valueMissing);
  });
  for (const control of wrong) control.dispatchEvent(new Event("invalid"));
  wrong[0]?.focus();
  return wrong.length > 0;
}
