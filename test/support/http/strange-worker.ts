import { sql } from "kysely";
import type { Db } from "../../../db/database.ts";
import type { handlerTools } from "../../../src/http/handler-tools.ts";
import { answerTasks } from "../../../src/http/threads/thread.ts";
import { NO_ORGANIZATION } from "../../../db/database.ts";

/** A worker with handlers that take long, crash, or say where they run. `query.do` says what `listFindings` does. */

declare const self: Worker;

type Context = ReturnType<typeof handlerTools> & {
  query: { do: string };
  dependencies: {
    clock: { now(): number };
    database: { write(work: (trx: Db) => Promise<unknown>, options: object): Promise<unknown> };
  };
};

process.env.TZ = "UTC";

const block = (milliseconds: number) => {
  for (const start = performance.now(); performance.now() - start < milliseconds;);
};

/** Changes the name of all organizations, and takes some time before it ends. */
const rename = ({ dependencies: { database } }: Context, milliseconds: number) =>
  database.write(async (trx) => {
    await sql`update organizations set name = 'Renamed'`.execute(trx);
    block(milliseconds);
  }, NO_ORGANIZATION);

/** As on a busy machine, another thread goes on before this one has ended its turn. */
function answerSlowly(): void {
  const post: (...message: never[]) => void = self.postMessage.bind(self);
  self.postMessage = (...message: unknown[]) => {
    post(...(message as never[]));
    block(50);
  };
}

const acts: Record<string, (context: Context) => unknown> = {
  answer: () => ({ answered: true }),
  "a code": () => ({ code: 404, response: "none" }),
  large: () => ({ list: Array.from({ length: 300_000 }, (_, i) => ({ i })) }),
  forever: () => block(Number.POSITIVE_INFINITY),
  throw: () => {
    throw Object.assign(new RangeError("Ana Ruiz is secret"), { code: "E_TEST" });
  },
  "throw elsewhere": () =>
    new Promise(() => {
      setTimeout(() => {
        throw new Error("Ana Ruiz is secret");
      });
    }),
  "no memory": () => new Uint8Array(2 ** 50),
  exit: () => process.exit(3),
  "read forever": ({ read }) =>
    read((db) =>
      sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 15000000)
        select max(i) from n`.execute(db),
    ),
  "names, answered slowly": async ({ read }) => {
    answerSlowly();
    const { rows } = await read((db) => sql<object>`select name from organizations`.execute(db));
    return { rows };
  },
  "rename, then wait": async (context) => {
    await rename(context, 0);
    block(2_500);
    return { renamed: true };
  },
  "rename slowly": (context) => rename(context, 1_000),
  "rename forever": (context) => rename(context, Number.POSITIVE_INFINITY),
  clock: ({ dependencies: { clock } }) => {
    const before = clock.now();
    while (clock.now() === before);
    return { before, after: clock.now(), offset: new Date(0).getTimezoneOffset() };
  },
};

answerTasks(
  new Map([
    ["listFindings", async (context: Context) => (await acts[context.query.do]?.(context)) ?? {}],
  ]),
);
