/** The suite takes the same numbers each time, and `bun run test:random` takes new ones, which are worth more runs. */
const isRandom = process.env.TEST_SEED !== undefined;

/** The number of runs of a random test: of `count` with new numbers, a third in the suite. */
export function runs(count: number): number {
  return isRandom ? count : Math.ceil(count / 3);
}

/** The number of random requests of a test. */
export const RANDOM_REQUESTS = isRandom ? 1_000 : 300;
