import { resolve } from "node:path";
import { Command, Option } from "@commander-js/extra-typings";
import { backUp } from "../../db/sqlite/backup.ts";
import { filePath } from "../../db/sqlite/connect.ts";
import { backUpEncrypted } from "../../db/sqlite/encrypted-backup.ts";
import { withNote } from "../../db/sqlite/files.ts";
import { printedHeads } from "../audit/repository.ts";
import { ConfigurationError } from "../config.ts";
import { toInstant } from "../lib/instant.ts";
import { listArgument } from "./arguments.ts";
import type { CommandContext, DatabaseContext, UrlContext } from "./context.ts";
import { onDatabase } from "./database.ts";
import { newIdentityCommand } from "./identity.ts";
import { record } from "./recording.ts";

export function command(context: CommandContext) {
  return new Command("backup")
    .argument("[file]")
    .description("write a verified copy of the database to a new file; servers may be running")
    .option("--encrypt-to <recipient>", "encrypt it to an age1… key; may be repeated", listArgument)
    .addOption(
      new Option(
        "--new-identity <file>",
        "instead of a backup, create the secret key that decrypts backups, and print its recipient",
      ).conflicts("encryptTo"),
    )
    .action((target, { encryptTo: recipients, newIdentity }) => {
      if (target !== undefined && newIdentity !== undefined)
        throw new ConfigurationError("give either a file or --new-identity");
      if (newIdentity !== undefined) return newIdentityCommand(context, newIdentity);
      if (target === undefined) throw new ConfigurationError("missing required argument 'file'");
      return onDatabase(context, backUpCommand)({ target, ...(recipients && { recipients }) });
    });
}

/**
 * Backs up the database to a new file while servers run. Prints the path, and the heads of its audit chains on standard
 * error. The audit row is written after the copy, since it states that a backup exists; so the backup does not contain
 * it.
 */
export async function backUpCommand(
  context: DatabaseContext & UrlContext,
  { target, recipients = [] }: { target: string; recipients?: readonly string[] },
): Promise<void> {
  const { database, url, clock, output } = context;
  const begun = toInstant(clock.now());
  const heads = await database.read(printedHeads);
  const path = filePath(url);
  await withNote(path, target, () =>
    recipients.length === 0 ? backUp(path, target) : backUpEncrypted(path, target, recipients),
  );
  // Recorded with the time of the snapshot: later writes are not in the backup.
  await record(context, { command: "backup", time: begun, target: resolve(target) });
  output.result(target);
  for (const head of heads)
    output.message(`Head of its audit trail (keep it on another machine): ${head}`);
  output.message(
    recipients.length === 0
      ? "The backup is complete and verified. It contains patients' data: protect it like the database."
      : "The backup is complete, verified and encrypted. Keep its identity on another machine.",
  );
}
