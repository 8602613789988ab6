import type { OpenDatabase } from "./database.ts";
import { connectFile } from "./sqlite/connect.ts";

/**
 * Opens the database that a URL names: a file path, or a `file:` URL, of an embedded SQLite database.
 *
 * @param mode `create` makes a database that does not exist; `existing` refuses.
 * @throws DatabaseRefused with a sentence for the operator.
 */
export async function connect(url: string, mode: "create" | "existing"): Promise<OpenDatabase> {
  return connectFile(url, mode);
}
