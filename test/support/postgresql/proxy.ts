import { connect, createServer, type Socket } from "node:net";

/** A server between a node and PostgreSQL, which can lead to another database, and accept bytes without passing them on. */
export async function newProxy(database: URL) {
  let target = database;
  let isHanging = false;
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => to.write(bytes));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isHanging) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(database);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    /** Leads new connections to another database; the others stay. */
    leadTo(next: URL): void {
      target = next;
    },
    hang(hangs: boolean): void {
      isHanging = hangs;
      for (const socket of sockets)
        if (hangs) socket.pause();
        else socket.resume();
    },
    close(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
