import { newWrite, type Practice, send, type Write } from "./practice.ts";
import { startServerProcess } from "./server.ts";

/** Servers that are killed while many clients write, and what the clients do then: they ask again. */

const CLIENTS = 16;

/** How long a server lives on after it was to be killed, at most, in milliseconds: a few commits. */
const LAST_MOMENTS = 5;

/** A write, and how a client fared with it. */
export interface Attempt {
  write: Write;
  /** The first whole answer. */
  answer: { status: number; text: string } | undefined;
  /** The id of the request that wrote. */
  writtenBy: string | undefined;
}

interface Round {
  /** Writes whose first request was answered before the kill. */
  acknowledged: Attempt[];
  /** Writes whose request was cut off. */
  unanswered: Attempt[];
}

/** What came of all rounds. */
export interface Outcome {
  attempts: Attempt[];
  acknowledged: number;
  unanswered: number;
  /** How many of the unanswered writes had been committed. */
  committed: number;
}

/**
 * Kills servers over one database file, until clients have had this many writes acknowledged by them.
 *
 * @throws Error for a write that was acknowledged and is not known to the next server, or was refused.
 */
export async function runRounds(
  practice: Practice,
  rounds: number,
  writes: number,
): Promise<Outcome> {
  const outcome: Outcome = { attempts: [], acknowledged: 0, unanswered: 0, committed: 0 };
  for (let left = rounds; left > 0; left -= 1) {
    // Some kills come after more writes than others, and the last rounds make up for it.
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
 * Starts a server, lets clients write until some writes are acknowledged and a random moment longer, and kills
 * it.
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
 * Asks a new server again for every write of a round: those that were acknowledged must be answered as before,
 * and the others be written now unless they were.
 *
 * @returns how many of the unanswered ones had been written.
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

/** @returns whether the first request had written although it got no answer. */
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
