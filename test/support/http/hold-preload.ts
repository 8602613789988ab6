import { appendFileSync, readFileSync } from "node:fs";

/**
 * Preloaded into a server: appends to the file `HOLDS` how long its event loop did not turn, in milliseconds, whenever
 * that is long. The time in which the thread was ready but other programs had the processors is left out.
 */

const SHORT = 5;

function busyTime(): number {
  const [, waited] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
  return performance.now() - Number(waited) / 1e6;
}

let last = busyTime();
setInterval(() => {
  const now = busyTime();
  if (now - last > SHORT) appendFileSync(process.env.HOLDS!, `${(now - last).toFixed(1)}\n`);
  last = now;
}, 1).unref();
