import { presentAt } from "../../../../lib/presence.ts";
import { useResponse } from "../../lib/base/response.ts";
import { useShown } from "../../lib/base/unread.ts";
import { useNames } from "../../lib/person/people.ts";
import { type Planned, warningTexts } from "../../lib/session/planned.ts";
import { findWarnings } from "../../lib/session/warnings.ts";

/** The warnings about planned sessions. */
export interface Warnings {
  /** Whether they were asked for; what could not be asked does not prevent the change. */
  isKnown: boolean;
  sentences: string[];
}

/** Checks planned sessions. Warnings do not prevent the change. */
export function useWarnings(planned: Planned): Warnings {
  const { sessions, instead, authorizationOf, zone } = planned;
  const bound = [...sessions.map(({ publicId }) => publicId), ...instead].map(authorizationOf);
  const question =
    sessions.length === 0 ? undefined : JSON.stringify([sessions, instead, bound, zone]);
  const { value, failure, isLoading } = useResponse(question, (signal) =>
    findWarnings(planned, signal),
  );
  useShown(failure);
  const name = useNames(sessions.flatMap(presentAt));
  const sentences =
    question === undefined || value === undefined ? [] : warningTexts(value, name, zone);
  if (failure !== undefined) sentences.push("Not everything could be checked.");
  return { isKnown: !isLoading, sentences };
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
