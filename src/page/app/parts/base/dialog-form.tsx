import type { ComponentChildren } from "preact";
import type { Change } from "../../lib/base/lines.ts";
import { closeDialog } from "../../lib/base/place.ts";
import { Button } from "./button.tsx";
import { Form } from "./form.tsx";
import { useWriting } from "./writing.tsx";

interface FormProperties {
  label: string;
  /** What the button says. */
  button: string;
  /** Of the button. */
  class?: "primary" | "danger" | undefined;
  /** Whether it may be pressed. */
  isReady?: boolean;
  children: ComponentChildren;
}

/** The form of a dialog, with the button that does what it is for, and one that closes it. */
export function DialogForm(
  properties: FormProperties & {
    isWorking: boolean;
    notice: ComponentChildren;
    onSubmit: () => unknown;
  },
) {
  const { label, button, isReady = true, isWorking, notice, onSubmit, children } = properties;
  return (
    <Form class="record-form" aria-label={label} onSubmit={() => isReady && onSubmit()}>
      {children}
      {notice}
      <div class="buttons">
        <button type="submit" class={properties.class} disabled={isWorking || !isReady}>
          {button}
        </button>
        <Button onClick={closeDialog}>Cancel</Button>
      </div>
    </Form>
  );
}

/** One that writes a change; undefined if that was written already, and what comes after it was not done. */
export function WritingForm(
  properties: FormProperties & { change: Change | undefined; onDone?: () => unknown },
) {
  const { change, onDone = closeDialog, ...form } = properties;
  const { run, isWriting, notice } = useWriting(onDone);
  const submit = () => (change === undefined ? onDone() : run(change));
  return (
    <DialogForm class="primary" {...form} {...{ notice }} isWorking={isWriting} onSubmit={submit} />
  );
}
