import { Database } from "bun:sqlite";
import type { Peer, PeerPlace } from "./peer.ts";

/** The last version that runs on Node 20. */
const VERSION = "11.2.1";
const TOKEN = "bench-token";
const TIMEOUT = 120_000;

/** Directus over a SQLite file of its own, with the sessions in one table that has the service's index. */
export const directus: Peer = {
  id: "directus",
  name: "Directus",
  packages: [`directus@${VERSION}`],
  async prepare(place) {
    const database = `${place.scratch}/directus.db`;
    const program = `${place.folder}/node_modules/directus/cli.js`;
    const environment = {
      DB_CLIENT: "sqlite3",
      DB_FILENAME: database,
      SECRET: "bench-secret",
      ADMIN_EMAIL: "admin@example.com",
      ADMIN_PASSWORD: "bench-password",
      ADMIN_TOKEN: TOKEN,
      HOST: "127.0.0.1",
      TELEMETRY: "false",
      LOG_LEVEL: "error",
      // Otherwise it answers slow requests with 503.
      PRESSURE_LIMITER_ENABLED: "false",
    };
    const { exitCode, stderr } = await Bun.$`node ${program} bootstrap`
      .cwd(place.scratch)
      .env({ ...process.env, ...environment })
      .nothrow()
      .quiet();
    if (exitCode !== 0) throw new Error(`its bootstrap failed: ${lastLine(stderr.toString())}`);
    copySessions(place, database);
    return {
      name: "Directus",
      // Its port can only be set by the environment.
      command: (port) => ["env", `PORT=${port}`, "node", program, "start"],
      readyPath: "/items/sessions?limit=1",
      headers: { Authorization: `Bearer ${TOKEN}` },
      folder: place.scratch,
      environment,
      timeout: TIMEOUT,
    };
  },
  work: () => ({
    path: "/items/sessions?limit=25&page=1&sort=startTime,publicId&meta=filter_count",
    headers: { Authorization: `Bearer ${TOKEN}` },
  }),
};

/** Directus serves existing tables without changes. */
function copySessions({ database, data }: PeerPlace, path: string): void {
  const file = new Database(path, { readwrite: true, strict: true });
  file.run("attach ? as caseload", [database]);
  file.run(
    `create table sessions (publicId text primary key, title text, status text, startTime text, endTime text,
       isSupervision boolean, isClientPresent boolean, placeOfService text, locationId text,
       technicianId text, clientId text, isBillable boolean, isTelehealth boolean, clinicianId text,
       providerLocationId text, services text, nonBillableCode text)`,
  );
  file.run(
    `insert into sessions select public_id, title, status, start_time, end_time, is_supervision,
       is_client_present, place_of_service, location_id, technician_id, client_id, is_billable,
       is_telehealth, clinician_id, provider_location_id, service_line_id, non_billable_code_id
     from caseload.sessions where organization_id = ?`,
    [data.organizationId],
  );
  file.run("create index sessions_by_start on sessions (startTime, publicId)");
  file.close();
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
