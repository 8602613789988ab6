import { Command, Option } from "@commander-js/extra-typings";
import { fromBit } from "../../db/schema.ts";
import {
  createKey,
  type IssuedKey,
  type NewKey,
  organizationOfKey,
  revokeKey,
  rotateKey,
} from "../callers/api-keys.ts";
import { isLimitedKey, type KeyRow, listKeys } from "../callers/repository.ts";
import { ConfigurationError } from "../config.ts";
import { CommandError } from "../lib/command-error.ts";
import { toInstant } from "../lib/instant.ts";
import { deadlineArgument, durationArgument, nameArgument, roleArgument } from "./arguments.ts";
import type { CommandContext, DatabaseContext } from "./context.ts";
import { onDatabase } from "./database.ts";
import { printItems } from "./output.ts";
import { record, writeRecorded } from "./recording.ts";
import { printedOnce } from "./standard-output.ts";

const LOST = 'the key is lost: revoke it with "caseload keys revoke", and create another.';

export function command(context: CommandContext) {
  const keys = new Command("keys").description("create, list, rotate and revoke API keys");
  keys
    .command("create")
    .description("create a key and print it, once")
    .requiredOption("--organization <id>", "the organization of the key")
    .option("--role <role>", "the role of the key", roleArgument)
    .option("--user <id>", "the user to whom the key belongs, with that user's role")
    .requiredOption("--name <text>", "what the key is for", nameArgument)
    .option("--expires <date>", "a date (the end of that UTC day) or an instant", deadlineArgument)
    .option("--read-only", "the key may only read, whatever its role")
    .option("--agent", "a read-only key for an agent, which is accepted by its tools alone (/mcp)")
    .action(
      ({ organization: organizationId, role, user, name, expires, readOnly = false, agent }) => {
        const holder =
          user === undefined ? role && { role } : role === undefined && { userId: user };
        if (!holder) throw new ConfigurationError("give either --role or --user");
        return printedOnce(
          context,
          LOST,
          onDatabase(context, createKeyCommand),
        )({
          ...{ organizationId, holder, name, expiresAt: expires ?? null },
          ...(agent ? { kind: "AGENT" } : { isReadOnly: readOnly }),
        });
      },
    );
  keys
    .command("list")
    .description("list keys, without the secrets")
    .option("--organization <id>", "only the keys of one organization")
    .option("--json", "as JSON")
    .action(onDatabase(context, listKeysCommand));
  keys
    .command("rotate <key-id>")
    .description("create a key's successor and print it; the old key stays valid for the overlap")
    .addOption(
      new Option("--overlap <duration>", "such as 30m, 24h or 7d")
        .argParser(durationArgument)
        .default(durationArgument("24h"), "24h"),
    )
    .action(printedOnce(context, LOST, onDatabase(context, rotateKeyCommand)));
  keys
    .command("revoke <key-id>")
    .description("revoke a key immediately")
    .action(onDatabase(context, revokeKeyCommand));
  return keys;
}

/** Creates a key and prints it, as the only text on standard output. */
export async function createKeyCommand(context: DatabaseContext, key: NewKey): Promise<void> {
  const { clock, output } = context;
  const now = toInstant(clock.now());
  if (key.expiresAt !== null && key.expiresAt <= now)
    throw new CommandError(
      "The key would already have expired; give --expires a date in the future.",
    );
  const { organizationId } = key;
  const issued = await writeRecorded(
    context,
    { organizationId, command: "keys create" },
    (trx) => createKey(trx, key, now),
    (made) => ({ keyId: made.id, ...targetOf(made) }),
  );
  output.result(issued.key);
  output.message(`Created the key ${issued.id}. It is not stored and cannot be shown again.`);
}

/** Creates and prints the successor of a key. The old one remains valid for the overlap, in milliseconds. */
export async function rotateKeyCommand(
  context: DatabaseContext,
  id: string,
  { overlap }: { overlap: number },
): Promise<void> {
  const { database, output } = context;
  const organizationId = await database.read((db) => organizationOfKey(db, id));
  const issued = await writeRecorded(
    context,
    { organizationId, command: "keys rotate", keyId: id },
    (trx, now) => rotateKey(trx, id, overlap, now),
    targetOf,
  );
  output.result(issued.key);
  output.message(
    `Created the key ${issued.id}. It is not stored and cannot be shown again. ${id} works until ${issued.oldWorksUntil}.`,
  );
}

/** Revokes a key immediately, including for running servers. */
export async function revokeKeyCommand(context: DatabaseContext, id: string): Promise<void> {
  const { database, output } = context;
  const organizationId = await database.read((db) => organizationOfKey(db, id));
  const act = { organizationId, command: "keys revoke", keyId: id };
  await writeRecorded(context, act, (trx, now) => revokeKey(trx, id, now));
  output.message(`Revoked the key ${id}.`);
}

/** Lists keys, without their texts. */
export async function listKeysCommand(
  context: DatabaseContext,
  { organization, json }: { organization?: string; json?: boolean },
): Promise<void> {
  const { database, output } = context;
  await record(context, { command: "keys list", target: organization });
  const keys = (await database.read((db) => listKeys(db, organization))).map(presentKey);
  printItems(output, keys, {
    json,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      KIND: ({ kind }) => kind,
      ROLE: ({ role }) => role,
      USER: ({ userId }) => userId,
      CREATED: ({ createdAt }) => createdAt,
      "LAST USED": ({ lastUsedAt }) => lastUsedAt,
      EXPIRES: ({ expiresAt }) => expiresAt,
      REVOKED: ({ revokedAt }) => revokedAt,
      "READ-ONLY": ({ isReadOnly }) => (isReadOnly ? "yes" : ""),
      "OWN PATIENTS ONLY": ({ ownPatientsOnly }) => (ownPatientsOnly ? "yes" : ""),
    },
  });
}

/** The attributes of a new key that the audit trail records in addition to its id. */
function targetOf({ isReadOnly, kind }: IssuedKey): { target?: string } {
  if (kind !== "API") return { target: `--${kind.toLowerCase()}` };
  return isReadOnly ? { target: "--read-only" } : {};
}

function presentKey(row: KeyRow) {
  return {
    id: row.id,
    name: row.name,
    organizationId: row.organization_id,
    // A user's key has the user's current role.
    role: row.user_role ?? row.role,
    userId: row.user_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    isReadOnly: fromBit(row.is_read_only),
    kind: row.kind,
    ownPatientsOnly: isLimitedKey(row),
  };
}
