import { expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";

/** A server without file descriptors, because of too many connections. */

const MAIN = join(import.meta.dir, "../../src/main.ts");
const LIMIT = 64;

test.if(process.platform === "linux")(
  "requests that need a file are a 503, others go on, and all do once there are descriptors again",
  async () => {
    const serve = `ulimit -n ${LIMIT}; exec '${process.execPath}' '${MAIN}' serve --ephemeral --json`;
    const server = Bun.spawn(["bash", "-c", serve], { stdout: "pipe", stderr: "ignore" });
    const { value } = await server.stdout.getReader().read();
    const line = JSON.parse(new TextDecoder().decode(value)) as { key: string; port: number };
    const head = (request: string, ...headers: string[]) =>
      [
        `${request} HTTP/1.1`,
        ...["Host: localhost", `Authorization: Bearer ${line.key}`, ...headers],
        "\r\n",
      ].join("\r\n");
    const open = () => {
      const socket = connect(line.port, "127.0.0.1");
      socket.on("error", () => {});
      return socket;
    };
    const client = open();
    /** The status of a request on the connection that was opened first. */
    const status = (text: string) =>
      new Promise<number>((resolve) => {
        client.once("data", (data) => resolve(Number(data.toString().split(" ")[1])));
        client.write(text);
      });

    const body = `{"firstName":"Ana","lastName":"Ruiz"}${" ".repeat(100_000)}`;
    const json = ["Content-Type: application/json", `Content-Length: ${body.length}`];
    const page = head("GET /api/v1/me");
    const upload = head("POST /api/v1/users", ...json) + body;
    const checks = head("GET /api/v1/checks?pageSize=1");
    const file = head("GET /swagger/swagger-ui.css");
    expect(await status(page)).toBe(200);

    const others = Array.from({ length: 3 * LIMIT }, open);
    for (const socket of others) socket.write(head("GET /livez"));
    await Bun.sleep(1_000);
    const without = [await status(page), await status(upload), await status(checks)];
    expect([...without, await status(file)]).toEqual([200, 503, 503, 503]);

    for (const socket of others) socket.destroy();
    client.destroy();
    await Bun.sleep(500);
    const after = await fetch(`http://127.0.0.1:${line.port}/api/v1/users`, {
      method: "POST",
      headers: { Authorization: `Bearer ${line.key}`, "Content-Type": "application/json" },
      body,
    });
    expect(after.status).toBe(200);
    server.kill();
    expect(await server.exited).toBe(0);
  },
  60_000,
);
