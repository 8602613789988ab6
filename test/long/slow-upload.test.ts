import { expect, test } from "bun:test";
import { connect } from "node:net";
import { connectFile } from "../../db/sqlite/connect.ts";
import { startServer } from "../support/commands/program.ts";
import { newApiKey } from "../support/factories.ts";
import { newPractice } from "../support/commands/practice.ts";

test("a body that arrives with 2 KB/s for half a minute is accepted, as over a slow line", async () => {
  const { cwd, url, organization } = await newPractice();
  const database = connectFile(url, "existing");
  const key = await newApiKey(database, organization);
  await database.close();
  const node = await startServer(["--database", url], { cwd });
  const { port, hostname } = new URL(node.url);
  const socket = connect(Number(port), hostname);
  const body = `{"firstName":"Ana","lastName":"Ruiz","role":"PATIENT"${" ".repeat(60_000)}}`;
  socket.write(
    `POST /api/v1/users HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  const response = new Promise<string>((resolve, reject) => {
    socket.on("data", (data) => resolve(data.toString()));
    socket.on("close", () => reject(new Error("closed without a response")));
  });
  for (let sent = 0; sent < body.length; sent += 1_000) {
    socket.write(body.slice(sent, sent + 1_000));
    await Promise.race([Bun.sleep(500), response]);
  }
  expect((await response).split("\r\n")[0]).toBe("HTTP/1.1 200 OK");
  socket.end();
  node.program.kill();
  await node.program.exited;
}, 60_000);
