import { writeFileSync } from "node:fs";
import { createPrivateFile, syncFile, syncFolderOf } from "../../db/sqlite/files.ts";
import { CommandError } from "../lib/command-error.ts";
import { toInstant } from "../lib/instant.ts";
import type { Invocation } from "./context.ts";

/**
 * Generates an age identity, which decrypts backups, in a new file that only its owner can read. Prints the recipient,
 * for `--encrypt-to`. The file has the format of age-keygen.
 *
 * @throws CommandError if the file exists or cannot be created.
 */
export async function newIdentityCommand(
  { clock, output }: Invocation,
  file: string,
): Promise<void> {
  const { generateX25519Identity, identityToRecipient } = await import("age-encryption");
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  try {
    createPrivateFile(file);
    writeFileSync(
      file,
      `# created: ${toInstant(clock.now())}\n# public key: ${recipient}\n${identity}\n`,
    );
    syncFile(file);
    syncFolderOf(file);
  } catch (error) {
    throw (error as { code?: string }).code === "EEXIST"
      ? new CommandError(`${file} exists; an identity needs a file of its own.`)
      : new CommandError(`Cannot write ${file}: its folder must exist and be writable.`);
  }
  output.result(recipient);
  output.message(
    `${file} decrypts backups made with --encrypt-to ${recipient}. Store it and a copy on other machines; without it, these backups cannot be restored.`,
  );
}
