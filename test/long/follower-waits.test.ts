import { expect, test } from "bun:test";
import { canRun, Follower } from "../support/follower/follower.ts";
import { temporaryFolder } from "../support/harness.ts";

/** The programs of `docs/clients.md` wait as long as a 429 or 503 says, in tenths of seconds here. */

test.each(
  (["ts", "python"] as const).filter(canRun).flatMap((name) => [
    [name, 429],
    [name, 503],
  ]) as ["ts" | "python", number][],
)(
  "%s after a %d",
  async (name, status) => {
    const times: number[] = [];
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const server = Bun.serve({
      port: 0,
      fetch() {
        if (times.push(performance.now()) === 2) resolve();
        return new Response(null, { status, headers: { "Retry-After": "15" } });
      },
    });
    const follower = await Follower.in(temporaryFolder(), name);
    follower.start({ url: `http://127.0.0.1:${server.port}`, key: "caseload_x" });
    await asked;
    await follower.kill();
    await server.stop(true);
    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThan(1_400);
  },
  60_000,
);

test.each((["ts", "python"] as const).filter(canRun))(
  "%s ends after a 403, of which nothing changes by itself",
  async (name) => {
    let asked = 0;
    const server = Bun.serve({
      port: 0,
      fetch() {
        asked += 1;
        return new Response(null, { status: 403 });
      },
    });
    const follower = await Follower.in(temporaryFolder(), name);
    follower.start({ url: `http://127.0.0.1:${server.port}`, key: "caseload_x" });
    while (asked === 0) await Bun.sleep(50);
    await Bun.sleep(3_000);
    await follower.kill();
    await server.stop(true);
    expect(asked).toBe(1);
  },
  60_000,
);
