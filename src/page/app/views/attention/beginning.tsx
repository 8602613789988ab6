import { useEffect } from "preact/hooks";
import { useBeginning } from "../../lib/attention/ask-beginning.ts";
import { notYet } from "../../lib/attention/beginning.ts";
import { addressOf } from "../../lib/base/place.ts";
import type { ChecksReport } from "../../lib/base/wire.ts";
import { FirstSteps } from "./first-steps.tsx";

/** What to do next in a practice that begins, and a line for each thing that it does not have yet. */
export function Beginning(properties: {
  /** Undefined where the findings of a check are asked for. */
  totals: ChecksReport["totals"] | undefined;
  /** Called with the checks whose findings are said in a line. */
  onKnown: (checks: readonly string[]) => void;
}) {
  const { totals, onKnown } = properties;
  const beginning = useBeginning().value;
  const missing = beginning === undefined || totals === undefined ? [] : notYet(beginning, totals);
  const checks = missing.map(({ check }) => check);
  useEffect(() => onKnown(checks), [checks.join()]);
  if (beginning === undefined) return null;
  return (
    <>
      <FirstSteps beginning={beginning} />
      {missing.length > 0 && (
        <ul class="notes" aria-label="Not there yet">
          {missing.map(({ check, sentence, way }) => (
            <li key={check}>
              {sentence}
              {way && (
                <>
                  {" "}
                  <a href={addressOf(["import"])}>{way}</a>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
