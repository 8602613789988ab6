import { expect, test } from "bun:test";
import { join } from "node:path";
import { connectFile } from "../../db/sqlite/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { invite } from "../../src/access/service.ts";

import { systemClock } from "../../src/lib/clock.ts";
import { type Instant, toInstant } from "../../src/lib/instant.ts";
import { newOrganization, newUser } from "../support/factories.ts";
import { temporaryFolder } from "../support/harness.ts";
import { startServer } from "../support/commands/program.ts";
import { SoftwarePasskey } from "../support/sign-in/authenticator.ts";
import type { Options } from "../support/sign-in/browser.ts";

/** A server that is killed during a registration: the invitation is used up with a passkey, or neither. */

const ROUNDS = 4;
const ORIGIN = "https://caseload.example";

async function send(url: string, path: string, body: object): Promise<Response> {
  return fetch(`${url}/api/sign-in${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
    body: JSON.stringify(body),
  });
}

test("between registration and response, an invitation and its passkey are one", async () => {
  const cwd = temporaryFolder();
  const file = join(cwd, "caseload.db");
  const now: Instant = toInstant(systemClock.now());
  const database = connectFile(file, "create");
  await migrate(database, now);
  const organizationId = await newOrganization(database);
  const invited = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const userId = await newUser(database, organizationId, { role: "ADMIN" });
    const { url } = await database.write(
      (trx) => invite(trx, { organizationId, userId, origin: ORIGIN }, now),
      { organizationId },
    );
    invited.push({ userId, token: url.split("/invitation/")[1] ?? "" });
  }
  await database.close();
  for (const [round, { userId, token }] of invited.entries()) {
    const { url, program } = await startServer(["--origin", ORIGIN], { cwd });
    const answer = await send(url, "/options", { invitation: token });
    const { create } = (await answer.json()) as Options;
    const passkey = new SoftwarePasskey(ORIGIN);
    if (create === undefined) throw new Error("The invitation is refused");
    const body = { invitation: token, name: "Laptop", credential: passkey.register(create) };
    const response = send(url, "/passkey", body).catch(() => undefined);
    await Bun.sleep(round);
    program.kill("SIGKILL");
    await Promise.all([program.exited, response]);
    const after = connectFile(file, "existing");
    const [invitations, passkeys] = await after.read(async (db) => [
      await db.selectFrom("invitations").select("hash").where("user_id", "=", userId).execute(),
      await db.selectFrom("passkeys").select("id").where("user_id", "=", userId).execute(),
    ]);
    await after.close();
    expect(invitations.length + passkeys.length).toBe(1);
    const again = await startServer(["--origin", ORIGIN], { cwd });
    const { get } = (await (await send(again.url, "/options", {})).json()) as Options;
    const { status } = await send(again.url, "", { credential: passkey.use(get) });
    expect(status).toBe(passkeys.length === 1 ? 201 : 401);
    again.program.kill();
    await again.program.exited;
  }
}, 60_000);
