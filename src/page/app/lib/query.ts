/** Query parameters; undefined, null and empty ones are omitted. */
export type Query = Record<string, string | number | null | undefined>;

/** `?page=2&sort=share`, or nothing. */
export function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== "") parameters.set(name, String(value));
  return parameters.size === 0 ? "" : `?${parameters}`;
}
