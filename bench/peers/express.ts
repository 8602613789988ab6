import { join } from "node:path";
import type { Peer } from "./peer.ts";
import { sessionsPage } from "../requests.ts";
import { withKey } from "../servers.ts";

/** A typical implementation: Express, Knex and better-sqlite3 on the same database with the same indexes. */
export const express: Peer = {
  id: "express",
  name: "Express, Knex, better-sqlite3",
  packages: ["express@5.1.0", "knex@3.1.0", "better-sqlite3@11.10.0"],
  async prepare({ folder, database, data }) {
    return {
      name: "Express, Knex, better-sqlite3",
      command: (port) => [
        "node",
        join(import.meta.dir, "express-server.cjs"),
        folder,
        database,
        String(port),
      ],
      readyPath: "/api/v1/sessions",
      headers: withKey(data.key),
    };
  },
  work: ({ data }) => sessionsPage(data.key),
};
