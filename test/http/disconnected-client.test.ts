import { afterAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newServiceWithOtherConnection } from "../support/other-connection.ts";
import { newService } from "../support/harness.ts";

/** Clients that disconnect before their request is answered. */

const service = await newService();
const organization = await newOrganization(service.database);
const key = await newApiKey(service.database, organization);
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: service.app.fetch });
afterAll(() => server.stop(true));

/** Sends the beginning of a request, then disconnects. */
function sendAndDisconnect(text: string, port = server.port): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port ?? 0, "127.0.0.1", () =>
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
])("a disconnect in a body %s is logged as a 400 and writes nothing", async (_, text) => {
  service.log.length = 0;
  await sendAndDisconnect(text);
  for (let time = 0; time < 1_000 && service.log.length === 0; time++) await Bun.sleep(10);
  expect(service.log).toEqual([
    expect.objectContaining({ level: "info", message: "request", status: 400 }),
  ]);
  const users = await service.database.read((db) => db.selectFrom("users").selectAll().execute());
  expect(users).toEqual([]);
});

test("a write that waits for another process's lock is not executed if its client disconnects", async () => {
  const { service: locked, otherConnection } = await newServiceWithOtherConnection();
  const practice = await newOrganization(locked.database);
  const writer = await newApiKey(locked.database, practice);
  const lockedServer = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: locked.app.fetch });
  afterAll(() => lockedServer.stop(true));
  const body = '{"firstName":"Ana","lastName":"Ruiz"}';
  otherConnection.run("begin immediate");
  await sendAndDisconnect(
    head(`Content-Length: ${body.length}`).replace(key, writer) + body,
    lockedServer.port,
  );
  // Time for the server to notice. In steps: even if the process stands still for a while, the server, which is part
  // of it, goes on between them.
  for (let step = 0; step < 30; step++) await Bun.sleep(10);
  otherConnection.run("rollback");
  for (let time = 0; time < 1_000 && locked.log.length === 0; time++) await Bun.sleep(10);
  expect(locked.log.map(({ status }) => status)).toEqual([499]);
  const users = await locked.database.read((db) => db.selectFrom("users").selectAll().execute());
  expect(users).toEqual([]);
});
