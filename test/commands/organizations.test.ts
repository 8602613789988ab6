import { expect, test } from "bun:test";
import { listOrganizationsCommand } from "../../src/commands/organizations.ts";
import { newOrganization } from "../support/factories.ts";
import { newDatabase } from "../support/harness.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";

async function listed(json?: true): Promise<string[]> {
  const database = await newDatabase();
  await newOrganization(database, { public_id: "org_oak", name: "Oak" });
  await mustImport(database, fullPractice);
  const lines: string[] = [];
  const output = { result: (line: string) => lines.push(line), message: () => {} };
  await listOrganizationsCommand({ database, output }, json === undefined ? {} : { json });
  return lines;
}

test("organizations list prints each organization with its counts, sorted by id", async () => {
  expect(await listed()).toEqual([
    "ID         NAME              USERS  PATIENTS  SESSIONS",
    "org_maple  Maple Street ABA  12     2         4",
    "org_oak    Oak               0      0         0",
  ]);
});

test("organizations list --json prints the same as JSON", async () => {
  expect(JSON.parse((await listed(true)).join("\n"))).toEqual([
    {
      id: "org_maple",
      name: "Maple Street ABA",
      counts: { users: 12, patients: 2, sessions: 4 },
    },
    { id: "org_oak", name: "Oak", counts: { users: 0, patients: 0, sessions: 0 } },
  ]);
});
