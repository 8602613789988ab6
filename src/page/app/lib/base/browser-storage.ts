/** What this browser keeps from one visit to the next. One that keeps nothing has never kept anything. */

export function keptInBrowser<Value>(key: string): Value | undefined {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? "null") as Value | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps a value; with null, none any more.
 *
 * @returns whether it is done: otherwise, it is not known the next time, and what was kept before still is.
 */
export function keepInBrowser(key: string, value: unknown): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
