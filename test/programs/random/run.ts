import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { Glob } from "bun";

/**
 * Runs the random tests with new numbers, again and again: `bun run test:random [--minutes 1]`. A bug that one seed in
 * a hundred shows is found by some three hundred runs, which the workflow of every night has time for.
 */

const { values } = parseArgs({ options: { minutes: { type: "string", default: "1" } } });
const end = performance.now() + Number(values.minutes) * 60_000;

const paths = await Array.fromAsync(new Glob("test/**/*.test.ts").scan("."));
const texts = await Promise.all(paths.map((path) => Bun.file(path).text()));
/** Tests that use fast-check, themselves or by what they import from `support`. */
const randomTests = paths.filter((_, index) =>
  /fast-check|support\/fuzz|random-lines/.test(texts[index] ?? ""),
);

let passed = 0;
let failed = 0;
do {
  const TEST_SEED = String(randomInt(2 ** 31));
  const run = Bun.spawn(
    ["bun", "test", "--parallel", "--no-isolate", "--timeout", "120000", ...randomTests],
    { env: { ...process.env, TEST_SEED }, stdout: "pipe", stderr: "pipe" },
  );
  const outputs = [new Response(run.stdout).text(), new Response(run.stderr).text()];
  const output = (await Promise.all(outputs)).join("");
  if ((await run.exited) === 0) passed += 1;
  else {
    failed += 1;
    console.log(output.replaceAll(/^\(pass\).*\n/gm, ""));
    console.log(`FAILED: repeat it with TEST_SEED=${TEST_SEED} bun test`);
  }
} while (performance.now() < end);

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
