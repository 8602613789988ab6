import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Role, roles, staffRoles } from "../src/callers/roles.ts";
import { remembered } from "../src/lib/remembered.ts";
import { issueKey, newApiKey, newOrganization } from "./support/factories.ts";
import { type Answer, newService } from "./support/harness.ts";
import { fillOrganization, idsOf } from "./support/isolation-practice.ts";
import { filled, type Ids, type Operation, operations } from "./support/operations.ts";
import { newSignIn } from "./support/sign-in/browser.ts";

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
const keys = new Map<Role, string>();
for (const role of roles) keys.set(role, await newApiKey(database, organization, role));

function send(line: string, role: Role, json?: object): Promise<Answer> {
  return service.call(line, { ...credentials(role), ...(json && { json }) });
}

const createUser = (caller: Role, role: Role) =>
  send("POST /api/v1/users", caller, { firstName: "Ana", lastName: "Ruiz", role });
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

/** A request of each operation, about records that have not been asked for before. */
async function ask({ example }: Operation, role: Role): Promise<Answer> {
  const { line, ...sent } = filled(example, await idsFor(role));
  const own = credentials(role);
  const headers = { ...own.headers, ...sent.headers };
  return service.call(line, { ...own, ...sent, headers });
}

/** Records of each role and kind of credentials, since requests delete some. */
const records = new Map<typeof used, Map<Role, Ids>>();

async function idsFor(role: Role): Promise<Ids> {
  const ofRoles = records.get(used) ?? new Map<Role, Ids>();
  records.set(used, ofRoles);
  const suffix = `_${records.size}_${role}`;
  if (!ofRoles.has(role)) {
    await fillOrganization(database, organization, suffix);
    ofRoles.set(role, idsOf(organization, suffix));
  }
  return ofRoles.get(role)!;
}

/** A table of statuses as Markdown, in the format of `bun fmt`. Rows with the same statuses are one. */
async function table(
  title: string,
  rows: readonly string[],
  columns: readonly Role[],
  ask: (row: string, column: Role) => Promise<Answer>,
): Promise<string[]> {
  const alike = new Map<string, string[]>();
  for (const row of rows) {
    const statuses: number[] = [];
    for (const column of columns) statuses.push((await ask(row, column)).status);
    const names = remembered(alike, statuses.join(), () => []);
    names.push(`\`${row}\``);
  }
  const lines = [
    [title, ...columns],
    ...[...alike].map(([statuses, names]) => [names.join(", "), ...statuses.split(",")]),
  ];
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
  const rows = new Map(operations.map((operation) => [operation.operation, operation]));
  const byOperation = await table("operation", [...rows.keys()], roles, (row, role) =>
    ask(rows.get(row)!, role),
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
    for (const operation of operations)
      for (const role of staffRoles)
        asked.push([operation.operation, role, (await ask(operation, role)).status]);
    used = roleKeys;
    return asked;
  };
  expect(await statuses(signIns)).toEqual(await statuses(tiedKeys));
});
