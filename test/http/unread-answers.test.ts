import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { newApiKey } from "../support/factories.ts";
import { temporaryFolder, TestService } from "../support/harness.ts";
import { databaseOfFullPractice, session } from "../support/practice-file/full-practice.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";

/**
 * Long responses are in files until their clients have read them. Few of them may wait; and without a folder for files,
 * there are none.
 */

const database = await databaseOfFullPractice();
const service = new TestService(database);
await mustImport(database, [
  { type: "organization", publicId: "org_maple" },
  // A ledger of them has more than 1 MiB.
  ...Array.from({ length: 5_000 }, (_, index) => ({ ...session, publicId: `apt_long_${index}` })),
]);
const [key, other] = [
  await newApiKey(database, "org_maple"),
  await newApiKey(database, "org_maple"),
];

const LEDGER = "/api/v1/authorization-utilization/auth_1/ledger";

/** A response whose body nobody reads yet. */
const ask = (path: string, token: string): Promise<Response> =>
  service.app.handle(
    new Request(`http://localhost${path}`, { headers: { Authorization: `Bearer ${token}` } }),
  );

describe("of the responses that nobody reads", () => {
  test("a fifth of a key is a 429, until one of them is read, or its client gone", async () => {
    const unread = [];
    for (let count = 0; count < 4; count += 1) unread.push(await ask(LEDGER, key));
    expect(unread.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const refused = await ask(LEDGER, key);
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
      ...[429, "1", { error: "Too many requests", statusCode: 429 }],
    ]);
    // Other keys, and shorter responses, are not refused.
    const ofOther = await ask(LEDGER, other);
    expect(ofOther.status).toBe(200);
    expect((await ask("/api/v1/authorization-utilization", key)).status).toBe(200);
    await unread[0]!.body!.cancel();
    const next = await ask(LEDGER, key);
    expect(next.status).toBe(200);
    expect((await unread[1]!.text()).length).toBeGreaterThan(2 ** 20);
    const last = await ask(LEDGER, key);
    expect(last.status).toBe(200);
    for (const { body } of [...unread.slice(2), ofOther, next, last]) await body!.cancel();
  });

  test("none remains of a HEAD", async () => {
    for (let count = 0; count < 5; count += 1)
      expect((await service.call(`HEAD ${LEDGER}`, { key })).status).toBe(200);
  });
});

describe("without a temporary folder", () => {
  const usual = process.env.TMPDIR;
  beforeAll(() => {
    process.env.TMPDIR = join(temporaryFolder(), "none");
  });
  afterAll(() => {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
  });

  test("/readyz says so, with status 200", async () => {
    const { status, body } = await service.call("GET /readyz");
    expect([status, body]).toEqual([200, { status: "ok", temporaryFolder: false }]);
  });

  test("a long read is answered if its response is not long, else a 503 that says why", async () => {
    const short = await service.call("GET /api/v1/checks?check=NOT_DOCUMENTED", { key });
    expect(short.status).toBe(200);
    const { status, headers, body } = await service.call(`GET ${LEDGER}`, { key });
    expect([status, headers.get("retry-after"), body]).toEqual([
      503,
      "1",
      {
        error: "Too long while the server has no room in its temporary folder",
        statusCode: 503,
      },
    ]);
  });

  test("an export likewise, and a body that is sent", async () => {
    const short = await service.call("GET /api/v1/practice-file?types=location", { key });
    expect(short.status).toBe(200);
    expect((await service.call("GET /api/v1/practice-file", { key })).status).toBe(503);
    const file = (lines: number) => ({
      key,
      raw: `{"type":"organization","publicId":"org_maple"}\n${"\n".repeat(lines)}`,
      headers: { "Content-Type": "application/x-ndjson" },
    });
    expect((await service.call("POST /api/v1/practice-file", file(2 ** 19))).status).toBe(200);
    expect((await service.call("POST /api/v1/practice-file", file(2 ** 21))).status).toBe(503);
  });
});
