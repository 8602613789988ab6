import type { Peer } from "./peer.ts";
import { withKey } from "../servers.ts";

/** The last version that runs on Node 20. */
const VERSION = "5.14.2";

/** A mock server: answers with the example of the OpenAPI document, independent of the data. */
export const prism: Peer = {
  id: "prism",
  name: "Prism",
  packages: [`@stoplight/prism-cli@${VERSION}`],
  async prepare({ folder, scratch, data, openApi }) {
    const file = `${scratch}/openapi.json`;
    await Bun.write(file, openApi);
    return {
      name: "Prism",
      command: (port) => [
        ...["node", `${folder}/node_modules/@stoplight/prism-cli/dist/index.js`, "mock", file],
        ...["--port", String(port), "--host", "127.0.0.1", "--multiprocess", "false"],
      ],
      readyPath: "/v1/sessions",
      headers: withKey(data.key),
    };
  },
  work: ({ data }) => ({ path: "/v1/sessions", headers: withKey(data.key) }),
};
