import type { Writable } from "node:stream";
import thirdParty from "../release/THIRD-PARTY.txt" with { type: "text" };
import { writePieces } from "./standard-output.ts";

/** Prints the licenses of all code in the program. */
export async function licensesCommand({ stdout }: { stdout: Writable }): Promise<void> {
  await writePieces([thirdParty], stdout);
}
