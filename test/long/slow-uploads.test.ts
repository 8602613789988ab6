import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { SlowUploads } from "../../src/http/limits/slow-uploads.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/** Bodies that arrive slowly, with shorter limits than the server's. */

const idleTimeouts: unknown[] = [];
const service = await newService({
  slowUploads: new SlowUploads({ slow: 100, window: 400, minBytesPerWindow: 60, longest: 1_500 }),
  setIdleTimeout: (_, seconds) => idleTimeouts.push(seconds),
});
const organization = await newOrganization(service.database);
const key = await newApiKey(service.database, organization);
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: service.app.fetch });
afterAll(() => server.stop(true));

const IN_CHUNKS = "Transfer-Encoding: chunked";

/** Sends the beginning of a request and then pieces of its body, until the server responds or closes the connection. */
function upload(
  headers: string,
  { path = "users", every = 20, piece = "  ", last = "" } = {},
): Promise<{ status: number; body: unknown; isClosed: boolean }> {
  const isChunked = headers.includes(IN_CHUNKS);
  const framed = (text: string) =>
    isChunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text;
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(server.port ?? 0, "127.0.0.1");
  socket.write(
    `POST /api/v1/${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`,
  );
  const started = performance.now();
  const timer = setInterval(() => {
    if (last === "" || performance.now() - started < 1_000) return socket.write(framed(piece));
    clearInterval(timer);
    return socket.write(framed(last) + (isChunked ? "0\r\n\r\n" : ""));
  }, every);
  let text = "";
  socket.on("data", (data) => {
    text += data.toString();
    if (last !== "") socket.end();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    clearInterval(timer);
    resolve(text);
  });
  return promise.then((response) => {
    const [head = "", body = ""] = response.split("\r\n\r\n");
    return {
      status: Number(head.split(" ")[1]),
      body: JSON.parse(body || "null"),
      isClosed: /^connection: close$/im.test(head),
    };
  });
}

const TOO_SLOW = {
  status: 408,
  body: { error: "Request body arrived too slowly", statusCode: 408 },
  isClosed: true,
};

describe("a body", () => {
  const user = JSON.stringify({ firstName: "Ana", lastName: "Ruiz", role: "PATIENT" });

  test.each([
    ["of a known length", `Content-Length: ${200_000}`],
    ["in chunks", IN_CHUNKS],
  ])("%s that arrives too slowly is a 408, and its connection is closed", async (_, headers) => {
    expect(await upload(headers)).toMatchObject(TOO_SLOW);
    expect(await upload(headers, { every: 60_000 })).toMatchObject(TOO_SLOW);
  });

  test("of a few bytes that has not arrived within a minute is a 408", async () => {
    expect(await upload("Content-Length: 100", { every: 60_000 })).toMatchObject(TOO_SLOW);
    expect(await upload("Content-Length: 1000", { path: "goals" })).toMatchObject({
      status: 408,
      body: { error: "Request body arrived too slowly" },
    });
  });

  test("that arrives fast enough is a 408 after ten minutes", async () => {
    const started = performance.now();
    const slow = await upload(IN_CHUNKS, { piece: " ".repeat(50) });
    expect(slow).toMatchObject(TOO_SLOW);
    expect(performance.now() - started).toBeGreaterThan(1_490);
  });

  test("that arrives slowly but fast enough is accepted; its connection has no idle timeout until then", async () => {
    idleTimeouts.length = 0;
    const whole = await upload(IN_CHUNKS, { piece: " ".repeat(50), last: user });
    expect(whole).toMatchObject({ status: 200, body: { user: { firstName: "Ana" } } });
    expect(idleTimeouts).toEqual([0, 20]);
  });
});

test("more than 65 slow bodies of one key are refused, and not those of another key", async () => {
  const uploads = new SlowUploads({ slow: 20, window: 60_000, minBytesPerWindow: 1, longest: 800 });
  const statusOf = (keyId: string) =>
    uploads
      .watch(
        keyId,
        () => {},
        () => new Promise(() => {}),
      )
      .catch(({ status, headers }) => `${status} ${headers.connection}`);
  const attempt = async () => {
    const many = Array.from({ length: 72 }, () => statusOf("key_1"));
    const all = await Promise.all([...many, statusOf("key_2")]);
    return [all.slice(0, 65), all.slice(65, 72), all.slice(72)];
  };
  const expected = [Array(65).fill("408 close"), Array(7).fill("429 close"), ["408 close"]];
  expect(await attempt()).toEqual(expected);
  // All of them have left.
  expect(await attempt()).toEqual(expected);
});
