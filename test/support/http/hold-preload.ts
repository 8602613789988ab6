import { appendFileSync, readFileSync } from "node:fs";

/**
 * Preloaded into a server: appends to the file `HOLDS` for how long a turn of its event loop has used the processor, in
 * milliseconds, whenever that is long. Workers, in which it is preloaded, too, may take as long as they like.
 */

const SHORT = 5;

function processorTime(): number {
  const [used] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
  return Number(used) / 1e6;
}

if (Bun.isMainThread) {
  let last = processorTime();
  setInterval(() => {
    const now = processorTime();
    if (now - last > SHORT) appendFileSync(process.env.HOLDS!, `${(now - last).toFixed(1)}\n`);
    last = now;
  }, 1).unref();
}
