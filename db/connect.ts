import type { OpenDatabase } from "./database.ts";
import { type ConnectionSafety, isServerUrl } from "./postgresql/url.ts";
import { connectFile } from "./sqlite/connect.ts";

/**
 * Opens the database that a URL names: a file path, or a `file:` URL, of an embedded SQLite database, or the
 * `postgres:` URL of a database of PostgreSQL.
 *
 * @param mode `create` makes a file that does not exist; `existing` refuses. A database of PostgreSQL must exist.
 * @param safety of the way to a server.
 * @throws DatabaseRefused with a sentence for the operator.
 */
export async function connect(
  url: string,
  mode: "create" | "existing",
  safety?: ConnectionSafety,
): Promise<OpenDatabase> {
  if (!isServerUrl(url)) return connectFile(url, mode);
  // A practice with a file does not load the driver.
  const { connectServer } = await import("./postgresql/connect.ts");
  return connectServer(url, safety);
}
