import { signedIn, signOut } from "./signed-in.ts";

/** Requests to the API, and what became of those that failed. */

/** A request that the API refused, or that did not reach it. */
export class Failure extends Error {
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;

  constructor(sentence: string, status?: number, requestId?: string) {
    super(sentence);
    this.status = status;
    this.requestId = requestId;
  }
}

export interface PageOf<Item> {
  data: Item[];
  pagination: { page: number; pageSize: number; totalCount: number; totalPages: number };
}

/** Parameters of a query; those that are undefined or empty are left out. */
export type Query = Record<string, string | number | undefined>;

/** The path of a request below `/api/v1`, with its query. */
export function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
}

/**
 * The answer to a GET of a path below `/api/v1`, with the key of who is signed in.
 *
 * @throws Failure where there is no answer, or one that refuses. A key that is no longer taken is forgotten.
 */
export function get<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
  return exchange<Answer>(path, { signal });
}

/** The answer to a POST of a body, as `get`. */
export function post<Answer>(path: string, body: unknown, signal: AbortSignal): Promise<Answer> {
  return exchange<Answer>(path, {
    signal,
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Every element of a list, page by page. */
export async function getAll<Item>(
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await get<PageOf<Item>>(
      withQuery(path, { ...query, page, pageSize: 100 }),
      signal,
    );
    items.push(...answer.data);
    pages = answer.pagination.totalPages;
  }
  return items;
}

/**
 * Asks whether a key is one that the API takes.
 *
 * @throws Failure where it is not, or where no answer comes.
 */
export async function checkKey(key: string): Promise<void> {
  await answerTo("specializations?pageSize=1", {}, key);
}

async function exchange<Answer>(path: string, request: RequestInit): Promise<Answer> {
  const caller = signedIn.value;
  if (caller === undefined) throw new Failure("Nobody is signed in.");
  try {
    return (await answerTo(path, request, caller.key)) as Answer;
  } catch (error) {
    if (error instanceof Failure && error.status === 401 && signedIn.value === caller)
      signOut(error);
    throw error;
  }
}

async function answerTo(path: string, request: RequestInit, key: string): Promise<unknown> {
  const headers = new Headers(request.headers);
  headers.set("Authorization", `Bearer ${key}`);
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`api/v1/${path}`, { ...request, headers, cache: "no-store" });
    body = await response.json().catch(() => undefined);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Failure("The server cannot be reached.");
  }
  if (response.ok && body !== undefined) return body;
  const requestId = response.headers.get("X-Request-Id") ?? undefined;
  throw new Failure(
    sentenceOf(body) ?? `The server answered ${response.status}.`,
    response.status,
    requestId,
  );
}

interface Refusal {
  error?: string;
  message?: string;
  validationErrors?: { message: string; path: (string | number)[] }[];
}

/** What a refusal says, in its own words: one of the shapes that the API's errors have. */
function sentenceOf(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { error, message, validationErrors } = body as Refusal;
  if (validationErrors !== undefined)
    return validationErrors.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
  return error ?? message;
}
