import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { startProgram } from "../support/commands/program.ts";
import { temporaryFolder } from "../support/harness.ts";
import { blockOf } from "../support/documentation/printed.ts";
import { type Fields, fileOf } from "../support/practice-file/practice-file.ts";
import { newSession } from "../support/follower/writes.ts";

/** The programs of `docs/keeping-in-step.md`, as printed but for their pauses, against a server that loses responses. */

const own: Fields = { type: "organization", publicId: "org_maple" };
const PATH = "/api/v1/practice-file";

interface Address {
  url: string;
  key: string;
  keys: [{ key: string }];
}

const server = startProgram(["serve", "--ephemeral", "--json", "--key", "SCHEDULING_MANAGER"], {
  cwd: temporaryFolder(),
});
let address: Address;

/** What the proxy does to the next request of a method. */
const next: Partial<Record<string, "lose the response" | "say gone" | "cut off">> = {};
const replays: string[] = [];

/** Between the program and the server. */
const proxy = createServer(async (request, response) => {
  const { method = "", url } = request;
  const trouble = next[method];
  delete next[method];
  if (trouble === "say gone") return response.writeHead(410).end("{}");
  const stored = await fetch(`${address.url}${url}`, {
    method,
    headers: { ...(request.headers as Record<string, string>), "accept-encoding": "identity" },
    body: method === "POST" ? await buffer(request) : null,
  });
  if (stored.headers.has("Idempotency-Replayed"))
    replays.push(String(request.headers["idempotency-key"]));
  if (trouble === "lose the response") return response.writeHead(502).end();
  const file = await stored.text();
  const sequence = stored.headers.get("Caseload-Sequence");
  response.writeHead(stored.status, sequence === null ? {} : { "Caseload-Sequence": sequence });
  const end = file.indexOf("\n") + 1;
  if (trouble !== "cut off") return response.end(file);
  if (end < file.length) return response.write(file.slice(0, end), () => response.destroy());
  next.GET = "cut off"; // There is nothing to cut off yet.
  return response.end(file);
}).listen(0);

beforeAll(async () => {
  const { value } = await server.stdout.getReader().read();
  address = JSON.parse(new TextDecoder().decode(value)) as Address;
});

afterAll(async () => {
  server.kill();
  await server.exited;
  proxy.close();
});

/** Sends lines as somebody else. @returns the sequence after it. */
async function sendAsOther(...lines: Fields[]): Promise<number> {
  const response = await fetch(`${address.url}${PATH}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${address.key}`,
      "Content-Type": "application/x-ndjson",
    },
    body: fileOf([own, ...lines]),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { sequence: number }).sequence;
}

async function storedSessions(): Promise<{ sequence: number; records: Record<string, Fields> }> {
  const response = await fetch(`${address.url}${PATH}?types=session`, {
    headers: { Authorization: `Bearer ${address.keys[0].key}` },
  });
  const text = await response.text();
  const lines: Fields[] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return {
    sequence: Number(response.headers.get("Caseload-Sequence")),
    records: Object.fromEntries(lines.map((line) => [`${line.type} ${line.publicId}`, line])),
  };
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error("The program did not come so far");
    await Bun.sleep(20);
  }
}

const programs = [
  ["TypeScript", "ts", "scheduler.ts", process.execPath, "//"],
  ["Python, where python3 exists", "python", "scheduler.py", "python3", "#"],
] as const;

describe.each(programs.filter(([, , , command]) => Bun.which(command) !== null))(
  "the program in %s",
  (_name, language, file, command, comment) => {
    test("follows, sends once, loses to others' changes, and begins again after a restore", async () => {
      const cwd = temporaryFolder();
      const page = await Bun.file(join(import.meta.dir, "../../docs/keeping-in-step.md")).text();
      const source = blockOf(page, language, `${comment} ${file}:`);
      await Bun.write(join(cwd, file), source.replaceAll(/pause = 1\b/g, "pause = 0.05"));
      const start = () =>
        Bun.spawn([command, file], {
          cwd,
          env: {
            PATH: process.env.PATH ?? "",
            CASELOAD_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
            CASELOAD_KEY: address.keys[0].key,
          },
          stdout: "ignore",
          stderr: "ignore",
        });
      const copy = () => {
        const path = join(cwd, "copy.json");
        return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
      };
      const put = (name: string, ...lines: Fields[]) => {
        writeFileSync(join(cwd, name), fileOf([own, ...lines]));
        renameSync(join(cwd, name), join(cwd, "outbox", name));
      };
      const response = (path: string) => JSON.parse(readFileSync(join(cwd, path), "utf8"));
      const has = (path: string) => existsSync(join(cwd, path));
      const expectCopy = async () => {
        const stored = await storedSessions();
        await until(() => copy().sequence === stored.sequence);
        expect(copy()).toEqual(stored);
      };

      const ids = ["own", "gone", "shared"].map((id) => `apt_${id}_${language}`);
      const [ownId = "", goneId = "", sharedId = ""] = ids;
      const first = await sendAsOther(
        ...[goneId, sharedId].map((id) => newSession(id, "loc_0001")),
      );
      let program = start();
      try {
        await expectCopy();

        // A lost response: the retry gets it, and nothing is written twice.
        next.POST = "lose the response";
        put(`${first}-new.ndjson`, newSession(ownId, "loc_0001"));
        await until(() => has(`sent/${first}-new.ndjson`));
        expect(replays.splice(0)).toEqual([`${first}-new.ndjson`]);
        expect(response(`sent/${first}-new.ndjson.json`)).toMatchObject({ sequence: first + 1 });
        await expectCopy();
        expect(copy().sequence).toBe(first + 1);

        // Conflicts: with a change and with a deletion of somebody else, seen by nobody yet. Nothing of the file is written.
        await sendAsOther({ type: "session", publicId: sharedId, title: "Theirs" });
        const last = await sendAsOther({ type: "session", publicId: goneId, deleted: true });
        const change = { type: "session", title: "Mine" };
        put(`${first + 1}-late.ndjson`, ...ids.map((publicId) => ({ ...change, publicId })));
        await until(() => has(`refused/${first + 1}-late.ndjson`));
        expect(response(`refused/${first + 1}-late.ndjson.json`)).toMatchObject({
          statusCode: 412,
          validationErrors: [
            { path: [3], message: `Has been deleted since ${first + 1}`, reason: "changed_since" },
            { path: [4], message: `Has changed since ${first + 1}`, reason: "changed_since" },
          ],
        });
        await expectCopy();
        expect(copy().sequence).toBe(last);
        expect(copy().records[`session ${goneId}`]).toBeUndefined();

        // What the role may not send, and a sequence of another history.
        put(`${last}-user.ndjson`, { type: "location", publicId: "loc_0001", name: "Mine" });
        put(`${last + 1_000}-restored.ndjson`, { ...change, publicId: sharedId });
        await until(() => readdirSync(join(cwd, "outbox")).length === 0);
        expect(response(`refused/${last}-user.ndjson.json`)).toEqual({
          statusCode: 403,
          error: "Insufficient permissions for this action: line 2, location",
        });
        expect(response(`refused/${last + 1_000}-restored.ndjson.json`)).toMatchObject({
          validationErrors: [{ path: ["unchangedSince"] }],
        });

        // Once more with what is stored now, while the program was away.
        program.kill("SIGKILL");
        await program.exited;
        put(
          `${last}-again.ndjson`,
          { ...change, publicId: sharedId },
          { type: "session", publicId: ownId, deleted: true },
        );
        program = start();
        await until(() => has(`sent/${last}-again.ndjson`));
        await expectCopy();
        expect(copy().records[`session ${sharedId}`].title).toBe("Mine");
        expect(copy().records[`session ${ownId}`]).toBeUndefined();

        // A response that is cut off between two lines is not taken.
        next.GET = "cut off";
        await sendAsOther({ type: "session", publicId: sharedId, deleted: true });
        await until(() => next.GET === undefined);
        await expectCopy();

        next.GET = "say gone";
        await until(() => next.GET === undefined);
        await sendAsOther(newSession(sharedId, "loc_0001"));
        await expectCopy();
        expect(readdirSync(join(cwd, "refused"))).toHaveLength(6);
      } finally {
        program.kill("SIGKILL");
        await program.exited;
      }
    }, 90_000);
  },
);
