/** Named checks and a summary, for scripts that are too long or need too many privileges for `bun test`. */

let passed = 0;
let failed = 0;

/** Runs one check, and prints whether the named behaviour holds. */
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

/** @throws Error with both values if they differ. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!Bun.deepEquals(actual, expected))
    throw new Error(`Expected ${JSON.stringify(expected)}\nReceived ${JSON.stringify(actual)}`);
}

/** Prints the summary, and sets the exit status. */
export function printSum(): void {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
