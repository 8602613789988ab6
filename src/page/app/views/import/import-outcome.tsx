import { countText } from "../../lib/base/format.ts";
import { labelOf } from "../../lib/base/labels.ts";
import { addressOf, addressOfRecord } from "../../lib/base/place.ts";

/** What an import has made, with ways to it. */

export interface ImportOutcome {
  created: number;
  changed: number;
  /** Some of the records, with what they are called. */
  records: { publicId: string; name: string }[];
}

export function Imported({ type, outcome }: { type: string; outcome: ImportOutcome }) {
  const { created, changed, records } = outcome;
  const rest = created + changed - records.length;
  return (
    <>
      <p class="counts">
        {labelOf(type)}: {created} new, {changed} changed.
      </p>
      <ul class="imported" aria-label="Imported">
        {records.map(({ publicId, name }) => (
          <li key={publicId}>
            <a href={addressOfRecord({ type, publicId }) ?? addressOf(["practice"])}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
        {rest > 0 && <li>and {countText(rest, "more record")}</li>}
      </ul>
    </>
  );
}
