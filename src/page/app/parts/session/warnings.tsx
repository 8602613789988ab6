import { useEffect, useState } from "preact/hooks";
import { broughtTexts } from "../../lib/attention/findings.ts";
import type { Change } from "../../lib/base/lines.ts";
import { useResponse } from "../../lib/base/response.ts";
import { findingsOf } from "../../lib/base/write.ts";

/** What the checks would find with a change. */
export interface Warnings {
  /** Whether they were asked for; what could not be asked does not prevent the change. */
  isKnown: boolean;
  sentences: readonly string[];
}

/** How often a form asks at most, in milliseconds. */
const ASKING_PAUSE = 1_000;

/** Asks what the checks would find with a change while it is made. Warnings do not prevent it. */
export function useWarnings(change: Change | undefined): Warnings {
  const lines = change === undefined ? "" : JSON.stringify(change.lines);
  const asked = usePaused(lines);
  const { value, failure, isLoading } = useResponse(asked || undefined, (reading) =>
    findingsOf(JSON.parse(asked) as Change["lines"], reading),
  );
  const isKnown = lines === asked && !isLoading;
  if (lines === "") return { isKnown, sentences: [] };
  if (failure !== undefined) return { isKnown, sentences: ["It could not be checked."] };
  return { isKnown, sentences: value === undefined ? [] : broughtTexts(value) };
}

/** A text, at once, and then not more often than once in a while. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState({ text, since: 0 });
  const wait = text === "" ? 0 : Math.max(0, paused.since + ASKING_PAUSE - performance.now());
  useEffect(() => {
    if (text === paused.text) return;
    const timer = setTimeout(() => setPaused({ text, since: performance.now() }), wait);
    return () => clearTimeout(timer);
  }, [text, paused]);
  return paused.text;
}

export function WarningList({ warnings: { isKnown, sentences } }: { warnings: Warnings }) {
  return (
    <ul class="warnings" aria-live="polite" aria-label="Warnings">
      {isKnown ? (
        sentences.map((sentence) => <li key={sentence}>⚠ {sentence}</li>)
      ) : (
        <li class="hint">Checking…</li>
      )}
    </ul>
  );
}
