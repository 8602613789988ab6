import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Form } from "./form.tsx";

/** The controls of a view; on a phone behind a button, but for those with the class `keep`. */
export function Toolbar({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Form class={isOpen ? "toolbar" : "toolbar folded"} role="search" aria-label="Filter">
      <Button class="toolbar-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filter
      </Button>
      {children}
    </Form>
  );
}

/** A few controls of a view, which a phone has room for. */
export function Filters(properties: { label?: string; children: ComponentChildren }) {
  const { label = "Filter", children } = properties;
  return (
    <Form class="toolbar" aria-label={label}>
      {children}
    </Form>
  );
}
