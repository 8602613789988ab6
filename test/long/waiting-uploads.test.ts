import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { startServer } from "../support/commands/program.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { dropDatabase, newTestDatabaseUrl, onPostgresql } from "../support/postgresql/databases.ts";
import { fileOf } from "../support/practice-file/practice-file.ts";

/** As many uploads of one key as may wait, each as large as may be. */

const RUNNING = 1;
const WAITING = 64;
const LARGEST = 8 * 1024 * 1024;

/**
 * What the server may take at its peak, in bytes. It takes 300 MiB, on a busy machine up to 550, since garbage is then
 * collected later. With the waiting bodies in memory it takes 1,000 and more.
 */
const MAX_MEMORY = 750 * 2 ** 20;

const ORGANIZATION = "org_uploads";

const cwd = temporaryFolder();
let database: OpenDatabase;
let url: string;
let node: Awaited<ReturnType<typeof startServer>>;
let key: string;

beforeAll(async () => {
  url = onPostgresql ? await newTestDatabaseUrl() : join(cwd, "caseload.db");
  database = await connect(url, "create");
  await migrate(database, NOW as Instant);
  await newOrganization(database, { public_id: ORGANIZATION });
  key = await newApiKey(database, ORGANIZATION);
  node = await startServer(["--database", url], { cwd });
});

afterAll(async () => {
  node.program.kill();
  await node.program.exited;
  await database.close();
  if (onPostgresql) await dropDatabase(url);
});

/** A file of the largest size: an organization, locations, and blank lines. */
function largestFile(organization: string, locations = 0): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(LARGEST).fill("\n".charCodeAt(0));
  const lines = Array.from({ length: locations }, (_, index) => ({
    ...{ type: "location", publicId: `loc_${index}`, name: "Clinic" },
  }));
  file.set(
    new TextEncoder().encode(fileOf([{ type: "organization", publicId: organization }, ...lines])),
  );
  return file;
}

const upload = (body: Uint8Array<ArrayBuffer>) =>
  fetch(`${node.url}/api/v1/practice-file?dryRun=true`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/x-ndjson" },
    body,
  }).then(({ status }) => status);

function peakMemory(): number {
  const status = readFileSync(`/proc/${node.program.pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

const isLinux = process.platform === "linux";

test.if(isLinux)(
  "wait in little memory, and all are answered",
  async () => {
    const long = largestFile(ORGANIZATION, 15_000);
    // Refused by its first line.
    const short = largestFile("org_other");
    const running = Array.from({ length: RUNNING }, () => upload(long));
    const waiting = Array.from({ length: WAITING }, () => upload(short));
    expect(await Promise.all(running)).toEqual([200]);
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: WAITING }, () => 403));
    expect(peakMemory()).toBeLessThan(MAX_MEMORY);
  },
  120_000,
);
