import { existsSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { connect } from "../../db/connect.ts";
import type { Database } from "../../db/database.ts";
import { isServerUrl, parseServerUrl } from "../../db/postgresql/url.ts";
import { filePath } from "../../db/sqlite/connect.ts";
import { notedTargets, withoutLink } from "../../db/sqlite/files.ts";
import { isInUse } from "../../db/sqlite/lock.ts";
import { ARCHIVE_COMMAND } from "../audit/chain.ts";
import { listTargets } from "../audit/repository.ts";
import { pageOrigin } from "../config.ts";
import { type Check, passed } from "../doctor/check.ts";
import { checkConnection } from "../doctor/connection.ts";
import { checkData } from "../doctor/data.ts";
import { checkFiles, checkLeftCopies, checkTemporaryFolder } from "../doctor/files.ts";
import { CommandError } from "../lib/command-error.ts";
import { toInstant } from "../lib/instant.ts";
import type { CommandContext, UrlContext } from "./context.ts";
import { closing } from "./database.ts";
import { printItems } from "./output.ts";

export function command(context: CommandContext) {
  return new Command("doctor")
    .description("check the installation; print ok or what to do for each check")
    .option("--origin <url>", "where browsers open the page, as in serve (or ORIGIN)")
    .option("--json", "as JSON")
    .action(({ origin, json = false }) =>
      doctorCommand(context, { origin: pageOrigin(origin, context.environment), json }),
    );
}

/**
 * Runs checks of the installation, and prints each result with advice. Can run while a server is running.
 *
 * @throws CommandError if any check fails.
 */
export async function doctorCommand(
  { url, safety, clock, operator, output }: UrlContext,
  { origin, json }: { origin?: string | undefined; json?: boolean },
): Promise<void> {
  const path = isServerUrl(url) ? undefined : withoutLink(filePath(url));
  // Before opening the database, which locks it and corrects permissions.
  const files = path === undefined ? [] : checksOfFile(path);
  const database = await connect(url, "existing", safety);
  await closing(database, async () => {
    const checks = [
      ...files,
      checkTemporaryFolder(),
      ...(path === undefined ? [await checkConnection(database, parseServerUrl(url, safety))] : []),
      ...checkLeftCopies(await foldersOfCopies(database, path)).filter(
        // Copies in files are not expected for a server's database; findings are reported anyway.
        ({ ok }) => path !== undefined || !ok,
      ),
      ...(await checkData(database, { now: toInstant(clock.now()), operator, origin })),
    ];
    printItems(output, checks, {
      json,
      columns: {
        CHECK: ({ name }) => name,
        STATE: ({ ok }) => (ok ? "ok" : "to do"),
        "FOUND, OR WHAT TO DO": ({ message }) => message,
      },
    });
    const undone = checks.filter(({ ok }) => !ok).length;
    if (undone > 0) throw new CommandError(`${undone} of ${checks.length} checks failed.`);
  });
}

/**
 * The folders of the database file, and of its backups, archives and CSV exports, as far as the audit trail records
 * them. A note next to the database lists interrupted backups.
 */
async function foldersOfCopies(database: Database, path: string | undefined): Promise<string[]> {
  const targetsOf = (...commands: string[]) =>
    database.read((db) => listTargets(db, commands)).catch(() => []);
  // Paths are absolute; the target of an archive has a head without slashes before the path.
  const copies = (await targetsOf("backup", ARCHIVE_COMMAND))
    .map((target) => target.slice(target.indexOf("/")))
    .filter(isAbsolute);
  const files = path === undefined ? copies : [path, ...notedTargets(path), ...copies];
  return [...files.map((file) => dirname(resolve(file))), ...(await targetsOf("export"))];
}

function checksOfFile(path: string): Check[] {
  if (!existsSync(path)) return [];
  const inUse = isInUse(path)
    ? "a server or another command has it open"
    : "no server or other command has it open";
  return [passed("in use", inUse), ...checkFiles(path)];
}
