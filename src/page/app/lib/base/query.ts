/** Query parameters; undefined, null and empty ones are omitted. */
export type Query = Record<string, string | number | null | undefined>;

/** `?page=2&sort=share`, or nothing. */
export function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== "") parameters.set(name, String(value));
  return parameters.size === 0 ? "" : `?${parameters}`;
}

/** A page behind the last: whoever asks for counts or totals alone looks at no record, and the trail names nobody. */
export const NO_RECORDS = { page: 1_000_000, pageSize: 1 };

/** The most ids of one request, and their length together: a request line has at most 8 KiB. */
const MAX_IDS = 100;
const MAX_LENGTH = 6_000;

/** Ids in the order in which they are asked for, as many at a time as a request takes. */
export function idsByRequest(ids: readonly string[]): string[][] {
  const requests: string[][] = [];
  let length = 0;
  for (const id of ids) {
    const last = requests.at(-1);
    length += id.length + 1;
    if (last !== undefined && last.length < MAX_IDS && length <= MAX_LENGTH) last.push(id);
    else {
      requests.push([id]);
      length = id.length + 1;
    }
  }
  return requests;
}
