import { afterAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { newApiKey, newOrganization } from "../factories.ts";
import { newService } from "../harness.ts";

/** Clients that go away before their request is answered. */

const service = await newService();
const organization = await newOrganization(service.database);
const key = await newApiKey(service.database, organization);
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: service.app.fetch });
afterAll(() => server.stop(true));

/** Sends the beginning of a request and goes away. */
function sendAndGo(text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(server.port ?? 0, "127.0.0.1", () =>
      socket.write(text, () => setTimeout(() => socket.destroy(), 50)),
    );
    socket.on("close", () => resolve());
    socket.on("error", () => {});
  });
}

const head = (more: string) =>
  `POST /api/v1/users HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;

test.each([
  ["of a known length", `${head("Content-Length: 100")}{"firstName":`],
  ["in chunks", `${head("Transfer-Encoding: chunked")}5\r\n{"fir\r\n`],
])("in the middle of a body %s: no failure of ours, and nothing is written", async (_, text) => {
  service.log.length = 0;
  await sendAndGo(text);
  for (let time = 0; time < 100 && service.log.length === 0; time++) await Bun.sleep(10);
  expect(service.log).toEqual([
    expect.objectContaining({ level: "info", message: "request", status: 400 }),
  ]);
  const users = await service.database.read((db) => db.selectFrom("users").selectAll().execute());
  expect(users).toEqual([]);
});
