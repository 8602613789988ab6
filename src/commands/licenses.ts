import { Command } from "@commander-js/extra-typings";
import thirdParty from "../release/THIRD-PARTY.txt" with { type: "text" };
import type { CommandContext } from "./context.ts";
import { writePieces } from "./standard-output.ts";

export function command({ stdout }: CommandContext): Command {
  return new Command("licenses")
    .description("print the licenses of all packages in the program")
    .action(async () => {
      await writePieces([thirdParty], stdout);
    });
}
