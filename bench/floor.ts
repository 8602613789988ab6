import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import type { CalendarDate } from "../src/lib/calendar-date.ts";
import { sessionsFloor } from "./floor/sessions.ts";
import { usersFloor } from "./floor/users.ts";
import { utilizationFloor } from "./floor/utilization.ts";

/**
 * The floor: a minimal implementation of the three most frequent reads. A plain server on the same database file
 * finds the key, reads the rows with prepared statements and answers the same bytes. It validates nothing, logs
 * nothing and keeps no audit trail.
 *
 *     TZ=UTC bun bench/floor.ts --database FILE --port PORT
 */
const { values: flags } = parseArgs({
  options: {
    database: { type: "string", default: "caseload.db" },
    port: { type: "string", default: "3000" },
  },
});

const file = new Database(flags.database, { readwrite: true, strict: true });
// The service writes audit rows to the same database.
file.run("pragma busy_timeout = 1000");

const findKey = file.prepare<{ organization_id: string }, [string]>(
  `select k.organization_id from api_keys k
   left join users u on u.organization_id = k.organization_id and u.public_id = k.user_id
   where k.hash = ? and k.revoked_at is null`,
);
const sessions = sessionsFloor(file);
const users = usersFloor(file);
const utilization = utilizationFloor(file);

Bun.serve({
  port: Number(flags.port),
  hostname: "127.0.0.1",
  routes: {
    "/api/v1/sessions": (request) => json(200, sessions(organizationOf(request))),
    "/api/v1/users": (request) => json(200, users(organizationOf(request))),
    "/api/v1/authorization-utilization/:id": (request) => {
      const query = new URL(request.url).searchParams;
      const date = (name: string) => query.get(name) as CalendarDate;
      return json(
        200,
        utilization(organizationOf(request), request.params.id, date("startDate"), date("endDate")),
      );
    },
  },
});

/** Whose key the request carries. */
function organizationOf(request: Request): string {
  const key = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
  const hash = createHash("sha256").update(key).digest("hex");
  const row = findKey.get(hash);
  if (row === null) throw new Error("The key is unknown");
  return row.organization_id;
}

function json(status: number, answer: object): Response {
  return new Response(JSON.stringify(answer), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8" },
  });
}
