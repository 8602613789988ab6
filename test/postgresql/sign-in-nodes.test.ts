import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newApiKey, newOrganization, newUser } from "../support/factories.ts";
import { NOW, ORIGIN, TestService } from "../support/harness.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";
import { SoftwarePasskey } from "../support/sign-in/authenticator.ts";
import { invitation, PageBrowser, signedInPerson } from "../support/sign-in/browser.ts";

/** Two nodes on one database sign people in as one would. */

const postgresql = await newTestServer();
const url = await newDatabaseUrl(postgresql.url, "sign_in", "template0");
const databases = [await connect(url, "existing"), await connect(url, "existing")] as const;
await migrate(databases[0], NOW as Instant);
const nodes = [new TestService(databases[0]), new TestService(databases[1])] as const;
const organization = await newOrganization(databases[0]);
const key = await newApiKey(databases[0], organization);

afterAll(async () => {
  for (const database of databases) await database.close();
  await postgresql.remove();
});

const newPerson = () => newUser(databases[0], organization, { role: "ADMIN" });
const [here, there] = nodes;

describe("two nodes", () => {
  test("make one secret, so that each takes the other's challenges", async () => {
    const browsers = nodes.map((node) => new PageBrowser(node));
    await Promise.all(browsers.map((browser) => browser.options()));
    const { passkey } = await signedInPerson(here, key, await newPerson());
    const { get } = await new PageBrowser(there).options();
    const { status } = await new PageBrowser(here).call("POST /api/sign-in", {
      json: { credential: passkey.use(get) },
    });
    expect(status).toBe(201);
  });

  test("count a use of a passkey once, and an invitation", async () => {
    const { passkey } = await signedInPerson(here, key, await newPerson());
    const { get } = await new PageBrowser(here).options();
    const credential = passkey.use(get);
    const uses = await Promise.all(
      nodes.map((node) =>
        new PageBrowser(node).call("POST /api/sign-in", { json: { credential } }),
      ),
    );
    expect(uses.map(({ status }) => status).toSorted()).toEqual([201, 401]);
    const token = await invitation(there, key, await newPerson());
    const options = await new PageBrowser(here).options(token);
    const registrations = await Promise.all(
      nodes.map((node) => {
        const passkey = new SoftwarePasskey(ORIGIN).register(options.create!);
        const body = { invitation: token, name: "Laptop", credential: passkey };
        return new PageBrowser(node).call("POST /api/sign-in/passkey", { json: body });
      }),
    );
    expect(registrations.map(({ status }) => status).toSorted()).toEqual([201, 401]);
  });

  test("know each other's sign-ins, and their end", async () => {
    const userId = await newPerson();
    const { browser } = await signedInPerson(here, key, userId);
    const other = new PageBrowser(there);
    other.cookie = browser.cookie;
    expect((await other.call("GET /api/v1/me")).status).toBe(200);
    await here.call(`DELETE /api/v1/users/${userId}/access`, { key });
    const { status, body } = await other.call("GET /api/v1/me");
    expect([status, body]).toEqual([401, { error: "Sign-in has ended", statusCode: 401 }]);
  });

  test("register a passkey of one credential id in one of two organizations", async () => {
    const elsewhere = await newOrganization(databases[0]);
    const elsewhereKey = await newApiKey(databases[0], elsewhere);
    const stranger = await newUser(databases[0], elsewhere, { role: "ADMIN" });
    const tokens = [
      await invitation(here, key, await newPerson()),
      await invitation(there, elsewhereKey, stranger),
    ];
    const passkey = new SoftwarePasskey(ORIGIN);
    const answers = await Promise.all(
      tokens.map((token, node) => new PageBrowser(nodes[node as 0 | 1]).register(passkey, token)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });
});
