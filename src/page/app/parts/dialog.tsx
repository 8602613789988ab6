import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import { closeDialog } from "../lib/place.ts";
import { Button } from "./button.tsx";
import { UndoBar } from "./undo-bar.tsx";

/** A modal dialog, closed by its button, by Escape, or by *Back*. */
export function Dialog(properties: {
  title: string;
  /** Removes it from the place; that of a view's dialog, if left out. */
  onClose?: () => void;
  children: ComponentChildren;
}) {
  const { title, onClose = closeDialog, children } = properties;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    current?.showModal();
    current?.addEventListener("close", onClose);
    return () => {
      // Whatever is open now is another dialog.
      current?.removeEventListener("close", onClose);
      current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={titleId}>
      <header class="dialog-head">
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        <Button onClick={() => dialog.current?.close()}>Close</Button>
      </header>
      {children}
      <UndoBar />
    </dialog>
  );
}
