import type { Writable } from "node:stream";
import thirdParty from "../release/THIRD-PARTY.txt" with { type: "text" };
import { writePieces } from "./standard-output.ts";

/** Prints whose code is in the program, with the licences. */
export async function licensesCommand({ stdout }: { stdout: Writable }): Promise<void> {
  await writePieces([thirdParty], stdout);
}
