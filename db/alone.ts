import { DatabaseInUse } from "./errors.ts";

/** How long to wait for programs that are starting, too, and the interval of attempts, in milliseconds. */
const TIMEOUT = 10_000;
const INTERVAL = 50;

/**
 * Does some work once a lock can be taken that excludes others.
 *
 * @param take throws DatabaseInUse while others have it.
 * @returns undefined if the work was no longer needed, since another program has done it.
 * @throws DatabaseInUse if others keep the lock.
 */
export async function whenAlone<Result>(
  take: () => void | Promise<void>,
  work: () => Promise<Result>,
  isNeeded: () => Promise<boolean>,
): Promise<Result | undefined> {
  const deadline = performance.now() + TIMEOUT;
  while (await isNeeded()) {
    try {
      await take();
    } catch (error) {
      if (!(error instanceof DatabaseInUse) || performance.now() >= deadline) throw error;
      await Bun.sleep(INTERVAL);
      continue;
    }
    return work();
  }
  return undefined;
}
