import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useErrorBoundary, useState } from "preact/hooks";
import { Failure } from "../../lib/base/failure.ts";
import { UnreadOfPart, unreadOf } from "../../lib/base/unread.ts";
import { FailureNotice } from "./notices.tsx";

/**
 * A part of the page, such as a view or a dialog. What could not be read for it stands at its head; and where it cannot be
 * drawn, it says so instead of leaving there what it showed before.
 */
export function Part({ children }: { children: ComponentChildren }) {
  const [unread] = useState(() => signal(new Map()));
  const [error, drawAgain] = useErrorBoundary();
  if (error !== undefined)
    return (
      <FailureNotice
        failure={error instanceof Failure ? error : CANNOT_BE_DRAWN}
        about="Nothing is shown here. "
        again={drawAgain}
      />
    );
  return (
    <UnreadOfPart.Provider value={unread}>
      <UnreadNotice of={unread} />
      {children}
    </UnreadOfPart.Provider>
  );
}

const CANNOT_BE_DRAWN = new Failure("The page could not draw this part.", 500);

/** Several failures at once are mostly one; they are asked for again together. */
function UnreadNotice({ of }: { of: Parameters<typeof unreadOf>[0] }) {
  const unread = unreadOf(of);
  const [first] = unread;
  if (first === undefined) return null;
  return (
    <FailureNotice
      failure={first[0]}
      about="Not everything here could be read: "
      again={() => unread.forEach(([, again]) => again())}
      isForWhole={false}
    />
  );
}
