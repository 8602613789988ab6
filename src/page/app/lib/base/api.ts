import { foreignText, isOwnAnswer } from "./answer.ts";
import type { Instant } from "./dates.ts";
import { Failure, type Issue } from "./failure.ts";
import { labelOf } from "./labels.ts";
import { type Line, newId } from "./lines.ts";
import { plainText } from "./mistakes.ts";
import { idsByRequest, type Query, queryText } from "./query.ts";
import { revision } from "./revision.ts";
import { noteServerTime } from "./server-clock.ts";
import { identityOf, keptForPerson, signedIn, signOut } from "../sign-in/signed-in.ts";
import type { Me, PageOf } from "./wire.ts";

/** Requests to the API, and their failures. */

/** Requests that read something together. */
export interface Reading {
  /** Aborts them. */
  signal?: AbortSignal;
  /** That of the practice with their responses, the smallest of them; for writes that are based on them. */
  sequence?: number | undefined;
}

/** The path of a request below `/api/v1`, with its query. */
export function withQuery(path: string, query: Query): string {
  return path + queryText(query);
}

/**
 * Requests a path below `/api/v1` as the signed-in person.
 *
 * @throws Failure without a response or for an error. An invalid key is forgotten.
 */
export function get<Body>(path: string, reading?: Reading): Promise<Body> {
  return exchange<Body>(path, {}, reading);
}

/** A request with a body. */
function sending(method: string, body: string, mediaType = "application/json") {
  return { method, headers: { "Content-Type": mediaType }, body };
}

/** Posts a body to which nothing is written; otherwise as `get`. */
export function post<Body>(
  path: string,
  body: string,
  reading?: Reading,
  mediaType?: string,
): Promise<Body> {
  return exchange<Body>(path, sending("POST", body, mediaType), reading);
}

/** A record that was made, changed or deleted, with its last write. */
export interface ChangedLine extends Line {
  change: "CREATED" | "CHANGED" | "DELETED";
  changedAt: Instant | null;
  /** The name of a person, a key or an operator. */
  changedBy: string | null;
}

/** The records of some types that were made, changed or deleted since a day began. */
export function changesSince(
  since: string,
  types: readonly string[],
  reading?: Reading,
): Promise<ChangedLine[]> {
  return getLines({ since, changes: "true", types: types.join(",") }, reading);
}

/** Who made the last change of a record after a sequence, if that is known; for administrators. */
export async function lastWriter(
  type: string,
  id: string,
  after: number,
  reading?: Reading,
): Promise<string | null> {
  const lines = await getLines<ChangedLine>({ after, changes: "true", types: type }, reading);
  return lines.find(({ publicId }) => publicId === id)?.changedBy ?? null;
}

/** The records of a type with some ids, as a practice file has them; ids that are not there are left out. */
export async function readRecords<Kind extends Line>(
  type: string,
  ids: readonly string[],
  reading?: Reading,
): Promise<Kind[]> {
  const lines: Kind[] = [];
  for (const some of idsByRequest(ids))
    lines.push(...(await getLines<Kind>({ types: type, ids: some.join() }, reading)));
  return lines;
}

/** A record as a practice file has it; undefined if it is gone. */
export async function readRecord(
  type: string,
  id: string,
  reading?: Reading,
): Promise<Line | undefined> {
  return (await readRecords(type, [id], reading))[0];
}

/** The practice's own record, and behind it all of some types. */
export function readPractice(types: readonly string[], reading?: Reading): Promise<Line[]> {
  return getFile({ types: types.join(",") }, reading);
}

let earlier: Promise<unknown> = Promise.resolve();

/** A practice file. One after the other: a practice has few exports at a time. */
async function getFile<Kind extends Line>(query: Query, reading?: Reading): Promise<Kind[]> {
  const own = earlier.then(() => exchange<string>(withQuery("practice-file", query), {}, reading));
  earlier = own.catch(() => {});
  const text = await own;
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Kind);
}

/** The records without the practice's own. */
async function getLines<Kind extends Line>(query: Query, reading?: Reading): Promise<Kind[]> {
  return (await getFile<Kind>(query, reading)).slice(1);
}

/** A write of which the API has not told yet what became of it. */
interface Attempt {
  /** With the sequence on which it is based, as it was first sent. */
  path: string;
  key: string;
  begunAt: number;
  isSent: boolean;
}

/** By what is written. */
const attempts = new Map<string, Attempt>();
keptForPerson(() => attempts.clear());

/** How long the same write is the same attempt, in milliseconds. */
const ATTEMPT_TIME = 10 * 60_000;

/** Delay before a write without an answer is sent once more, in milliseconds. */
const AGAIN_AFTER = 1_000;

const UNKNOWN = "It is not known whether this was written. Do it again: it is written once.";

/** Whether it is not known what became of a write. */
function isUnknown(error: unknown): error is Failure {
  return error instanceof Failure && error.status === undefined;
}

/**
 * Sends a write until the API has told what became of it: once more by itself, and then whenever the person does the same
 * again, perhaps after a lock. Then all views reload, and nothing that was kept of answers counts any more.
 *
 * @param name what makes it the same write.
 * @param send sends it; `isAgain` if it may have been written already.
 */
async function writeOnce<Body>(
  name: string,
  path: string,
  send: (attempt: Attempt, isAgain: boolean) => Promise<Body>,
): Promise<Body> {
  const caller = whoAsks();
  const now = performance.now();
  const earlier = attempts.get(name);
  const attempt =
    earlier !== undefined && now - earlier.begunAt < ATTEMPT_TIME
      ? earlier
      : { path, key: newId(), begunAt: now, isSent: false };
  attempts.set(name, attempt);
  const tryIt = (): Promise<Body> => {
    const isAgain = attempt.isSent;
    attempt.isSent = true;
    return send(attempt, isAgain);
  };
  const mayTryAgain = (error: unknown): error is Failure =>
    isUnknown(error) && signedIn.value === caller;
  try {
    const response = await tryIt().catch(async (error: unknown) => {
      if (mayTryAgain(error)) await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER));
      if (!mayTryAgain(error)) throw error;
      return tryIt();
    });
    attempts.delete(name);
    revision.value += 1;
    return response;
  } catch (error) {
    if (mayTryAgain(error)) throw new Failure(`${error.message} ${UNKNOWN}`);
    if (!isUnknown(error)) attempts.delete(name);
    throw error;
  }
}

/** What the API says of what is not there any more. */
const GONE = [404, 410];

/**
 * Removes what a path names. What is not there when it is asked for again was removed.
 *
 * @throws Failure as `get`.
 */
export async function remove(path: string): Promise<void> {
  await writeOnce(`DELETE ${path}`, path, (_, isAgain) =>
    exchange(path, { method: "DELETE" }).catch((error: unknown) => {
      if (!isAgain || !(error instanceof Failure) || !GONE.includes(error.status ?? 0)) throw error;
    }),
  );
}

/**
 * Posts what is to be written. The same, sent again because the API had not answered, is written once.
 *
 * @throws Failure as `get`.
 */
export async function postOnce<Body>(
  path: string,
  body: string,
  mediaType?: string,
): Promise<Body> {
  const [route] = path.split("?");
  const request = sending("POST", body, mediaType);
  return writeOnce(`${route} ${body}`, path, (attempt) => {
    const headers = { ...request.headers, "Idempotency-Key": attempt.key };
    return exchange<Body>(attempt.path, { ...request, headers });
  });
}

/**
 * Changes fields of what a path names, unless somebody else has changed it since.
 *
 * @returns the sequence after it.
 * @throws Failure as `get`; with the status 412 if somebody else has.
 */
export function patch(
  path: string,
  fields: object,
  since: number | undefined,
): Promise<number | undefined> {
  const body = JSON.stringify(fields);
  return writeOnce(
    `PATCH ${path} ${body}`,
    withQuery(path, { unchangedSince: since }),
    async (attempt) => {
      const reading: Reading = {};
      await exchange(attempt.path, sending("PATCH", body), reading);
      return reading.sequence;
    },
  );
}

/**
 * Sends what was recorded, or removes it; the same may be sent again. No view reloads.
 *
 * @throws Failure as `get`.
 */
export function record<Body>(
  path: string,
  method: "POST" | "DELETE",
  body?: object,
): Promise<Body> {
  return exchange<Body>(path, body ? sending(method, JSON.stringify(body)) : { method });
}

/** Posts without a body, which may be done twice; otherwise as `get`. */
export function postNothing<Body>(path: string): Promise<Body> {
  return writeOnce(path, path, () => exchange<Body>(path, { method: "POST" }));
}

/** A complete list as one page, with the other fields of its first page. */
export async function getWhole<Page extends PageOf<unknown>>(
  path: string,
  query: Query,
  reading?: Reading,
): Promise<Page> {
  const pageOf = (page: number): Promise<Page> =>
    get<Page>(withQuery(path, { ...query, page, pageSize: 100 }), reading);
  const first = await pageOf(1);
  const data = [...first.data];
  for (let page = 2; page <= first.pagination.totalPages; page += 1)
    data.push(...(await pageOf(page)).data);
  const totalCount = data.length;
  const pagination = { page: 1, pageSize: totalCount, totalCount, totalPages: 1 };
  return { ...first, data, pagination };
}

/** All elements of a list. */
export async function getAll<Item>(path: string, query: Query, reading?: Reading): Promise<Item[]> {
  return (await getWhole<PageOf<Item>>(path, query, reading)).data;
}

/**
 * Reads whose a key is, or without one who is signed in on this browser, and their practice.
 *
 * @throws Failure if the API refuses the key, if nobody is signed in, or without a response.
 */
export async function askWho(key?: string): Promise<Me> {
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  return (await responseOf("api/v1/me", { headers })) as Me;
}

/** What the API says of a sign-in that was not used for a while. */
const LOCKED = "Sign-in is locked";

const NOBODY = "Nobody is signed in.";

function whoAsks() {
  if (signedIn.value === undefined) throw new Failure(NOBODY);
  return signedIn.value;
}

async function exchange<Body>(
  path: string,
  request: RequestInit,
  reading?: Reading,
): Promise<Body> {
  const caller = whoAsks();
  try {
    const headers = new Headers(request.headers);
    if (caller.key !== undefined) headers.set("Authorization", `Bearer ${caller.key}`);
    // Somebody else may have signed in in another tab of this browser.
    else headers.set("Caseload-User", identityOf(caller.me));
    const body = await responseOf(`api/v1/${path}`, { ...request, headers }, reading);
    // What comes after the sign-in has ended is shown to nobody.
    if (signedIn.value !== caller) throw new Failure(NOBODY);
    return body as Body;
  } catch (error) {
    if (error instanceof Failure && error.status === 401 && signedIn.value === caller)
      signOut(error.message === LOCKED ? "locked" : error);
    throw error;
  }
}

/** How long an answer may take, in milliseconds. */
const READING_TIME = 30_000;
const WRITING_TIME = 60_000;

/** As slow as a connection may be on which something large is sent, in bytes a millisecond. */
const SLOWEST = 20;

function answerTime({ method = "GET", body }: RequestInit): number {
  if (method === "GET") return READING_TIME;
  return WRITING_TIME + (typeof body === "string" ? body.length / SLOWEST : 0);
}

/**
 * Sends a request, relative to this page.
 *
 * @throws Failure for an error; without a status where the API has not answered.
 */
export async function responseOf(
  path: string,
  request: RequestInit,
  reading: Reading = {},
): Promise<unknown> {
  const tooLong = AbortSignal.timeout(answerTime(request));
  const signal = reading.signal ? AbortSignal.any([reading.signal, tooLong]) : tooLong;
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(path, { ...request, signal, cache: "no-store" });
    noteServerTime(response.headers.get("Date"));
    const isLines = response.headers.get("Content-Type")?.startsWith("application/x-ndjson");
    body = await (isLines ? response.text() : response.json()).catch((error: unknown) => {
      if (signal.aborted) throw error;
    });
  } catch (error) {
    if (reading.signal?.aborted) throw error;
    throw new Failure(
      tooLong.aborted ? "The server does not answer." : "The server cannot be reached.",
    );
  }
  const { status, ok, headers } = response;
  const requestId = headers.get("X-Request-Id");
  if (!isOwnAnswer({ status, requestId, body }))
    throw new Failure(foreignText(status, body === undefined && !isHtml(headers)));
  noteSequence(reading, headers.get("Caseload-Sequence"));
  if (ok) return body;
  const { validationErrors: issues = [], reason } = body as Refusal;
  throw new Failure(sentenceOf(body as Refusal), status, {
    ...{ requestId: requestId ?? undefined, issues, reason },
  });
}

function isHtml(headers: Headers): boolean {
  return headers.get("Content-Type")?.startsWith("text/html") === true;
}

function noteSequence(reading: Reading, header: string | null): void {
  if (header !== null) reading.sequence = Math.min(Number(header), reading.sequence ?? Infinity);
}

interface Refusal {
  error?: string;
  message?: string;
  validationErrors?: Issue[];
  reason?: string;
}

/** The message of an error, in any of the API's error shapes. */
function sentenceOf({ error, message, validationErrors = [] }: Refusal): string {
  if (validationErrors.length > 0) return validationErrors.map(issueText).join("; ");
  return error ?? message ?? "The server refused this.";
}

/** What is wrong, with the name of the field: without the number of a line, since the person did not write a file. */
function issueText(issue: Issue): string {
  const { path, message } = issue;
  if (typeof path[0] !== "number")
    return path.length === 0 ? message : `${path.join(".")}: ${message}`;
  const field = path.findLast((part) => typeof part === "string");
  const text = plainText(issue);
  return field === undefined ? text : `${labelOf(field)}: ${text}`;
}
