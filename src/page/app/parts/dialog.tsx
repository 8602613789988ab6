import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import { Button } from "./button.tsx";
import { UndoBar } from "./undo-bar.tsx";

/** A modal dialog, closed by its button, by Escape, or by `onClose`. */
export function Dialog(properties: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { title, onClose, children } = properties;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    current?.showModal();
    return () => {
      current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <header class="dialog-head">
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        <Button onClick={onClose}>Close</Button>
      </header>
      {children}
      <UndoBar />
    </dialog>
  );
}
