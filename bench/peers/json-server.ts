import type { SessionRow } from "../../db/schema.ts";
import { presentSession } from "../../src/sessions/present.ts";
import { type Peer, type PeerPlace, reading, SESSIONS_OF_ORGANIZATION } from "./peer.ts";

const VERSION = "0.17.4";
/** It reads a million sessions from a file of 500 MB. */
const TIMEOUT = 120_000;

/** All sessions in one JSON file, which lists them in order of start, so that it need not sort. */
export const jsonServer: Peer = {
  id: "json-server",
  name: "json-server",
  packages: [`json-server@${VERSION}`],
  async prepare(place) {
    const file = `${place.scratch}/db.json`;
    await writeSessions(place, file);
    return {
      name: "json-server",
      command: (port) => [
        ...["node", `${place.folder}/node_modules/json-server/lib/cli/bin.js`],
        ...["--port", String(port), "--host", "127.0.0.1", "--read-only", "--quiet", file],
      ],
      readyPath: "/sessions?_limit=1",
      timeout: TIMEOUT,
    };
  },
  work: () => ({ path: "/sessions?_page=1&_limit=25" }),
};

async function writeSessions(
  { database, data: { organizationId } }: PeerPlace,
  path: string,
): Promise<void> {
  const writer = Bun.file(path).writer();
  await reading(database, async (file) => {
    let separator = '{"sessions":[\n';
    const rows = file.query<SessionRow, [string]>(SESSIONS_OF_ORGANIZATION);
    for (const row of rows.iterate(organizationId)) {
      writer.write(separator + JSON.stringify({ id: row.public_id, ...presentSession(row) }));
      separator = ",\n";
      await writer.flush();
    }
  });
  writer.write("\n]}\n");
  await writer.end();
}
