import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";

/** The controls of a view; on a phone behind a button, but for those with the class `keep`. */
export function Toolbar({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <form
      class={isOpen ? "toolbar" : "toolbar folded"}
      role="search"
      aria-label="Filter"
      onSubmit={(event) => event.preventDefault()}
    >
      <Button class="toolbar-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filter
      </Button>
      {children}
    </form>
  );
}

/** A few controls of a view, which a phone has room for. */
export function Filters(properties: { label?: string; children: ComponentChildren }) {
  const { label = "Filter", children } = properties;
  return (
    <form class="toolbar" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  );
}
