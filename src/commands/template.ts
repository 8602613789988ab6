import { fileOfList, fileOfType, userListNames } from "../practice-file/csv/columns.ts";
import { fillFolder } from "../practice-file/csv/write.ts";
import type { PracticeRecord } from "../practice-file/model.ts";
import { parseTimeZone } from "../lib/time-zone.ts";
import type { Output } from "./output.ts";
import { Command } from "@commander-js/extra-typings";
import type { CommandContext } from "./context.ts";
// A practice file with a comment above each record. The records below the blank line are for CSV alone: a file with only
// one row is easily mistaken for its header.
import template from "./template.txt" with { type: "text" };

export function command({ output }: CommandContext): Command {
  return new Command("template")
    .description(
      "print a small example practice file; explanations of its lines go to standard error",
    )
    .option("--csv <folder>", "as CSV files in a new folder, with example rows")
    .action((flags) => templateCommand(output, flags));
}

const [commented = "", seconds = ""] = template.trimEnd().split("\n\n");

function* examples(): Generator<{ comment: string; record: PracticeRecord }> {
  for (const [, comment = "", line = ""] of commented.matchAll(/^# (.*)\n(.*)$/gm))
    yield { comment, record: JSON.parse(line) as PracticeRecord };
}

/**
 * Writes the example as a practice file, with comments on standard error; or as CSV into a new folder, mostly with two
 * rows per file.
 *
 * @throws CommandError if the folder is not empty, or cannot be written.
 */
export async function templateCommand(
  output: Output,
  { csv: folder }: { csv?: string } = {},
): Promise<void> {
  if (folder !== undefined) return writeTables(folder, output);
  for (const [index, { comment, record }] of [...examples()].entries()) {
    output.result(JSON.stringify(record));
    output.message(`line ${index + 1}: ${record.type}: ${comment}`);
  }
  output.message(
    "docs/practice-file.md describes all fields. Remove the lines that you do not need.",
  );
}

async function writeTables(folder: string, output: Output): Promise<void> {
  const firsts = [...examples()];
  const others = seconds.split("\n").map((line) => JSON.parse(line) as PracticeRecord);
  await fillFolder(folder, async (writer) => {
    for (const record of [...firsts.map(({ record }) => record), ...others]) {
      if (record.type === "organization") writer.zone = parseTimeZone(record.timezone ?? "");
      writer.write(record.type, record);
    }
  });
  const commented = new Set<string>();
  for (const { comment, record } of firsts) {
    if (!commented.has(record.type)) output.message(`${fileOfType(record.type)}: ${comment}`);
    commented.add(record.type);
  }
  output.message(
    `${userListNames.map(fileOfList).join(", ")}: rows of a user's payors and credentials; publicId is the user's id`,
  );
  output.message(
    `Wrote these files into ${folder}. docs/practice-file.md describes all columns. Remove the files and columns that you do not need.`,
  );
}
