/** How the tools ask the API. */

/** A refusal, in words for the model that called the tool. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export type Query = Record<string, string | number | undefined>;

/** The API with the caller's key, and the time. Its methods throw `Refused` unless a response is successful. */
export interface Api {
  get<Body>(path: string, query?: Query): Promise<Body>;
  post<Body>(path: string, body: object): Promise<Body>;
  /** In epoch milliseconds. */
  now(): number;
}

/** Makes a path of the API, with the parameters that have a value. */
export function pathOf(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value));
  return `/api/v1/${path}${parameters.size === 0 ? "" : `?${parameters}`}`;
}

export interface ErrorBody {
  error?: string;
  validationErrors?: { message: string; path: (string | number)[] }[];
}

/** An error of the API as `STATUS: field: message`, a line for each field. */
export function refusal(status: number, { error, validationErrors }: ErrorBody): Refused {
  const lines = validationErrors?.map(({ path, message }) => [...path, message].join(": "));
  return new Refused(status, (lines ?? [error]).map((line) => `${status}: ${line}`).join("\n"));
}
