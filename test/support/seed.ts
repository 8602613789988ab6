import fc from "fast-check";

/**
 * Random tests take the same numbers in every run, so that a failure is a change's own. `bun run test:random` runs
 * them with other numbers; `TEST_SEED` repeats one of its runs.
 */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });
