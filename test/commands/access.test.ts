import { describe, expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { listAccessCommand, revokeAccessCommand } from "../../src/commands/access.ts";
import { listAuditCommand } from "../../src/commands/audit.ts";
import { inviteCommand } from "../../src/commands/invite.ts";
import { captureOutput, OPERATOR } from "../support/commands/practice.ts";
import { runInProcess } from "../support/commands/program.ts";
import { issueKey, newOrganization, newUser } from "../support/factories.ts";
import { newService, temporaryFolder } from "../support/harness.ts";
import { newSignIn } from "../support/sign-in/browser.ts";

/** The commands `invite`, `access list` and `access revoke`. */

const service = await newService();
const { database, clock } = service;
const output = captureOutput();
const context = { database, clock, operator: OPERATOR, output };
const organizationId = await newOrganization(database);

function taken(): { results: string[]; said: string[] } {
  return { results: output.results.splice(0), said: output.said.splice(0) };
}

/** The last row of a chain. */
function lastRow(organization = organizationId) {
  return database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["method", "route", "status", "target", "operator", "key_id"])
      .where("organization_id", "=", organization)
      .orderBy("sequence", "desc")
      .limit(1)
      .executeTakeFirst(),
  );
}

describe("invite", () => {
  test("prints the link alone, and leaves a row with the user as target", async () => {
    const userId = await newUser(database, organizationId, { role: "ADMIN" });
    await inviteCommand(context, { organizationId, userId, origin: "https://caseload.example" });
    const { results, said } = taken();
    expect(results).toEqual([
      expect.stringMatching(/^https:\/\/caseload\.example\/#\/invitation\/[\w-]+\.[\w-]{27}$/),
    ]);
    expect(said).toEqual([
      "The link can be used once, until 2026-03-18T15:00:00.000Z. It is not stored.",
    ]);
    expect(await lastRow()).toEqual({
      ...{ method: "COMMAND", route: "invite", status: 0, target: userId },
      ...{ operator: OPERATOR, key_id: null },
    });
    const [, invitation] = results[0]?.split("#/invitation/") ?? [];
    const { status } = await service.call("POST /api/sign-in/options", {
      headers: { "Sec-Fetch-Site": "same-origin" },
      json: { invitation },
    });
    expect(status).toBe(200);
  });

  test("without an origin, the link begins with the path, and a message says so", async () => {
    const userId = await newUser(database, organizationId, { role: "ADMIN" });
    await inviteCommand(context, { organizationId, userId, origin: undefined });
    const { results, said } = taken();
    expect(results).toEqual([expect.stringMatching(/^\/#\/invitation\//)]);
    expect(said[0]).toStartWith("Put the address of the page in front of it");
  });

  test("refuses an unknown organization or user, and people who do not work for the practice", async () => {
    const patient = await newUser(database, organizationId, { role: "PATIENT" });
    const refusals = [
      ["org_none", patient, "There is no organization org_none"],
      [organizationId, "usr_none", `The organization ${organizationId} has no user usr_none.`],
      [organizationId, patient, `Only active staff can sign in, and ${patient} is none.`],
    ] as const;
    for (const [organizationId, userId, message] of refusals)
      expect(inviteCommand(context, { organizationId, userId, origin: undefined })).rejects.toThrow(
        message,
      );
  });

  test("takes ORIGIN, and refuses one that is none with status 2", async () => {
    const cwd = temporaryFolder();
    const invite = ["invite", "usr_ana", "--organization", "org_maple"];
    const wrong = await runInProcess([...invite, "--origin", "https://127.0.0.1"], { cwd });
    expect([wrong.status, wrong.stdout]).toEqual([2, ""]);
    const fromVariable = await runInProcess(invite, { cwd, env: { ORIGIN: "localhost" } });
    expect(fromVariable.status).toBe(2);
    expect((await runInProcess(["invite", "usr_ana"], { cwd })).status).toBe(2);
  });
});

describe("access", () => {
  test("list prints a table, or as JSON what the API lists, with the organization", async () => {
    const maple = await newOrganization(database);
    const { userId } = await newSignIn(database, maple, "BILLING_MANAGER");
    const { id } = await issueKey(database, maple, { holder: { userId } });
    await listAccessCommand(context, { organization: maple });
    const { results } = taken();
    expect(results.map((line) => line.split(/ {2,}/))).toEqual([
      [
        "USER",
        "NAME",
        "ROLE",
        "ACTIVE",
        "INVITED UNTIL",
        "PASSKEYS",
        "SIGN-INS",
        "KEYS",
        "OWN PATIENTS ONLY",
      ],
      [userId, "Ana Ruiz", "BILLING_MANAGER", "yes", "Laptop", "1", id],
    ]);
    expect(await lastRow("")).toMatchObject({ route: "access list", target: maple });
    await listAccessCommand(context, { organization: maple, json: true });
    const listed = JSON.parse(taken().results.join("\n")) as object[];
    const { key } = await issueKey(database, maple, {});
    const { body } = await service.call("GET /api/v1/access", { key });
    const { data } = body as { data: object[] };
    expect(listed).toEqual(
      data.map((person) => ({ organizationId: maple, ...person, ownPatientsOnly: false })),
    );
    await listAccessCommand(context, { json: true });
    const all = JSON.parse(taken().results.join("\n")) as { organizationId: string }[];
    expect(new Set(all.map((person) => person.organizationId))).toEqual(
      new Set([organizationId, maple]),
    );
    expect(listAccessCommand(context, { organization: "org_none" })).rejects.toThrow("org_none");
  });

  test("list says who sees own patients only", async () => {
    const limited = await newOrganization(database, { own_patients_only: "TECHNICIANS" });
    await newUser(database, limited, { role: "TECHNICIAN" });
    await newUser(database, limited, { role: "CLINICIAN" });
    await listAccessCommand(context, { organization: limited, json: true });
    const people = JSON.parse(taken().results.join("\n")) as Record<string, unknown>[];
    expect(people.map(({ role, ownPatientsOnly }) => [role, ownPatientsOnly])).toEqual([
      ["TECHNICIAN", true],
      ["CLINICIAN", false],
    ]);
  });

  test("revoke ends all access at once, and leaves a row with the user as target", async () => {
    const { userId, headers } = await newSignIn(database, organizationId);
    const { key } = await issueKey(database, organizationId, { holder: { userId } });
    await revokeAccessCommand(context, { organizationId, userId });
    expect(taken()).toEqual({ results: [], said: [`Revoked all access of ${userId}.`] });
    expect(await lastRow()).toMatchObject({ route: "access revoke", target: userId, status: 0 });
    expect((await service.call("GET /api/v1/me", { headers })).status).toBe(401);
    expect((await service.call("GET /api/v1/me", { key })).status).toBe(401);
    expect(revokeAccessCommand(context, { organizationId, userId: "usr_none" })).rejects.toThrow(
      `The organization ${organizationId} has no user usr_none.`,
    );
  });
});

test("audit list --names shows a person's name for a sign-in; deleted users keep their ids", async () => {
  const { userId, headers } = await newSignIn(database, organizationId);
  await service.call("GET /api/v1/me", { headers });
  const named = async () => {
    const stdout = new PassThrough();
    const lines = text(stdout);
    await listAuditCommand({ ...context, stdout }, { names: true, json: true });
    stdout.end();
    const rows = (await lines)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    return rows.findLast((row) => row.userId === userId);
  };
  const keyId = expect.stringMatching(/^signin_/);
  expect(await named()).toMatchObject({ keyId, keyName: "Ana Ruiz", userName: "Ana Ruiz" });
  await database.write((trx) => trx.deleteFrom("users").where("public_id", "=", userId).execute(), {
    organizationId,
  });
  expect(await named()).toMatchObject({ keyId, keyName: null, userName: null });
});
