import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { createWhole } from "../../db/sqlite/files.ts";
import { archiveLines, partsBefore, removePart, verifyArchive } from "../audit/archive.ts";
import { type ChainHead, printHead } from "../audit/chain.ts";
import type { VerifiedChain } from "../audit/verification.ts";
import { CommandError } from "../lib/command-error.ts";
import { type Instant, toInstant } from "../lib/instant.ts";
import type { Invocation, DatabaseContext } from "./context.ts";
import type { Output } from "./output.ts";

/** In characters. Larger pieces need fewer system calls. */
const PIECE = 256 * 1024;

/**
 * Moves the oldest rows of each chain, up to its last row older than `before`, to a new private file, and prints its
 * path. Rows are removed after the file is durable and verified.
 *
 * @throws CommandError if the file exists or cannot be written, or a chain is invalid.
 */
export async function archiveAuditCommand(
  { database, clock, operator, output }: DatabaseContext,
  { file, before }: { file: string; before: Instant },
): Promise<void> {
  const parts = await database.read((db) => partsBefore(db, before));
  if (parts.length === 0) {
    output.message(`There is no row before ${before}, so no file was made.`);
    return;
  }
  await writeArchive(file, archiveLines(database, before, parts));
  const time = toInstant(clock.now());
  for (const part of parts)
    await removePart(database, part, { file: resolve(file), operator, time });
  output.result(file);
  const rows = parts.reduce((sum, { after, end }) => sum + end.sequence - after.sequence, 0);
  output.message(
    `Moved ${rows} rows. The file shows who accessed which patient's data: protect it like the database.`,
  );
}

async function writeArchive(path: string, lines: AsyncIterable<string>): Promise<void> {
  try {
    await createWhole(path, "an archive", async (unfinished) => {
      await writeLines(unfinished, lines);
      const faulty = (await verifyArchive(unfinished)).some(({ fault }) => fault !== undefined);
      if (faulty) throw new CommandError(`${path} could not be written completely. Try again.`);
    });
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (error instanceof CommandError || typeof code !== "string" || code.startsWith("SQLITE"))
      throw error;
    throw new CommandError(
      `Cannot write ${path} (${code}): its folder must be writable and have room.`,
    );
  }
}

async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  const file = await open(path, "r+");
  try {
    let piece = "";
    for await (const line of lines) {
      piece += `${line}\n`;
      if (piece.length < PIECE) continue;
      await file.writeFile(piece);
      piece = "";
    }
    await file.writeFile(piece);
  } finally {
    await file.close();
  }
}

/**
 * Verifies an archive, without a database, and prints the ends of its parts.
 *
 * @throws CommandError if it is invalid, with the first faulty row.
 */
export async function verifyArchiveCommand(
  { output }: Pick<Invocation, "output">,
  { file, knownHeads, json }: ArchiveVerification,
): Promise<void> {
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`);
  const parts = await verifyArchive(file, knownHeads).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === undefined
      ? error
      : new CommandError(`Cannot read ${file} (${error.code}): it must be a readable file.`);
  });
  printChains(output, parts, json === true);
  output.message(`The archive is whole (parts of ${parts.length} chains).`);
}

interface ArchiveVerification {
  file: string;
  knownHeads: ReadonlyMap<string, ChainHead>;
  json?: boolean;
}

/**
 * Prints the heads of valid chains.
 *
 * @throws CommandError with the faults of the others.
 */
export function printChains(output: Output, chains: readonly VerifiedChain[], json: boolean): void {
  if (json) output.result(JSON.stringify(chains, null, 2));
  const faults: string[] = [];
  for (const { organizationId, head, fault } of chains)
    if (fault !== undefined)
      faults.push(`audit trail of ${organizationId || "-"}: ${fault.message}`);
    else if (!json) output.result(printHead(organizationId, head));
  if (faults.length > 0) throw new CommandError(faults.join("; "));
}
