import { expect, test } from "bun:test";
import { join } from "node:path";
import { connect } from "../../db/connect.ts";
import type { Database } from "../../db/database.ts";
import { backUp } from "../../db/sqlite/backup.ts";
import { connectFile } from "../../db/sqlite/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { copyCommand } from "../../src/commands/copy.ts";
import { RequestLogLimit } from "../../src/http/limits/request-log-limit.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { deleteExpiredAccess } from "../../src/sign-in/repository.ts";
import { captureOutput } from "../support/commands/practice.ts";
import { issueKey, newApiKey, newOrganization, newUser } from "../support/factories.ts";
import { newDatabase, NOW, temporaryFolder, TestClock, TestService } from "../support/harness.ts";
import { fileOf } from "../support/practice-file/practice-file.ts";
import { newSignIn, PageBrowser, signedInPerson } from "../support/sign-in/browser.ts";

/** Passkeys, invitations and sign-ins as records: what deletes them, and what copies of a database hold. */

/** The numbers of passkeys, invitations, sign-ins and keys. */
function numbersIn(database: Database): Promise<number[]> {
  const tables = ["passkeys", "invitations", "sign_ins", "key_organizations"] as const;
  const rowsOf = (table: (typeof tables)[number]) =>
    database.read((db) => db.selectFrom(table).select("organization_id").execute());
  return Promise.all(tables.map(async (table) => (await rowsOf(table)).length));
}

/** A practice with a person who is signed in, and invited once more. */
async function newPractice(given?: Database) {
  const database = given ?? (await newDatabase());
  const service = new TestService(database);
  const organization = await newOrganization(database);
  const key = await newApiKey(database, organization);
  const userId = await newUser(database, organization, { role: "TECHNICIAN" });
  const person = await signedInPerson(service, key, userId);
  await service.call(`POST /api/v1/users/${userId}/invitation`, { key });
  const importUser = (change: object) =>
    service.call("POST /api/v1/practice-file", {
      ...{ key, headers: { "Content-Type": "application/x-ndjson" } },
      raw: fileOf([
        { type: "organization", publicId: organization },
        { type: "user", publicId: userId, ...change },
      ]),
    });
  return { database, service, organization, key, userId, ...person, importUser };
}

test("an import that deletes a user deletes them, and nothing of them is in an export", async () => {
  const { database, service, key, browser, importUser } = await newPractice();
  expect(await numbersIn(database)).toEqual([1, 1, 1, 2]);
  const { text } = await service.call("GET /api/v1/practice-file", { key });
  expect(text).not.toMatch(/passkey|invitation|sign_?in|credential_/i);
  expect((await importUser({ deleted: true })).status).toBe(200);
  expect(await numbersIn(database)).toEqual([0, 0, 0, 1]);
  expect((await browser.call("GET /api/v1/me")).status).toBe(401);
});

test("an import that deactivates or demotes a user takes effect with the next request", async () => {
  const { browser, passkey, service, importUser } = await newPractice();
  for (const change of [{ isActive: false }, { isActive: true, role: "CAREGIVER" }]) {
    expect((await importUser(change)).status).toBe(200);
    expect((await browser.call("GET /api/v1/me")).status).toBe(401);
    expect((await new PageBrowser(service).signIn(passkey)).status).toBe(401);
  }
  await importUser({ role: "TECHNICIAN" });
  expect((await browser.call("GET /api/v1/me")).status).toBe(200);
});

test("sign-ins and invitations are deleted when they have expired, passkeys are not", async () => {
  const { database, organization, browser } = await newPractice();
  await browser.call("DELETE /api/sign-in");
  for (const [now, ...numbers] of [
    ["2026-03-12T02:59:59.999Z", 1, 1, 1],
    ["2026-03-12T03:00:00.000Z", 1, 1, 0],
    ["2026-03-18T15:00:00.000Z", 1, 0, 0],
  ] as const) {
    await database.write((trx) => deleteExpiredAccess(trx, organization, now as Instant), {
      organizationId: organization,
    });
    expect([now, (await numbersIn(database)).slice(0, 3)]).toEqual([now, numbers]);
  }
});

test("a key that still works holds a user back, a passkey does not", async () => {
  const { database, organization, userId, importUser } = await newPractice();
  await issueKey(database, organization, { holder: { userId } });
  const { text } = await importUser({ deleted: true });
  expect(text).toContain("is named by API key");
  expect(text).not.toContain("passkey");
});

test("a copy and a backup have them all, and people stay signed in there", async () => {
  const folder = temporaryFolder();
  const source = connectFile(join(folder, "source.db"), "create");
  await migrate(source, NOW as Instant);
  const { browser, passkey } = await newPractice(source);
  const numbers = await numbersIn(source);
  const context = { clock: new TestClock(), operator: "ana", output: captureOutput() };
  await copyCommand({ ...context, database: source }, join(folder, "copy.db"));
  await backUp(join(folder, "source.db"), join(folder, "backup.db"));
  await source.close();
  for (const name of ["copy.db", "backup.db"]) {
    const copy = await connect(join(folder, name), "existing");
    expect(await numbersIn(copy)).toEqual(numbers);
    const there = new PageBrowser(new TestService(copy));
    there.cookie = browser.cookie;
    expect((await there.call("GET /api/v1/me")).status).toBe(200);
    expect((await there.signIn(passkey)).status).toBe(201);
    await copy.close();
  }
});

test("without a sign-in, the log has 200 lines a minute and a number", async () => {
  let summarized = 0;
  const requestLogLimit = new RequestLogLimit((requests) => (summarized += requests));
  const service = new TestService(await newDatabase(), { requestLogLimit });
  const page = new PageBrowser(service);
  const forged = new PageBrowser(service, { "Sec-Fetch-Site": "cross-site" });
  for (let count = 0; count < 250; count += 1) {
    await page.options();
    await page.call("DELETE /api/sign-in");
    await forged.call("DELETE /api/sign-in");
  }
  requestLogLimit.finish();
  await service.audit.finish();
  const lines = service.log.filter(({ message }) => message === "request");
  expect([summarized, lines.length]).toEqual([50, 400]);
});

test("a sign-in of another organization names nobody of this one", async () => {
  const database = await newDatabase();
  const service = new TestService(database);
  const [maple, oak] = [await newOrganization(database), await newOrganization(database)];
  const { headers, userId } = await newSignIn(database, maple);
  await newUser(database, oak, { public_id: userId, role: "PATIENT", is_active: 0 });
  expect((await service.call("GET /api/v1/me", { headers })).status).toBe(200);
});
