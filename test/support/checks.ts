/** Named checks and a summary, for scripts that are too long or need too many privileges for `bun test`. */

let passed = 0;
let failed = 0;
let wanted = "";
let onFailure: ((behavior: string) => Promise<void>) | undefined;

/** From now on only checks with a text in their names are run. */
export function checkOnly(text: string): void {
  wanted = text;
}

/** Has something done while a check that has failed is still as it was left, such as a picture. */
export function atFailure(act: typeof onFailure): void {
  onFailure = act;
}

/** From now on no failure counts but those to come: what failed is tried once more. */
export function forgetFailures(): void {
  failed = 0;
}

/** Runs one check, and prints whether the named behaviour holds. */
export async function check(behavior: string, holds: () => unknown): Promise<void> {
  if (!behavior.includes(wanted)) return;
  try {
    await holds();
    passed += 1;
    console.log(`ok: ${behavior}`);
  } catch (error) {
    failed += 1;
    console.error(`FAILED: ${behavior}\n${error instanceof Error ? error.message : String(error)}`);
    await onFailure?.(behavior);
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
