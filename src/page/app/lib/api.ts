import { Failure } from "./failure.ts";
import { signedIn, signOut } from "./signed-in.ts";
import type { Me, PageOf } from "./wire.ts";

/** Requests to the API, and their failures. */

/** Query parameters; undefined and empty ones are omitted. */
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
 * Requests a path below `/api/v1` with the key of the signed-in person.
 *
 * @throws Failure without an answer or for an error. An invalid key is forgotten.
 */
export function get<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
  return exchange<Answer>(path, { signal });
}

/** Posts a body; otherwise as `get`. */
export function post<Answer>(path: string, body: unknown, signal: AbortSignal): Promise<Answer> {
  return exchange<Answer>(path, {
    signal,
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Imports lines of a practice file in one transaction, and returns the practice's sequence. */
export async function postLines(lines: readonly object[]): Promise<number> {
  const { sequence } = await exchange<{ sequence: number }>("practice-file", {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  return sequence;
}

/** A complete list as one page, with the other fields of its first page. */
export async function getWhole<Page extends PageOf<unknown>>(
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<Page> {
  const pageOf = (page: number): Promise<Page> =>
    get<Page>(withQuery(path, { ...query, page, pageSize: 100 }), signal);
  const first = await pageOf(1);
  const data = [...first.data];
  for (let page = 2; page <= first.pagination.totalPages; page += 1)
    data.push(...(await pageOf(page)).data);
  const totalCount = data.length;
  const pagination = { page: 1, pageSize: totalCount, totalCount, totalPages: 1 };
  return { ...first, data, pagination };
}

/** All elements of a list. */
export async function getAll<Item>(
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<Item[]> {
  return (await getWhole<PageOf<Item>>(path, query, signal)).data;
}

/**
 * Reads the key and its practice.
 *
 * @throws Failure if the API refuses the key, or without an answer.
 */
export async function askWhoseKey(key: string): Promise<Me> {
  return (await answerTo("me", {}, key)) as Me;
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

/** The message of an error, in any of the API's error shapes. */
function sentenceOf(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { error, message, validationErrors } = body as Refusal;
  if (validationErrors !== undefined)
    return validationErrors
      .map(({ path, message: said }) => {
        // The line number is omitted, since the person did not write a file.
        const field = path.filter((part, index) => index > 0 || typeof part === "string");
        return field.length === 0 ? said : `${field.join(".")}: ${said}`;
      })
      .join("; ");
  return error ?? message;
}
