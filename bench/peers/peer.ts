import { Database } from "bun:sqlite";
import type { DataSet } from "../data.ts";
import type { Work } from "../load.ts";
import type { ServerOptions } from "../servers.ts";

/** Another way to serve the same sessions. */
export interface Peer {
  /** Of its folders. */
  id: string;
  name: string;
  /** What npm installs: exact versions, the one that the peer goes by first. */
  packages: string[];
  /** Puts the sessions where the peer finds them, and says how it is started. */
  prepare(place: PeerPlace): Promise<ServerOptions>;
  /** The request for the first 25 sessions in order of start. */
  work(place: PeerPlace): Work;
}

/** Where a peer is and what it serves. */
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
