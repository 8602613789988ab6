/** What the scripts have that are too long or too privileged for `bun test`: named checks, and their sum. */

let passed = 0;
let failed = 0;

/** Runs one check, and says whether the behaviour that it names holds. */
export async function check(behavior: string, holds: () => unknown): Promise<void> {
  try {
    await holds();
    passed += 1;
    console.log(`ok: ${behavior}`);
  } catch (error) {
    failed += 1;
    console.error(`FAILED: ${behavior}\n${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @throws Error that shows both values where they differ. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!Bun.deepEquals(actual, expected))
    throw new Error(`Expected ${JSON.stringify(expected)}\nReceived ${JSON.stringify(actual)}`);
}

/** Prints the sum, and makes it the exit status. */
export function printSum(): void {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
