import { appendFileSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { CachingSqliteFile } from "../../../db/sqlite/dialect.ts";

/**
 * Preloaded into a server and its workers. Appends to the file `HOLDS`, in milliseconds, for how long a turn of the event
 * loop of the thread that answers has used the processor, and to the file `STATEMENTS` how long SQL statements took,
 * whenever that is long.
 */

const SHORT = 5;
const SHORT_STATEMENT = 500;

function processorTime(): number {
  const [used] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
  return Number(used) / 1e6;
}

if (Bun.isMainThread) {
  const preload = [import.meta.path];
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, { ...options, preload } as WorkerOptions);
    }
  } as typeof Worker;
  let last = processorTime();
  setInterval(() => {
    const now = processorTime();
    if (now - last > SHORT) note(process.env.HOLDS, now - last);
    last = now;
  }, 1).unref();
}

function note(file: string | undefined, milliseconds: number): void {
  appendFileSync(file!, `${milliseconds.toFixed(1)}\n`);
}

type Method = (...args: unknown[]) => unknown;

/** Measures calls, and what they promise. */
function measured(method: Method): Method {
  return function (this: unknown, ...args) {
    const begun = performance.now();
    const ended = () => {
      const time = performance.now() - begun;
      if (time > SHORT_STATEMENT) note(process.env.STATEMENTS, time);
    };
    const result = method.apply(this, args);
    if (result instanceof Promise) result.then(ended, ended);
    else ended();
    return result;
  };
}

const watched = new WeakSet<object>();
const { prepare } = CachingSqliteFile.prototype;
CachingSqliteFile.prototype.prepare = function (this: CachingSqliteFile, text: string) {
  const statement = prepare.call(this, text) as unknown as Record<string, Method>;
  if (!watched.has(statement))
    for (const name of ["all", "get", "run"]) statement[name] = measured(statement[name]!);
  watched.add(statement);
  return statement as never;
};
const client = Client.prototype as unknown as Record<string, Method>;
client.query = measured(client.query!);
