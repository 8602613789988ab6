import { expect, test } from "bun:test";
import { templateCommand } from "../../src/commands/template.ts";
import { recordTypes } from "../../src/schema/record-types.ts";
import { newDatabase } from "../support/harness.ts";
import { importFile } from "../support/practice-file/practice-file.ts";
import { captureOutput } from "../support/commands/practice.ts";

test("template prints a valid practice file with every record type, and explains each line", async () => {
  const output = captureOutput();
  await templateCommand(output);
  const types = output.results.map((line) => (JSON.parse(line) as { type: string }).type);
  expect([...new Set(types)]).toEqual([...recordTypes]);
  expect(await importFile(await newDatabase(), `${output.results.join("\n")}\n`)).toMatchObject({
    counts: { organization: 1, user: 5, goal: 1 },
  });
  for (const [index, type] of types.entries())
    expect(output.said[index]).toStartWith(`line ${index + 1}: ${type}: `);
});
