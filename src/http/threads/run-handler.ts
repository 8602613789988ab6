import { ElysiaCustomStatusResponse } from "elysia";
import type { Database } from "../../../db/database.ts";
import { BufferedBody } from "../../buffered-body.ts";
import type { Clock } from "../../lib/clock.ts";
import { DomainError, InvalidInput } from "../../lib/errors.ts";
import type { Exchange } from "../context.ts";
import { packed } from "../errors.ts";
import type { Outcome, Task } from "./messages.ts";
import { handlerTools, type HandlerRun } from "../handler-tools.ts";

/** The handlers of the operations, by their ids. */
export type Handlers = ReadonlyMap<string, (context: never) => unknown>;

interface Place {
  handlers: Handlers;
  database: Pick<Database, "read" | "write">;
  clock: Clock;
  /** Collects the body of the response. */
  buffer(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<BufferedBody>;
}

/** Runs the handler of a task as the thread that answers would. */
export async function runHandler(
  task: Omit<Task, "file">,
  { handlers, database, clock, buffer }: Place,
): Promise<Outcome> {
  const { caller, now, params, query, body, origin } = task;
  const exchange = exchangeOf(task);
  const { request, row } = exchange;
  const set: Pick<HandlerRun, "headers"> = { headers: {} };
  const run: HandlerRun = { exchange, database, clock, caller, now, headers: set.headers };
  let answer: Outcome["answer"];
  try {
    const handler = handlers.get(task.operation.id);
    const value = await handler?.({
      ...handlerTools(run, { buffer }),
      ...{ exchange, request, set, params, query, body },
      dependencies: { database, clock, origin: () => origin },
    } as never);
    const isStatus = value instanceof ElysiaCustomStatusResponse;
    const result: unknown = isStatus ? value.response : value;
    const { content } = result instanceof BufferedBody ? result : await buffer(json(result));
    answer = { status: isStatus ? value.code : 200, headers: set.headers, content };
  } catch (error) {
    if (error instanceof InvalidInput || error instanceof DomainError)
      for (const id of error.patientIds) row.patientIds.add(id);
    answer = { error: packed(error) };
  }
  const { isDue, concernsAll, patientIds } = row;
  return { answer, row: { isDue, concernsAll, patientIds: [...patientIds] } };
}

function exchangeOf({
  request,
  requestId,
  route,
  operation,
  caller,
  params,
  query,
  body,
}: Omit<Task, "file">): Exchange {
  const { method, target, headers } = request;
  return {
    request: new Request(`http://localhost${target}`, { method, headers }),
    ...{ requestId, route },
    started: performance.now(),
    row: {
      ...{ isDue: true, caller, address: undefined, target: undefined },
      ...{ patientIds: new Set(), concernsAll: false },
    },
    operation: { ...operation, schemas: {}, values: { params, query, body } },
    ...{
      releaseSlot: undefined,
      releaseExport: undefined,
      releaseAnswer: undefined,
      isLogged: true,
    },
  };
}

/** The pieces of a text are somewhat longer than this, in characters. */
const PIECE = 64 * 1024;

/** A body as JSON. Its lists, which may be long, are written element by element: a text of all would double the memory. */
export function* json(body: unknown): Generator<Uint8Array> {
  let text = "{";
  for (const [name, value] of Object.entries(body as object)) {
    if (value === undefined) continue;
    text += `${text === "{" ? "" : ","}${JSON.stringify(name)}:`;
    if (!isIterable(value)) {
      text += JSON.stringify(value);
      continue;
    }
    let separator = "[";
    for (const element of value) {
      text += separator + JSON.stringify(element);
      separator = ",";
      if (text.length < PIECE) continue;
      yield Buffer.from(text);
      text = "";
    }
    text += separator === "[" ? "[]" : "]";
  }
  yield Buffer.from(`${text}}`);
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
