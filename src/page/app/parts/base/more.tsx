import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { parameters } from "../../lib/base/place.ts";
import { Button } from "./button.tsx";

/** Controls of a toolbar that are seldom needed, behind a button; what they offer is asked for once they are shown. */
export function More(properties: {
  /** The parameters that they set: how many are set is said. */
  of: readonly string[];
  children: ComponentChildren;
}) {
  const { of, children } = properties;
  const [isOpen, setOpen] = useState(false);
  const count = Object.values(parameters(of)).filter((value) => value !== undefined).length;
  return (
    <details class="more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class={count > 0 ? "button set" : "button"}>
        Filter{count > 0 && ` · ${count}`}
      </summary>
      <div class="more-fields">{isOpen && children}</div>
    </details>
  );
}

/** Acts and ways that are seldom needed, behind a button. An act, Escape or a press beside them closes them. */
export function MoreActs({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const closeBeside = ({ target }: Event): void => {
      if (!(target instanceof Node && menu.current?.contains(target))) setOpen(false);
    };
    document.addEventListener("pointerdown", closeBeside);
    return () => document.removeEventListener("pointerdown", closeBeside);
  }, [isOpen]);
  return (
    <div
      ref={menu}
      class="more"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        setOpen(false);
        menu.current?.querySelector("button")?.focus();
      }}
    >
      <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        More ▾
      </Button>
      {isOpen && (
        <div class="more-fields more-acts" onClick={() => setOpen(false)}>
          {children}
        </div>
      )}
    </div>
  );
}
