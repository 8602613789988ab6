import { differences, type Fields } from "../lib/differences.ts";
import { useNames } from "../lib/people.ts";

/** What somebody else has changed, as sentences. */
export function Differences<State extends Fields>(properties: {
  before: State;
  now: State;
  timeOf?: (state: State) => string;
}) {
  const { before, now, timeOf } = properties;
  const name = useNames([]);
  return (
    <ul>
      {differences(before, now, name, timeOf).map((difference) => (
        <li key={difference}>{difference}</li>
      ))}
    </ul>
  );
}
