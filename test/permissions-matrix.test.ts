import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Role, roles, staffRoles } from "../src/access/roles.ts";
import { endpoints } from "./support/endpoints.ts";
import {
  insert,
  issueKey,
  newApiKey,
  newAuthorization,
  newGoal,
  newIntakeLead,
  newOrganization,
  newPasskeyRow,
  newSession,
  newTreatmentPlan,
  newUser,
} from "./support/factories.ts";
import { type Answer, newService } from "./support/harness.ts";
import { namedLists } from "./support/reference-data.ts";
import { newSignIn } from "./support/sign-in/browser.ts";
import { newLead } from "./support/intake-leads/practice.ts";

/**
 * The statuses that ten roles get from every operation, and for every role to create, compared with
 * the tables in docs/decisions.md. When rules change, `UPDATE_MATRIX=1 bun run test
 * test/permissions-matrix.test.ts` rewrites them there, and the author reads the diff.
 */

const FILE = join(import.meta.dir, "../docs/decisions.md");

/** Both tables in the file, with the empty line between them. */
const TABLES = /^\| operation .*\n(?:\|.*\n)+\n(?:\|.*\n)+/m;

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const user = await newUser(database, organization);
const lead = await newIntakeLead(database, organization);
const session = await newSession(database, organization);
const authorization = await newAuthorization(database, organization);
const treatmentPlanId = await newTreatmentPlan(database, organization);
const keys = new Map<Role, string>();
for (const role of roles) keys.set(role, await newApiKey(database, organization, role));

function send(line: string, role: Role, json?: object): Promise<Answer> {
  return service.call(line, { ...credentials(role), ...(json && { json }) });
}

const createUser = (caller: Role, role: Role) =>
  send("POST /api/v1/users", caller, { firstName: "Ana", lastName: "Ruiz", role });
const goalPath = async () => `/api/v1/goals/${await newGoal(database, organization)}`;

type Credentials = { headers: Record<string, string>; key?: string };

/** A sign-in of each role whose people may sign in, and a key that is tied to the same person. */
const signIns = new Map<Role, Credentials>();
const tiedKeys = new Map<Role, Credentials>();
for (const role of staffRoles) {
  const { userId, headers } = await newSignIn(database, organization, role);
  const { key } = await issueKey(database, organization, { holder: { userId } });
  signIns.set(role, { headers });
  tiedKeys.set(role, { key, headers: {} });
}

const roleKeys = new Map(roles.map((role) => [role, { key: keys.get(role) ?? "", headers: {} }]));

/** With what the requests are sent. */
let used: ReadonlyMap<Role, Credentials> = roleKeys;

function credentials(role: Role): Credentials {
  return used.get(role) ?? { headers: {} };
}

let passkeys = 0;

/** A request of each operation that is refused for its role, or not at all. */
const operations: Record<string, (role: Role) => Promise<Answer>> = {
  "GET /v1/me": (role) => send("GET /api/v1/me", role),
  "GET /v1/users": (role) => send("GET /api/v1/users", role),
  "GET /v1/names": (role) => send(`GET /api/v1/names?ids=${user}`, role),
  "GET /v1/users/{userId}": (role) => send(`GET /api/v1/users/${user}`, role),
  "POST /v1/users": (role) => createUser(role, "PATIENT"),
  "GET /v1/access": (role) => send("GET /api/v1/access", role),
  "POST /v1/users/{userId}/invitation": (role) =>
    send(`POST /api/v1/users/${user}/invitation`, role),
  "DELETE /v1/users/{userId}/access": (role) => send(`DELETE /api/v1/users/${user}/access`, role),
  "GET /v1/passkeys": (role) => send("GET /api/v1/passkeys", role),
  // Of a key without a user, only an administrator's finds a passkey.
  "DELETE /v1/passkeys/{passkeyId}": async (role) => {
    passkeys += 1;
    const passkey = newPasskeyRow(organization, user, `passkey_of_user_${passkeys}`);
    await insert(database, "passkeys", passkey);
    return send(`DELETE /api/v1/passkeys/${passkey.id}`, role);
  },
  "GET /v1/specializations": (role) => send("GET /api/v1/specializations", role),
  ...Object.fromEntries(
    [...namedLists, "intake-stages", "treatment-plans", "goals"].map((list) => [
      `GET /v1/${list}`,
      (role) => send(`GET /api/v1/${list}`, role),
    ]),
  ),
  "GET /v1/goals/{goalId}": async (role) => send(`GET ${await goalPath()}`, role),
  "GET /v1/sessions": (role) => send("GET /api/v1/sessions", role),
  "GET /v1/sessions/{sessionId}": (role) => send(`GET /api/v1/sessions/${session}`, role),
  "GET /v1/authorization-utilization": (role) =>
    send("GET /api/v1/authorization-utilization", role),
  "GET /v1/authorization-utilization/{publicId}": (role) =>
    send(`GET /api/v1/authorization-utilization/${authorization}?timezone=UTC`, role),
  "GET /v1/authorization-utilization/{publicId}/ledger": (role) =>
    send(`GET /api/v1/authorization-utilization/${authorization}/ledger?timezone=UTC`, role),
  "GET /v1/authorization-utilization/{publicId}/summary": (role) =>
    send(`GET /api/v1/authorization-utilization/${authorization}/summary?timezone=UTC`, role),
  "GET /v1/sessions/{sessionId}/utilization": (role) =>
    send(`GET /api/v1/sessions/${session}/utilization`, role),
  "GET /v1/checks": (role) => send("GET /api/v1/checks", role),
  "GET /v1/delivery": (role) => send("GET /api/v1/delivery", role),
  "GET /v1/billing-lines": (role) => send("GET /api/v1/billing-lines", role),
  "GET /v1/supervision": (role) => send("GET /api/v1/supervision", role),
  "POST /v1/authorization-utilization/{publicId}/what-if": (role) =>
    send(`POST /api/v1/authorization-utilization/${authorization}/what-if`, role, {
      timezone: "UTC",
    }),
  "GET /v1/encounters": (role) => send("GET /api/v1/encounters", role),
  "GET /v1/intake-leads": (role) => send("GET /api/v1/intake-leads", role),
  "GET /v1/intake-leads/{leadId}": (role) => send(`GET /api/v1/intake-leads/${lead}`, role),
  "POST /v1/intake-leads": (role) => send("POST /api/v1/intake-leads", role, newLead()),
  "POST /v1/goals": (role) =>
    send("POST /api/v1/goals", role, { type: "rating", title: "Calm", treatmentPlanId }),
  "PATCH /v1/goals/{goalId}": async (role) =>
    send(`PATCH ${await goalPath()}`, role, { title: "Calmer" }),
  "DELETE /v1/goals/{goalId}": async (role) => send(`DELETE ${await goalPath()}`, role),
  "GET /v1/calendars": (role) => send("GET /api/v1/calendars", role),
  "POST /v1/calendars": async (role) => {
    const userId = await newUser(database, organization);
    return send("POST /api/v1/calendars", role, { userId });
  },
  "DELETE /v1/calendars/{calendarId}": async (role) => {
    const holder = { userId: await newUser(database, organization) };
    const { id } = await issueKey(database, organization, { holder, kind: "CALENDAR" });
    return send(`DELETE /api/v1/calendars/${id}`, role);
  },
  "GET /v1/practice-file": (role) => send("GET /api/v1/practice-file", role),
  "POST /v1/practice-file": (role) =>
    service.call("POST /api/v1/practice-file", {
      ...credentials(role),
      headers: { ...credentials(role).headers, "Content-Type": "application/x-ndjson" },
      raw: JSON.stringify({ type: "organization", publicId: organization, name: "Maple" }),
    }),
};

/** A table of statuses as Markdown, in the format of `bun fmt`. */
async function table(
  title: string,
  rows: readonly string[],
  columns: readonly Role[],
  ask: (row: string, column: Role) => Promise<Answer>,
): Promise<string[]> {
  const lines: string[][] = [[title, ...columns]];
  for (const row of rows) {
    const cells = [`\`${row}\``];
    for (const column of columns) cells.push(String((await ask(row, column)).status));
    lines.push(cells);
  }
  const widths = [title, ...columns].map((_, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  lines.splice(
    1,
    0,
    widths.map((width) => "-".repeat(width)),
  );
  return lines.map((cells) => {
    const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return `| ${padded.join(" | ")} |`;
  });
}

test("the matrix has the status of each role for each operation and each role to create", async () => {
  const byOperation = await table("operation", Object.keys(operations), roles, (operation, role) =>
    operations[operation]!(role),
  );
  const byCreated = await table("caller, and role to create", roles, roles, (caller, role) =>
    createUser(caller as Role, role),
  );
  const matrix = [...byOperation, "", ...byCreated, ""].join("\n");
  const file = Bun.file(FILE);
  if (process.env.UPDATE_MATRIX) await file.write((await file.text()).replace(TABLES, matrix));
  expect(TABLES.exec(await file.text())?.[0]).toBe(matrix);
});

test("a sign-in gets the statuses of a key that is tied to its person", async () => {
  const statuses = async (credentialsOfRoles: typeof used) => {
    used = credentialsOfRoles;
    const asked: [string, Role, number][] = [];
    for (const [operation, ask] of Object.entries(operations))
      for (const role of staffRoles) asked.push([operation, role, (await ask(role)).status]);
    used = roleKeys;
    return asked;
  };
  expect(await statuses(signIns)).toEqual(await statuses(tiedKeys));
});

test("the matrix has every operation", () => {
  const all = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(operations).toSorted()).toEqual(all.toSorted());
});
