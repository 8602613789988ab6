import { readFileSync } from "node:fs";
import { Command } from "@commander-js/extra-typings";
import { type Db, NO_ORGANIZATION } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import { filePath } from "../../db/sqlite/connect.ts";
import { readReplaced, restore } from "../../db/sqlite/restore.ts";
import { CommandError } from "../lib/command-error.ts";
import { toInstant } from "../lib/instant.ts";
import {
  beginAnotherHistory,
  lastSequences,
  listOrganizationIds,
} from "../organizations/repository.ts";
import { noteWrite } from "../organizations/write-repository.ts";
import { deleteSpentAccess, listValidIds } from "../sign-in/repository.ts";
import { foldAnew } from "../users/folded-text-repository.ts";
import type { CommandContext, UrlContext } from "./context.ts";
import { countOf } from "./output.ts";
import { record } from "./recording.ts";

export function command(context: CommandContext) {
  return new Command("restore")
    .argument("<file>")
    .description("replace the database by a backup, and keep the old one; no server may be running")
    .option("--identity <file>", "the age identity that decrypts an encrypted backup")
    .action((file, { identity: identityFile }) => restoreCommand(context, { file, identityFile }));
}

/**
 * Replaces the database by a backup, applies pending migrations, and adds a row about it to its audit trail. Prints the
 * path of the replaced database.
 */
export async function restoreCommand(
  context: UrlContext,
  { file, identityFile }: { file: string; identityFile?: string | undefined },
): Promise<void> {
  const { url, clock, operator, output } = context;
  const path = filePath(url);
  const now = toInstant(clock.now());
  const identities = identityFile === undefined ? undefined : identitiesIn(identityFile);
  let revived = "";
  const kept = await restore(path, { file, identities }, now, async (copy) => {
    await migrate(copy, now, { refresh: foldAnew });
    const replaced = await readReplaced(path, lastSequences);
    await copy.write(async (trx) => {
      await beginAnotherHistory(trx, clock.now(), replaced);
      for (const organizationId of await listOrganizationIds(trx))
        await noteWrite(trx, { organizationId, time: now, keyId: null, userId: null, operator });
      // The backup may hold some that were used or ended since.
      await deleteSpentAccess(trx);
    }, NO_ORGANIZATION);
    const validIds = (db: Db) => listValidIds(db, now);
    revived = revivedSince(await readReplaced(path, validIds), await copy.read(validIds));
    await record({ ...context, database: copy }, { command: "restore", target: file });
  });
  output.message(`Restored ${file} to ${path}.`);
  if (kept === undefined) return;
  output.result(kept);
  output.message(
    `Changes since that backup, and their audit trail, are only in the replaced database. What was handed over for billing since then is unknown, too: import the encounter lines of the newest export, which add to it. All people must sign in again, and be invited again where they had not yet registered. ${revived}`,
  );
}

interface Ids {
  keys: string[];
  passkeys: string[];
}

/** Says how many keys and passkeys work again that were revoked after the backup. */
function revivedSince(replaced: Ids | undefined, restored: Ids): string {
  const sentence = "Keys and passkeys that were revoked since then are valid again";
  if (replaced === undefined) return `${sentence}.`;
  const number = (of: keyof Ids) => new Set(restored[of]).difference(new Set(replaced[of])).size;
  return `${sentence}: ${countOf(number("keys"), "key")} and ${countOf(number("passkeys"), "passkey")}.`;
}

/** The secret keys in a file in the format of age-keygen. */
function identitiesIn(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new CommandError(`Cannot read ${path}; --identity must name a readable file.`);
  }
  const identities = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (identities.length > 0) return identities;
  throw new CommandError(
    `${path} has no age identity, which is a line that begins with AGE-SECRET-KEY-.`,
  );
}
