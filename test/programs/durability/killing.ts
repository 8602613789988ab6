import { newWrite, type Practice, send, type Write } from "./practice.ts";
import { startServerProcess } from "./server.ts";

/** Servers that are killed while many clients write. The clients then retry. */

const CLIENTS = 16;

/** The maximum delay of a kill in milliseconds: the time of a few commits. */
const LAST_MOMENTS = 5;

/** A write and its outcome for the client. */
export interface Attempt {
  write: Write;
  /** The first complete response. */
  answer: { status: number; text: string } | undefined;
  /** The id of the request that was executed. */
  writtenBy: string | undefined;
}

interface Round {
  /** Writes whose first request was answered before the kill. */
  acknowledged: Attempt[];
  /** Writes whose request was interrupted. */
  unanswered: Attempt[];
}

/** The outcome of all rounds. */
export interface Outcome {
  attempts: Attempt[];
  acknowledged: number;
  unanswered: number;
  /** The number of unanswered writes that had been committed. */
  committed: number;
}

/**
 * Kills servers with the same database file until this number of writes has been acknowledged.
 *
 * @throws Error for an acknowledged write that the next server does not know or refuses.
 */
export async function runRounds(
  practice: Practice,
  rounds: number,
  writes: number,
): Promise<Outcome> {
  const outcome: Outcome = { attempts: [], acknowledged: 0, unanswered: 0, committed: 0 };
  for (let left = rounds; left > 0; left -= 1) {
    // Rounds have different numbers of writes. The last rounds make up the difference.
    const share = (writes - outcome.acknowledged) / left;
    const goal = Math.max(1, Math.ceil(left === 1 ? share : share * (0.5 + Math.random())));
    const round = await runRound(practice, goal);
    outcome.attempts.push(...round.acknowledged, ...round.unanswered);
    outcome.acknowledged += round.acknowledged.length;
    outcome.unanswered += round.unanswered.length;
    outcome.committed += await retryRound(practice, round);
  }
  return outcome;
}

/**
 * Starts a server, lets clients write until a number of writes is acknowledged and for a random
 * time longer, and kills it.
 */
async function runRound(practice: Practice, goal: number): Promise<Round> {
  const server = await startServerProcess(practice.path);
  const round: Round = { acknowledged: [], unanswered: [] };
  let isKilled = false;
  const client = async (): Promise<void> => {
    while (!isKilled) {
      const attempt: Attempt = { write: newWrite(), answer: undefined, writtenBy: undefined };
      const { id } = attempt.write;
      try {
        const response = await send(server.url, practice.key, attempt.write, id);
        attempt.answer = { status: response.status, text: await response.text() };
      } catch {
        round.unanswered.push(attempt);
        return;
      }
      if (!isWritten(attempt)) throw new Error(`${id} was answered ${attempt.answer.text}`);
      attempt.writtenBy = id;
      round.acknowledged.push(attempt);
      if (round.acknowledged.length === goal)
        setTimeout(() => {
          isKilled = true;
          server.process.kill("SIGKILL");
        }, LAST_MOMENTS * Math.random());
    }
  };
  try {
    await Promise.all(Array.from({ length: CLIENTS }, client));
  } finally {
    server.process.kill("SIGKILL");
    await server.process.exited;
  }
  return round;
}

/**
 * Sends every write of a round to a new server again. Acknowledged ones must get the first
 * response. The others must be executed now unless they were committed.
 *
 * @returns the number of unanswered writes that had been committed.
 */
async function retryRound(
  practice: Practice,
  { acknowledged, unanswered }: Round,
): Promise<number> {
  const server = await startServerProcess(practice.path);
  const open = [...acknowledged, ...unanswered];
  let wereWritten = 0;
  const client = async (): Promise<void> => {
    for (let attempt = open.pop(); attempt !== undefined; attempt = open.pop())
      if (await retry(server.url, practice, attempt)) wereWritten += 1;
  };
  try {
    await Promise.all(Array.from({ length: CLIENTS }, client));
  } finally {
    server.process.kill();
    await server.process.exited;
  }
  return wereWritten;
}

/** @returns whether the first request was committed although it was not answered. */
async function retry(url: string, practice: Practice, attempt: Attempt): Promise<boolean> {
  const { write } = attempt;
  const requestId = `${write.id}-again`;
  const response = await send(url, practice.key, write, requestId);
  const answer = { status: response.status, text: await response.text() };
  const isReplay = response.headers.get("Idempotency-Replayed") === "true";
  if (attempt.answer === undefined) {
    attempt.answer = answer;
    attempt.writtenBy = isReplay ? write.id : requestId;
    if (!isWritten(attempt))
      throw new Error(`The retry of ${write.id} was answered ${answer.text}`);
    return isReplay;
  }
  if (!isReplay || !Bun.deepEquals(answer, attempt.answer))
    throw new Error(
      `${write.id} was answered ${attempt.answer.text}, and its retry ${response.status} ${answer.text}`,
    );
  return false;
}

function isWritten({ write, answer }: Attempt): boolean {
  return answer?.status === (write.path === "/api/v1/users" ? 200 : 201);
}
