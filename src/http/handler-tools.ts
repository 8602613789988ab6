import { type ElysiaCustomStatusResponse, status as withStatus } from "elysia";
import type { Database, Db } from "../../db/database.ts";
import type { BufferedBody } from "../buffered-body.ts";
import type { Caller } from "../callers/api-keys.ts";
import { readableBy } from "../callers/own-patients.ts";
import { recordEntry } from "../audit/trail.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant, type Instant } from "../lib/instant.ts";
import { patientsOf } from "../lib/patients.ts";
import { findSequence } from "../organizations/repository.ts";
import { noteWrite } from "../organizations/write-repository.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { auditEntry } from "./audit.ts";
import { requireSameCaller } from "./authentication.ts";
import { requireClient } from "./client-presence.ts";
import type { Exchange } from "./context.ts";
import { pathAndQuery } from "./paths.ts";
import {
  type Attempt,
  findResponse,
  idempotencyKeyOf,
  newAttempt,
  type RecordedResponse,
  recordResponse,
  requireRecipient,
} from "./idempotency.ts";

/** The context of a handler's run, in the thread that answers or in a worker. */
export interface HandlerRun {
  database: Pick<Database, "read" | "write">;
  clock: Clock;
  exchange: Exchange;
  caller: Caller;
  now: Instant;
  /** Those of the response. */
  headers: Record<string, string | number>;
}

/** How a thread answers. */
interface Answering {
  /** Collects a body that may be large, before its source is released. */
  buffer(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<BufferedBody>;
  /** Has a worker run the handler, whose response this is; undefined in a worker. */
  handOver?: (() => Promise<BufferedBody>) | undefined;
}

/** What `handOverIf` throws. */
class IsLong extends Error {}

/** What handlers work with, wherever they run. */
export function handlerTools(run: HandlerRun, { buffer, handOver }: Answering) {
  const { caller, now, exchange } = run;
  /** The result of work, or the response of a worker to which it was handed over. */
  const orHandedOver = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof IsLong) || handOver === undefined) throw error;
      return (await handOver()) as Result;
    }
  };
  return {
    caller,
    /** The current time, the same during the whole request. */
    now,
    /**
     * Names the patients whose data the handler returns or changes, for the audit trail: by their rows, and by the
     * filters that name a patient, since even an empty page discloses something about them.
     */
    shows: (...shown: Parameters<typeof patientsOf>) => {
      for (const id of patientsOf(...shown)) exchange.row.patientIds.add(id);
    },
    /** Says in the audit row what was done, behind the path: `5 recorded`. */
    did: (what: string) => {
      exchange.row.target = `${pathAndQuery(exchange.request.url)} ${what}`;
    },
    buffer,
    /** Runs read-only work on one snapshot. */
    read: <Body>(reading: (db: Db) => Promise<Body>): Promise<Body> =>
      orHandedOver(readWork(run, reading)),
    /** `read` of what is about no patient, so that everybody is shown all of it. */
    readOfPractice: <Body>(reading: (db: Db) => Promise<Body>): Promise<Body> =>
      readWork(run, reading, { ofPractice: true }),
    /**
     * For work that turns out to be long only while it runs: in `read`, whose result must be the response, or before
     * the transaction of `writeAlone`. It then begins again, in a worker.
     */
    handOverIf: (isLong: boolean): void => {
      if (isLong && handOver !== undefined) throw new IsLong();
    },
    /**
     * Runs work that changes data, in one transaction with its audit row and stored response. Replays the response of
     * a retry.
     *
     * @param lookFirst runs before the transaction, on a snapshot, for refusals that need no lock. Its result is passed
     * to `writing`, but may be outdated by then.
     */
    write: <const Status extends 200 | 201, Body, Basis = undefined>(
      status: Status,
      writing: (trx: Db, basis: Basis) => Promise<Body>,
      lookFirst?: (db: Db) => Promise<Basis>,
    ): Promise<ElysiaCustomStatusResponse<Status, Body>> =>
      writeWork(run, { status, writing, lookFirst }),
    /** `write` with a response that is secret: a retry with the same Idempotency-Key is another request. */
    writeSecret: <const Status extends 200 | 201, Body>(
      status: Status,
      writing: (trx: Db) => Promise<Body>,
    ): Promise<ElysiaCustomStatusResponse<Status, Body>> =>
      writeWork(run, { status, writing, isSecret: true }),
    /**
     * `write` in a transaction of its own.
     *
     * @param prepare runs before the transaction, and before a replay. Its result is passed to `writing`.
     */
    writeAlone: <const Status extends 200 | 201, Body, Prepared>(
      status: Status,
      prepare: () => Promise<Prepared>,
      writing: (trx: Db, prepared: Prepared) => Promise<Body>,
    ): Promise<ElysiaCustomStatusResponse<Status, Body>> =>
      orHandedOver(writeWork(run, { status, prepare, writing })),
  };
}

interface Writing<Status extends number, Body, Basis> {
  status: Status;
  writing(trx: Db, basis: Basis): Promise<Body>;
  lookFirst?: ((db: Db) => Promise<Basis>) | undefined;
  /** Whether the response is secret and never stored. The form of an Idempotency-Key is checked anyway. */
  isSecret?: true;
  /** For work that gets its own transaction, and sees the whole practice. */
  prepare?: () => Promise<Basis>;
}

type BodyWithStatus<Status extends number, Body> = ElysiaCustomStatusResponse<Status, Body>;

/** A concurrent request with the same key was answered first, so this one is rolled back. */
class RespondedMeanwhile extends Error {
  constructor(readonly recorded: RecordedResponse) {
    super("Another request with the same Idempotency-Key was answered");
  }
}

/**
 * Reads on one snapshot, of which a caller who sees own patients only is shown these: all that the handler of a read sees
 * of the database. For POSTs, only the syntax of the Idempotency-Key is checked.
 *
 * @param ofPractice whether every caller is shown all of it.
 */
async function readWork<Body>(
  run: HandlerRun,
  reading: (db: Db) => Promise<Body>,
  { ofPractice = false }: { ofPractice?: boolean } = {},
): Promise<Body> {
  attemptFor(run);
  // The client may have disconnected during authentication.
  requireClient(run.exchange.request);
  const { caller, now } = run;
  const isWhole = ofPractice || !caller.ownPatientsOnly;
  const [sequence, body] = await run.database.read(
    // Together: on PostgreSQL, both begin with the same round trip. The sequence is first, since after a statement that
    // fails, the next ones fail for that reason, and the response must have the first one's.
    (db) =>
      Promise.all([
        sequenceShown(run, db),
        isWhole ? reading(db) : readableBy(caller, db, now).then(reading),
      ]),
  );
  showSequence(run, sequence);
  return body;
}

/** The organization's sequence in a snapshot; undefined if the response does not show it. */
async function sequenceShown(
  { exchange, caller }: HandlerRun,
  db: Db,
): Promise<number | undefined> {
  if (exchange.operation?.showsSequence !== true) return undefined;
  const { organizationId } = caller;
  return (await findSequence(db, { organizationId }))?.sequence;
}

function showSequence({ headers }: HandlerRun, sequence: number | undefined): void {
  if (sequence !== undefined) headers[SEQUENCE.toLowerCase()] = String(sequence);
}

/** Writes in one transaction, or replays the response of an earlier attempt. */
async function writeWork<const Status extends number, Body, Basis>(
  run: HandlerRun,
  { status, writing, lookFirst, prepare, isSecret }: Writing<Status, Body, Basis>,
): Promise<BodyWithStatus<Status, Body>> {
  const { database, clock, exchange, caller } = run;
  const { request, row } = exchange;
  const wellFormed = attemptFor(run);
  const attempt = isSecret ? undefined : wellFormed;
  /** Of a practice file, whose lines are the caller's own, the whole practice is seen. */
  const seesAll = prepare !== undefined;
  const replayed = (recorded: RecordedResponse) => replay<Status, Body>(recorded, run);

  let basis: Basis | undefined;
  let recorded: RecordedResponse | undefined;
  if (attempt !== undefined || lookFirst !== undefined)
    recorded = await database.read(async (db) => {
      const earlier = attempt && (await findResponse(db, attempt));
      if (earlier === undefined) basis = await lookFirst?.(await readableBy(caller, db, run.now));
      else await requireSameCaller(request, db, { caller, now: toInstant(clock.now()) });
      return earlier;
    });
  // Also before a replay, which discloses the first response: it checks that the caller may write the file.
  if (prepare !== undefined) basis = await prepare();
  if (recorded !== undefined) {
    const earlier = recorded;
    await database.read((db) => requireRecipient(db, earlier, { caller, now: run.now, seesAll }));
    return replayed(earlier);
  }

  const transaction = database.write(
    async (trx) => {
      // The write may have waited for another program's lock.
      requireClient(request);
      const now = toInstant(clock.now());
      await requireSameCaller(request, trx, { caller, now });
      const recorded = attempt && (await findResponse(trx, attempt));
      if (recorded !== undefined) {
        await requireRecipient(trx, recorded, { caller, now, seesAll });
        throw new RespondedMeanwhile(recorded);
      }
      // The group commit may run this work a second time.
      row.patientIds.clear();
      const seen = prepare === undefined ? await readableBy(caller, trx, now) : trx;
      const body = await writing(seen, basis as Basis);
      const sequence = await sequenceShown(run, trx);
      if (attempt !== undefined) {
        const patientIds = [...row.patientIds];
        await recordResponse(trx, attempt, {
          ...{ status, body: JSON.stringify(body), patientIds, sequence },
        });
      }
      // Sent together and executed in order.
      await Promise.all([
        noteWrite(trx, { ...caller, time: now, operator: null }),
        recordEntry(trx, auditEntry(exchange, status, now)),
      ]);
      return { body, sequence };
    },
    { organizationId: caller.organizationId, isLong: prepare !== undefined },
  );
  try {
    const { body, sequence } = await transaction;
    row.isDue = false;
    showSequence(run, sequence);
    return withStatus(status, body) as BodyWithStatus<Status, Body>;
  } catch (error) {
    if (error instanceof RespondedMeanwhile) return replayed(error.recorded);
    throw error;
  }
}

/** The attempt of a request that can be retried (a POST with a body); undefined for others. */
function attemptFor({ exchange, caller, now }: HandlerRun): Attempt | undefined {
  const { request, operation } = exchange;
  if (request.method !== "POST") return undefined;
  const key = idempotencyKeyOf(request);
  // Without a body, nothing is stored: a repetition does the same again.
  if (key === undefined || operation?.bytes === undefined) return undefined;
  const { id: route, bytes: body, query } = operation;
  return newAttempt({ caller, route, key, now }, { body, query });
}

/** The stored response. It has the type of a new response, since the route is the same. */
function replay<Status extends number, Body>(
  { status, body, patientIds, sequence }: RecordedResponse,
  run: HandlerRun,
): BodyWithStatus<Status, Body> {
  for (const id of patientIds) run.exchange.row.patientIds.add(id);
  run.headers["idempotency-replayed"] = "true";
  showSequence(run, sequence);
  return withStatus(status, JSON.parse(body)) as unknown as BodyWithStatus<Status, Body>;
}
