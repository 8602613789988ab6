import { setImmediate } from "node:timers/promises";
import { connectAgain } from "../../../db/connect.ts";
import { writeBody } from "../../buffered-body.ts";
import type { Database, OpenDatabase } from "../../../db/database.ts";
import {
  type FromWorker,
  phases,
  type Task,
  type ToWorker,
  wholeBuffers,
  type WorkerSetup,
} from "./messages.ts";
import { type Handlers, runHandler } from "./run-handler.ts";
import { SharedClock, systemClock } from "../../lib/clock.ts";

/** What a worker does: it answers requests that were authorized and validated, one at a time. */

declare const self: Worker;

/** Answers the tasks that this thread, a worker, is sent. */
export function answerTasks(handlers: Handlers): void {
  self.onmessage = async ({ data }: MessageEvent<ToWorker>): Promise<void> => {
    if ("setup" in data) setup = data.setup;
    else {
      clearTimeout(resting);
      const outcome = await runHandler(data.task, { handlers, ...place(data.task) });
      // What was read lasts to the end of the turn. The next task may come behind a write, and must see it.
      await setImmediate();
      send({ outcome });
      resting = setTimeout(() => Bun.gc(true), RESTING_TIME);
    }
  };
}

/** After this time without a task, a worker frees the memory of the last ones, in milliseconds. */
const RESTING_TIME = 100;
let resting: Timer | undefined;

let setup: WorkerSetup;
let opened: Promise<OpenDatabase> | undefined;

function send(message: FromWorker): void {
  const answer = "outcome" in message ? message.outcome.answer : undefined;
  const memory = answer !== undefined && "content" in answer ? answer.content.memory : [];
  self.postMessage(message, wholeBuffers(memory));
}

function place({ file }: Task) {
  const clock = setup.clock === undefined ? systemClock : new SharedClock(setup.clock);
  return {
    ...{ clock, database: theDatabase() },
    buffer: (pieces: Parameters<typeof writeBody>[0]) => writeBody(pieces, file),
  };
}

/** The database, opened by the first task. Its lock is taken as any other program would. */
function theDatabase(): Pick<Database, "read" | "write"> {
  const open = () => {
    opened ??= connectAgain(setup.source);
    opened.catch(() => (opened = undefined));
    return opened;
  };
  return {
    read: async (work) => (await open()).read(work),
    async write(work, options) {
      const database = await open();
      return database.write(
        async (trx) => {
          send({ hasLock: true });
          const result = await work(trx);
          beginCommit();
          return result;
        },
        { ...options, isLong: true },
      );
    },
  };
}

/** @throws Error if this thread is about to be ended. */
function beginCommit(): void {
  const phase = new Int32Array(setup.phase);
  const before = Atomics.compareExchange(phase, 0, phases.running, phases.committing);
  if (before === phases.ended) throw new Error("The task was ended");
}
