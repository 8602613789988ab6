import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import type { NewIntakeLead } from "../src/intake-leads/model.ts";
import type { CalendarDate } from "../src/lib/calendar-date.ts";
import { auditTrail } from "./floor/audit.ts";
import { intakeLeadFloor } from "./floor/intake-lead.ts";
import { overviewFloor } from "./floor/overview.ts";
import { sessionsFloor } from "./floor/sessions.ts";
import { usersFloor } from "./floor/users.ts";
import { utilizationFloor } from "./floor/utilization.ts";

/**
 * The floor: what the work of a few requests costs at the least. A plain server over the same database file finds
 * the key, reads or writes the rows with prepared statements, and answers the same bytes; it checks nothing, logs
 * nothing and keeps no audit trail, save of leads with `--audit`.
 *
 *     TZ=UTC bun bench/floor.ts --database FILE --port PORT [--audit]
 */
const { values: flags } = parseArgs({
  options: {
    database: { type: "string", default: "caseload.db" },
    port: { type: "string", default: "3000" },
    audit: { type: "boolean", default: false },
  },
});

const file = new Database(flags.database, { readwrite: true, strict: true });
// The settings that the service has, so that a commit is as durable and a page as clean as with it.
for (const pragma of ["synchronous = full", "foreign_keys = on", "secure_delete = on"])
  file.run(`pragma ${pragma}`);
// The service next to it notes once a minute that the key is used.
file.run("pragma busy_timeout = 1000");

const findKey = file.prepare<{ organization_id: string }, [string]>(
  `select k.organization_id from api_keys k
   left join users u on u.organization_id = k.organization_id and u.public_id = k.user_id
   where k.hash = ? and k.revoked_at is null`,
);
const sessions = sessionsFloor(file);
const users = usersFloor(file);
const utilization = utilizationFloor(file);
const overview = overviewFloor(file);
const createIntakeLead = intakeLeadFloor(file, flags.audit ? auditTrail(file) : undefined);

Bun.serve({
  port: Number(flags.port),
  hostname: "127.0.0.1",
  routes: {
    "/api/v1/sessions": (request) => json(200, sessions(organizationOf(request))),
    "/api/v1/users": (request) => json(200, users(organizationOf(request))),
    "/api/v1/authorization-utilization": (request) => {
      const query = new URL(request.url).searchParams;
      const date = query.get("date") as CalendarDate;
      return json(200, overview.page(organizationOf(request), date, query.get("sort")));
    },
    "/api/v1/authorization-utilization/:id/what-if": async (request) => {
      const question = (await request.json()) as Parameters<typeof overview.whatIf>[2];
      return json(200, overview.whatIf(organizationOf(request), request.params.id, question));
    },
    "/api/v1/authorization-utilization/:id": (request) => {
      const query = new URL(request.url).searchParams;
      const date = (name: string) => query.get(name) as CalendarDate;
      return json(
        200,
        utilization(organizationOf(request), request.params.id, date("startDate"), date("endDate")),
      );
    },
    "/api/v1/intake-leads": async (request) => {
      const organizationId = organizationOf(request);
      const submission = (await request.json()) as NewIntakeLead;
      return json(201, await createIntakeLead(organizationId, submission));
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
