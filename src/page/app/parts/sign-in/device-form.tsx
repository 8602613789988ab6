import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { deviceName } from "../../lib/sign-in/passkeys.ts";
import { useWork } from "../base/work.tsx";
import { Field } from "../base/field.tsx";
import { Form } from "../base/form.tsx";

/** A form that registers a passkey on this device, under a name. */
export function DeviceForm(properties: {
  class: string;
  label: string;
  button: string;
  onSubmit: (name: string) => Promise<void>;
  children?: ComponentChildren;
}) {
  const { label, button, onSubmit, children } = properties;
  const [name, setName] = useState(deviceName);
  const { isWorking, notice, run } = useWork();
  return (
    <Form class={properties.class} onSubmit={() => run(() => onSubmit(name))}>
      {children}
      <Field label={label} value={name} onType={setName} isRequired maxLength={200} />
      <button type="submit" class="primary" disabled={isWorking}>
        {button}
      </button>
      {notice}
    </Form>
  );
}
