import { Database } from "bun:sqlite";
import type { DataSet } from "../data.ts";
import type { Work } from "../load.ts";
import type { ServerOptions } from "../servers.ts";

/** Another server for the same sessions. */
export interface Peer {
  /** The name of its folders. */
  id: string;
  name: string;
  /** Its npm packages with exact versions; the first one gives the peer's version. */
  packages: string[];
  /** Prepares the sessions for the peer, and returns the command that starts it. */
  prepare(place: PeerPlace): Promise<ServerOptions>;
  /** The request for the first 25 sessions in order of start. */
  work(place: PeerPlace): Work;
}

/** The files of a peer, and its data. */
export interface PeerPlace {
  /** Where its packages are. */
  folder: string;
  /** A folder of its own for this data set, empty before `prepare`. */
  scratch: string;
  data: DataSet;
  /** A copy of the data set. */
  database: string;
  /** The OpenAPI document of the service, as JSON. */
  openApi: string;
}

/** The rows of all sessions of the organization that is measured, in order of start. */
export const SESSIONS_OF_ORGANIZATION = `select * from sessions where organization_id = ?
  order by start_time, public_id`;

/** Opens a database to read it, for as long as `work` takes. */
export async function reading<Result>(
  path: string,
  work: (file: Database) => Promise<Result> | Result,
): Promise<Result> {
  const file = new Database(path, { readonly: true });
  try {
    return await work(file);
  } finally {
    file.close();
  }
}
