import "./descriptions.ts";
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TimeZone } from "../../../src/lib/time-zone.ts";
import {
  asExpected,
  EXAMPLE_NAMES,
  EXAMPLES,
  expectedOf,
  inOrder,
  linesIn,
  stagesOf,
} from "./expected.ts";
import { importOf, type Practice, practiceOf } from "./sheets.ts";

/** Each example with its files as they are: the records that come of it, what is said, and the same files again. */

const ZONE = "America/New_York" as TimeZone;

describe.each(EXAMPLE_NAMES)("%s", (example) => {
  const base = linesIn(example, "base.ndjson");
  const known = new Set(base.map(({ publicId }) => publicId));
  let practice: Practice = practiceOf(base, ZONE);

  for (const [index, stage] of stagesOf(example).entries())
    test(`stage ${index + 1}`, async () => {
      const files = stage.files.map(
        (file) => [file, new Uint8Array(readFileSync(join(EXAMPLES, example, file)))] as const,
      );
      const constants = Object.fromEntries(
        (stage.choose ?? []).map(([, , value]) => ["billing", billing(value)]),
      );
      const { lines, said, mistakes, after, changed } = await importOf(practice, files, {
        constants,
      });
      expect(mistakes).toEqual([]);
      const expected = expectedOf(example, `expected-${index + 1}.ndjson`, practice.endOfDay);
      expect(inOrder(asExpected(changed, known))).toEqual(inOrder(expected));
      for (const [sheet, expression] of stage.notes ?? [])
        expect(
          said
            .filter(([of]) => of === sheet)
            .map(([, text]) => text)
            .join("\n"),
        ).toMatch(new RegExp(expression));
      expect(lines.length).toBeGreaterThan(0);
      practice = after;
    });
});

function billing(value: string): string {
  return value === "Was billed before Caseload" ? "before" : "open";
}
