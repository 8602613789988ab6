import { expect, test } from "bun:test";
import { join } from "node:path";
import { connectFile } from "../../db/sqlite/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { startServer } from "../support/commands/program.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { NOW, temporaryFolder, TestService } from "../support/harness.ts";
import { countRows, newLead } from "../support/intake-leads/practice.ts";

/** A retry after a crash: a real process that is ended by SIGKILL. */

test("a retry after SIGKILL between commit and response gets the stored response", async () => {
  const cwd = temporaryFolder();
  const path = join(cwd, "caseload.db");
  const prepared = connectFile(path, "create");
  await migrate(prepared, NOW as Instant);
  const organization = await newOrganization(prepared);
  const key = await newApiKey(prepared, organization);
  await prepared.close();
  const body = JSON.stringify(newLead());
  const send = (url: string) =>
    fetch(`${url}/api/v1/intake-leads`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "Idempotency-Key": "form-7",
      },
      body,
    });

  const preload = join(import.meta.dir, "../programs/http/killed-after-commit.ts");
  const first = await startServer([], { cwd, env: { BUN_OPTIONS: `--preload=${preload}` } });
  expect(await send(first.url).catch(() => "no answer")).toBe("no answer");
  await first.program.exited;
  expect(first.program.signalCode).toBe("SIGKILL");

  const second = await startServer([], { cwd });
  const retried = await send(second.url);
  const answer = { status: retried.status, text: await retried.text() };
  const again = await send(second.url);
  expect([
    retried.headers.get("Idempotency-Replayed"),
    again.headers.get("Idempotency-Replayed"),
  ]).toEqual(["true", "true"]);
  expect({ status: again.status, text: await again.text() }).toEqual(answer);
  second.program.kill();
  await second.program.exited;

  const left = connectFile(path, "existing");
  const stored = await left.read((db) =>
    db.selectFrom("intake_leads").select(["client_id", "caregiver_id"]).execute(),
  );
  const { users } = await countRows(new TestService(left), organization);
  await left.close();
  expect([answer.status, users, stored.length]).toEqual([201, 2, 1]);
  expect(JSON.parse(answer.text)).toEqual({
    client: { publicId: stored[0]?.client_id },
    caregiver: { publicId: stored[0]?.caregiver_id },
  });
});
