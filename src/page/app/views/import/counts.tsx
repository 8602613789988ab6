import { labelOf } from "../../lib/base/labels.ts";
import type { ImportResult } from "../../lib/base/wire.ts";

/** `People: 16 new. Sessions: 44 new, 2 changed.` */
export function Counts({ changes }: Pick<ImportResult, "changes">) {
  const types = Object.entries(changes).filter(([type]) => type !== "organization");
  const textOf = ({ created, changed, unchanged }: (typeof types)[number][1]): string =>
    [
      ...(created > 0 ? [`${created} new`] : []),
      ...(changed > 0 ? [`${changed} changed`] : []),
      ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ].join(", ");
  return (
    <ul class="imported">
      {types.map(([type, counts]) => (
        <li key={type}>
          {labelOf(type)}: {textOf(counts)}
        </li>
      ))}
    </ul>
  );
}
