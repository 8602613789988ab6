import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import { told } from "../../lib/base/acts.ts";
import { DraftOf, mayThrowAway } from "../../lib/base/draft.ts";
import { closeDialog } from "../../lib/base/place.ts";
import { Button } from "./button.tsx";
import { Part } from "./part.tsx";
import { UndoBar } from "./undo-bar.tsx";

/** The dialogs that are open, the one in front last. */
const opened: HTMLDialogElement[] = [];

/** A modal dialog, closed by its button, by Escape, or by *Back*. */
export function Dialog(properties: {
  title: string;
  /** Whether it stands at the side, beside what has opened it. */
  isAside?: boolean | undefined;
  /** Removes it from the place; that of a view's dialog, if left out. */
  onClose?: () => void;
  children: ComponentChildren;
}) {
  const { title, onClose = closeDialog, children } = properties;
  const of = properties.onClose === undefined ? "dialog" : "session";
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = (): void => {
    if (mayThrowAway({ view: false, dialog: false, session: false, [of]: true })) onClose();
  };
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const current = dialog.current as HTMLDialogElement;
    const before = document.activeElement;
    current.showModal();
    opened.push(current);
    // What was done before is not about it.
    told.value = undefined;
    // By the page, since browsers let it keep a dialog open only once: after a second Escape, typed work would be gone.
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      if (opened.at(-1) !== current || document.querySelector(":popover-open") !== null) return;
      event.preventDefault();
      latest.current();
    };
    // A gesture of the system may close it all the same.
    const reopen = (): void => {
      current.showModal();
      latest.current();
    };
    document.addEventListener("keydown", escape);
    current.addEventListener("close", reopen);
    return () => {
      document.removeEventListener("keydown", escape);
      current.removeEventListener("close", reopen);
      opened.splice(opened.indexOf(current), 1);
      current.close();
      // What has opened it may be gone: a line that is mended.
      const after = before?.isConnected ? before : document.querySelector("main h1");
      if (after instanceof HTMLElement) after.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={properties.isAside ? "aside" : undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Of a file's chooser within it, too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
    >
      <header class="dialog-head">
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        <Button
          onClick={() => {
            ignoreSecondPress();
            close();
          }}
        >
          Close
        </Button>
      </header>
      <Part>
        <DraftOf.Provider value={of}>{children}</DraftOf.Provider>
      </Part>
      <UndoBar />
    </dialog>
  );
}

/** How long after the first press of a double click its second one comes, in milliseconds. */
const DOUBLE_CLICK = 500;

/** Two presses are one: the second one would hit what lies below the dialog. */
function ignoreSecondPress(): void {
  const ignore = (event: MouseEvent): void => {
    if (event.detail < 2) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("click", ignore, { capture: true });
  setTimeout(() => removeEventListener("click", ignore, { capture: true }), DOUBLE_CLICK);
}
