/**
 * A port of 127.0.0.1 on which nothing listens. It can be given up and used again later: it is not one of those that
 * systems give to connections and to servers on port 0 (from 32,768 on Linux), such as those of other tests.
 */
export function unusedPort(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    try {
      void Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response() }).stop(true);
      return port;
    } catch (error) {
      if ((error as { code?: string }).code !== "EADDRINUSE") throw error;
    }
  }
}
