import { createServer, type Server } from "node:net";

/** Authentication request codes: clear text, and MD5 with a salt. */
const REQUESTS = { clear: [3], md5: [5, 1, 2, 3, 4] };

const TLS_REQUEST = 80877103;

/**
 * Simulates an attacker on the network: a server that denies TLS support and requests the password.
 *
 * @returns its port, and the data received after the request.
 */
export async function newManInTheMiddle(request: keyof typeof REQUESTS) {
  const heard: string[] = [];
  const [code = 0, ...salt] = REQUESTS[request];
  const asking = Buffer.alloc(9 + salt.length);
  asking.write("R");
  asking.writeInt32BE(8 + salt.length, 1);
  asking.writeInt32BE(code, 5);
  Buffer.from(salt).copy(asking, 9);
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    let hasAsked = false;
    socket.on("data", (data: Buffer) => {
      if (data.length >= 8 && data.readInt32BE(4) === TLS_REQUEST) return socket.write("N");
      if (hasAsked) return heard.push(data.toString("latin1"));
      hasAsked = true;
      return socket.write(asking);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { port, heard, stop: () => server.close() };
}
