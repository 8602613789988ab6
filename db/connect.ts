import type { DatabaseSource, OpenDatabase } from "./database.ts";
import { type ConnectionSafety, isServerUrl } from "./postgresql/url.ts";
import { connectFile, open } from "./sqlite/connect.ts";

/**
 * Opens the database of a URL: a file path or `file:` URL of a SQLite database, or the `postgres:` URL of a PostgreSQL
 * database.
 *
 * @param mode `create` creates a missing file; `existing` refuses. A PostgreSQL database must exist in either mode.
 * @param safety of the connection to a server.
 * @throws DatabaseError with a message for the operator.
 */
export async function connect(
  url: string,
  mode: "create" | "existing",
  safety?: ConnectionSafety,
): Promise<OpenDatabase> {
  if (!isServerUrl(url)) return connectFile(url, mode);
  // Loaded dynamically: SQLite users do not need the driver.
  const { connectServer } = await import("./postgresql/connect.ts");
  return connectServer(url, safety);
}

/** Opens a database that this process has open, for one of its threads, which does one thing at a time. */
export async function connectAgain({ url, safety }: DatabaseSource): Promise<OpenDatabase> {
  if (!isServerUrl(url)) return open(url);
  const { connectServer } = await import("./postgresql/connect.ts");
  return connectServer(url, safety, { maxConnections: 2, isOfThread: true });
}
