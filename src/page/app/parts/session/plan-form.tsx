import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Change } from "../../lib/base/lines.ts";
import { Form } from "../base/form.tsx";
import { useWarnings, WarningList } from "./warnings.tsx";
import { useWriting } from "../base/writing.tsx";

/** A form that plans sessions: its fields, the warnings about what they say, and its buttons. */
export function PlanForm(properties: {
  label: string;
  fields: ComponentChildren;
  /** What stands above the fields. */
  head?: ComponentChildren;
  /** What stands below them. */
  children?: ComponentChildren;
  /** What stands below the warnings. */
  below?: ComponentChildren;
  /** What is written; undefined while there is nothing to write. */
  change: Change | undefined;
  /** What is asked before it is written, if anything is. */
  question?: string | undefined;
  /** The text of its button. */
  save: string;
  /** Other buttons. */
  buttons?: ComponentChildren;
  onDone: () => void;
}) {
  const { label, fields, head, children, below, change, save, buttons, onDone } = properties;
  const { question } = properties;
  const [asked, setAsked] = useState<string>();
  // Whoever answers by pressing again has seen the question.
  const isAsked = question !== undefined && asked === question;
  const { run, isWriting, notice, isOutdated } = useWriting(onDone);
  const warnings = useWarnings(change);
  const isReady = change !== undefined && warnings.isKnown && !isWriting && !isOutdated;
  const form = useRef<HTMLFormElement>(null);
  // Pressed while the warnings are asked for, Enter waits for them; it saves nothing that somebody has not been warned of.
  const [isEntered, setEntered] = useState(false);
  useEffect(() => {
    if (!isEntered || !warnings.isKnown) return;
    setEntered(false);
    if (warnings.sentences.length === 0) form.current?.requestSubmit();
  }, [isEntered, warnings.isKnown]);
  return (
    <Form
      class="session-form"
      aria-label={label}
      of={form}
      onInput={() => setEntered(false)}
      onKeyDown={({ key, target, defaultPrevented, isComposing }) => {
        const isSending = key === "Enter" && !defaultPrevented && !isComposing;
        if (isSending && target instanceof HTMLInputElement && !warnings.isKnown) setEntered(true);
      }}
      onSubmit={() => {
        if (question !== undefined && !isAsked) setAsked(question);
        else if (change !== undefined) void run(change);
      }}
    >
      {head}
      <div class="toolbar">{fields}</div>
      {children}
      <WarningList warnings={warnings} />
      {isAsked && (
        <p class="notice failure" role="alert">
          {question}
        </p>
      )}
      {below}
      <div class="buttons">
        <button type="submit" class="primary" disabled={!isReady}>
          {isAsked ? `Yes: ${save.charAt(0).toLowerCase()}${save.slice(1)}` : save}
        </button>
        {buttons}
      </div>
      {notice}
    </Form>
  );
}
