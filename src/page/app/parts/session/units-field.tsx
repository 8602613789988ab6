import { Field } from "../base/field.tsx";

/** Whether a text is units as an encounter may have them: at most six decimals. */
export function isUnits(text: string): boolean {
  return /^\d+(\.\d{1,6})?$/.test(text.trim());
}

/** What was delivered, in a line with the button that writes it. */
export function UnitsField(properties: { value: string; onType: (text: string) => void }) {
  return (
    <Field
      class="inline short"
      label="Units"
      type="number"
      mistake={isUnits(properties.value) ? undefined : "Must be a number."}
      {...properties}
    />
  );
}
