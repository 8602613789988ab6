import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newApiKey } from "../support/factories.ts";
import { NOW, TestService } from "../support/harness.ts";
import { newCaregiver, newLead } from "../support/intake-leads/practice.ts";
import { newDatabaseUrl, execute } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";
import {
  authorization,
  clinician,
  encounter,
  fullPractice,
  lead,
  organization,
  patient,
  pool,
  session,
  skillGoal,
  technician,
} from "../support/practice-file/full-practice.ts";
import { type Fields, fileOf, mustImport } from "../support/practice-file/practice-file.ts";

/**
 * When a constraint is violated, PostgreSQL logs the values of the key, such as a patient's email address. So no request
 * and no import may violate one.
 */

const ORGANIZATION = "org_maple";

const server = await newTestServer({ settings: { log_min_messages: "error" } });
const url = await newDatabaseUrl(server.url, "logged", "template0");

let databases: [OpenDatabase, OpenDatabase];
let nodes: [TestService, TestService];
let key: string;

beforeAll(async () => {
  databases = [await connect(url, "existing"), await connect(url, "existing")];
  await migrate(databases[0], NOW as Instant);
  await mustImport(databases[0], fullPractice);
  key = await newApiKey(databases[0], ORGANIZATION);
  nodes = [new TestService(databases[0]), new TestService(databases[1])];
});

afterAll(async () => {
  for (const database of databases) await database.close();
  await server.remove();
});

/** An attempt at an organization's lock that is repeated, as it is on a busy machine. It names no value. */
const LOCK_ATTEMPT =
  /^.* ERROR: {2}canceling statement due to lock timeout\n.* CONTEXT: {2}while locking tuple .* in relation "organizations"\n.* STATEMENT: .*public_id = \$1 for no key update\n/gm;

/** What the server has logged since the last call. */
let read = 0;
function logged(): string {
  const text = server.log().slice(read);
  read += text.length;
  return text.replace(LOCK_ATTEMPT, "");
}

/** The statuses of equal requests that are sent to both nodes at once, three to each. */
async function statusesOf(line: string, sent: () => object): Promise<number[]> {
  const answers = await Promise.all(
    [...nodes, ...nodes, ...nodes].map((node) => node.call(line, { key, ...sent() })),
  );
  return answers.map(({ status }) => status).sort();
}

const importing = (records: Fields[]) => () => ({
  headers: { "Content-Type": "application/x-ndjson" },
  raw: fileOf([organization, ...records]),
});

test("PostgreSQL logs the values of a row that violates a constraint", async () => {
  await mustImport(databases[0], [organization, { ...technician, email: "logged@maple.example" }]);
  const again = `insert into users select (jsonb_populate_record(users, '{"public_id":"usr_again"}')).* from users where email = 'logged@maple.example'`;
  await execute(url, again).catch(() => {});
  expect(logged()).toContain("DETAIL:  Key (organization_id, email_key)=(org_maple, logged@maple");
});

describe("PostgreSQL logs nothing for", () => {
  const user = { firstName: "Ana", lastName: "Ruiz", role: "PATIENT" };

  test("concurrent creations of users with the same email address on two nodes", async () => {
    const json = { ...user, email: "at.once@maple.example" };
    const statuses = await statusesOf("POST /api/v1/users", () => ({ json }));
    expect(statuses).toEqual([200, 400, 400, 400, 400, 400]);
    expect(logged()).toBe("");
  });

  test("concurrent intake leads with the same email address on two nodes", async () => {
    const json = { ...newLead(), caregiver: newCaregiver({ email: "mina@maple.example" }) };
    const statuses = await statusesOf("POST /api/v1/intake-leads", () => ({ json }));
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
    expect(logged()).toBe("");
  });

  test("concurrent requests with the same Idempotency-Key on two nodes", async () => {
    const json = { ...user, email: "retried@maple.example" };
    const headers = { "Idempotency-Key": "key-1" };
    const statuses = await statusesOf("POST /api/v1/users", () => ({ json, headers }));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    expect(logged()).toBe("");
  });

  test.each([
    ["users", { ...user, providerPayors: ["pay_x"], specializations: ["spec_x"] }],
    ["users", { ...user, role: "CLINICIAN", careTeamTechnicianIds: ["usr_x"] }],
    ["intake-leads", newLead({ selectedLocations: ["loc_x"], labelPublicIds: ["lbl_x"] })],
    ["goals", { type: "rating", title: "Calm", treatmentPlanId: "tp_x" }],
  ])("unknown ids in new %s", async (path, json) => {
    await nodes[0].call(`POST /api/v1/${path}`, { key, json });
    expect(logged()).toBe("");
  });

  test("concurrent imports of the same new user on two nodes", async () => {
    const records = [{ ...patient, publicId: "usr_new", email: "new@maple.example" }];
    const statuses = await statusesOf("POST /api/v1/practice-file", importing(records));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    expect(logged()).toBe("");
  });

  const taken = { ...technician, publicId: "usr_other", email: patient.email };
  test.each<[string, number, Fields[]]>([
    ["the email address of another user", 400, [taken]],
    [
      "two email addresses that are swapped",
      200,
      [
        { type: "user", publicId: patient.publicId, email: clinician.email },
        { type: "user", publicId: clinician.publicId, email: patient.email },
      ],
    ],
    [
      "the same email address twice",
      400,
      [
        { ...taken, email: "x@maple.example" },
        { ...technician, email: "x@maple.example" },
      ],
    ],
    ["the same id twice", 400, [technician, technician]],
    [
      "an authorization with the id of a pool",
      400,
      [{ ...authorization, publicId: pool.publicId }],
    ],
    [
      "a child with the id of its goal",
      400,
      [
        {
          ...skillGoal,
          childGoals: (skillGoal.childGoals as Fields[]).map((child) => ({
            ...child,
            publicId: skillGoal.publicId,
          })),
        },
      ],
    ],
    ["an unknown caregiver", 400, [{ ...patient, caregiverId: "usr_x" }]],
    ["an authorization of an unknown patient", 400, [{ ...authorization, patientId: "usr_x" }]],
    ["a session of an unknown patient", 400, [{ ...session, clientId: "usr_x" }]],
    [
      "an encounter of an unknown authorization",
      400,
      [{ ...encounter, authorizationId: "auth_x" }],
    ],
    ["a lead of unknown users", 400, [{ ...lead, clientId: "usr_x", caregiverId: "usr_x" }]],
    [
      "the deletion of a user with references",
      400,
      [{ type: "user", publicId: patient.publicId, deleted: true }],
    ],
    ["a pool that is moved to another patient", 400, [{ ...pool, patientId: "usr_kid2" }]],
  ])("an import with %s", async (_, expected, records) => {
    for (const query of ["?dryRun=true", ""]) {
      const statuses = await statusesOf(`POST /api/v1/practice-file${query}`, importing(records));
      expect(statuses).toEqual(Array.from({ length: 6 }, () => expected));
    }
    expect(logged()).toBe("");
  });
});
