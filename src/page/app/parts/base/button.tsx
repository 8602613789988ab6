import type { ComponentProps } from "preact";

/** A button that does not submit a form. */
export function Button(properties: ComponentProps<"button">) {
  return <button type="button" {...properties} />;
}
