import type { Reading } from "../../lib/base/api.ts";
import type { ComponentChildren } from "preact";
import { useResponse } from "../../lib/base/response.ts";
import { Dialog } from "./dialog.tsx";
import { ResponseView } from "./notices.tsx";

/** A dialog of a view about what is read for it: first, and again after a write. */
export function ReadingDialog<Value>(properties: {
  /** May depend on what was read. */
  title: string | ((value: Value | undefined) => string);
  /** Whether it stands at the side. */
  isAside?: boolean;
  /** What is read, as `useResponse` has it. */
  question: string;
  read: (reading: Reading) => Promise<Value>;
  children: (value: Value) => ComponentChildren;
}) {
  const { title, question, read, children } = properties;
  const response = useResponse(question, read);
  return (
    <Dialog
      title={typeof title === "string" ? title : title(response.value)}
      isAside={properties.isAside}
    >
      <ResponseView response={response}>{children}</ResponseView>
    </Dialog>
  );
}
