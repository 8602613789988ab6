import type { TSchema } from "@sinclair/typebox";
import { Command, Option } from "@commander-js/extra-typings";
import type { Db } from "../../db/database.ts";
import { api, handlers } from "../app.ts";
import { ALL_PATIENTS, namedPatients } from "../audit/chain.ts";
import { BufferedBody, bufferBody } from "../buffered-body.ts";
import type { Caller } from "../callers/api-keys.ts";
import { ConfigurationError } from "../config.ts";
import { type DeclaredRoute, declaredRoutes } from "../http/document/openapi.ts";
import { statusOf, toApiError, unpacked } from "../http/errors.ts";
import { readUrl } from "../http/input.ts";
import type { Outcome } from "../http/threads/messages.ts";
import { runHandler } from "../http/threads/run-handler.ts";
import { CommandError } from "../lib/command-error.ts";
import { InvalidInput } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import { linesOf } from "../practice-file/lines.ts";
import type { CommandContext, DatabaseContext, FlagsOf } from "./context.ts";
import { onDatabase } from "./database.ts";
import { organizationOf } from "./organization.ts";
import { countOf } from "./output.ts";
import { record } from "./recording.ts";
import {
  type Body,
  chosenColumns,
  csvOf,
  jsonOf,
  rowsOf,
  shapeOf,
  Table,
} from "./response-rows.ts";
import { printablePieces, writePieces } from "./standard-output.ts";

const declared = () =>
  new Command("get")
    .description("print what the API answers, such as: caseload get checks check=RENEWAL_DUE")
    .argument("<path>", "below /api/v1, such as delivery or authorization-utilization/auth_1")
    .argument("[parameters...]", "those of the operation, such as month=2027-01")
    .option("--organization <id>", "needed if there are several organizations")
    .addOption(new Option("--json", "as JSON").conflicts(["csv", "columns"]))
    .option("--csv", "as CSV, for a spreadsheet")
    .option("--columns <names>", "only these columns, separated by commas", (text) =>
      text.split(","),
    )
    .option("--fail", "exit with status 1 if there is anything in the list");

export type GetFlags = FlagsOf<typeof declared>;

export const command = (context: CommandContext) =>
  declared().action(onDatabase(context, getCommand));

/**
 * Prints the response of a read of the API with all its pages, from one snapshot, as an administrator would get it. The
 * audit row is written before the first line.
 *
 * @throws ConfigurationError for an unknown path, for what the API answers with 400, for an unknown column, and for
 * `fail` where there is no list.
 * @throws CommandError for an unknown organization, for what else the API refuses, and, with `fail`, for a list that is
 * not empty, after printing it.
 */
export async function getCommand(
  context: DatabaseContext & Pick<CommandContext, "stdout">,
  path: string,
  parameters: readonly string[],
  { organization, json, csv, columns, fail }: GetFlags,
): Promise<void> {
  const { database, stdout } = context;
  const organizationId = await database.read((db) => organizationOf(db, organization));
  const operation = operationOf(path);
  const shape = shapeOf(operation.schema);
  if (fail && shape.list === undefined)
    throw new ConfigurationError(`${path} has no list for --fail`);
  const chosen = chosenColumns(shape.columns, columns);
  const table = json || csv ? undefined : new Table(chosen, columns !== undefined);
  const query = queryOf(parameters);
  const target = query.size === 0 ? path : `${path}?${query}`;
  const named = new Set<string>();
  let namesAll = false;
  let body: Body = {};
  let count = 0;
  /** The rows of each page, as lines of JSON. */
  async function* pages(db: Db): AsyncGenerator<Uint8Array> {
    for await (const page of pagesOf(operation, query, callOn(context, organizationId, db))) {
      namesAll ||= page.row.concernsAll;
      for (const id of page.row.patientIds) named.add(id);
      if (count === 0) body = page.body;
      const rows = rowsOf(page.body, shape);
      count += rows.length;
      for (const row of rows) table?.add(row);
      yield Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    }
  }
  const snapshot = await database.openSnapshot();
  const pieces = await bufferBody(pages(snapshot.db)).finally(() => snapshot.close());
  const patientIds = namesAll ? ALL_PATIENTS : namedPatients(named);
  await record(context, { organizationId, command: "get", patientIds, target });
  const rows = rowsIn(pieces.pieces());
  const text = table?.lines(rows) ?? (json ? jsonOf(body, rows) : csvOf(rows, chosen));
  await writePieces(printablePieces(text), stdout);
  if (fail && count > 0) throw new CommandError(`${countOf(count, "row")} of ${target}`);
}

async function* rowsIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<object> {
  for await (const line of linesOf(pieces))
    if ("text" in line) yield JSON.parse(line.text) as object;
}

interface Operation {
  route: DeclaredRoute;
  /** Of the response. */
  schema: TSchema;
  /** The parameters of the path. */
  params: Record<string, string>;
  path: string;
}

/**
 * The read of a path; of several, the one with the fewest parameters, as the router has it.
 *
 * @throws ConfigurationError
 */
function operationOf(path: string): Operation {
  const found = declaredRoutes(api).flatMap((route) => {
    const schema = route.response[200];
    if (route.method !== "GET" || schema === undefined || schema.mediaType !== undefined) return [];
    const pattern = route.path.slice("/v1/".length).replaceAll(/:(\w+)/g, "(?<$1>[^/?]+)");
    const params = new RegExp(`^${pattern}$`).exec(path);
    return params === null ? [] : [{ route, schema, path, params: { ...params.groups } }];
  });
  found.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  const [operation] = found;
  if (operation !== undefined) return operation;
  throw new ConfigurationError(
    path === "practice-file"
      ? 'a practice file is written by "caseload export"'
      : `the API has no ${path} to read; "caseload openapi" prints what it has`,
  );
}

function queryOf(parameters: readonly string[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split(/=(.*)/s);
    query.append(name, value);
  }
  return query;
}

/** @param pageSize more rows than a client may ask for. */
type Call = (operation: Operation, query: URLSearchParams, pageSize?: number) => Promise<Answered>;

interface Answered {
  body: Body;
  row: Outcome["row"];
}

/** Each page of a list, the largest that there are, unless one is asked for; of anything else, all of it. */
async function* pagesOf(
  operation: Operation,
  asked: URLSearchParams,
  call: Call,
): AsyncGenerator<Answered> {
  const query = new URLSearchParams(asked);
  const largest = operation.route.query?.properties["pageSize"]?.maximum;
  if (largest !== undefined && !query.has("pageSize")) query.set("pageSize", String(largest));
  const isPart = asked.has("page") || asked.has("pageSize");
  const rows = !isPart && isReport(operation.schema) ? REPORT_ROWS : undefined;
  const first = await call(operation, query, rows);
  yield first;
  const { totalPages = 1 } = first.body.pagination ?? {};
  if (asked.has("page")) return;
  for (let page = 2; page <= totalPages; page += 1) {
    query.set("page", String(page));
    yield await call(operation, query, rows);
  }
}

/** Runs the handler of an operation on a snapshot. */
function callOn({ clock }: DatabaseContext, organizationId: string, db: Db): Call {
  const now = toInstant(clock.now());
  const database = {
    read: <Result>(work: (db: Db) => Promise<Result>) => work(db),
    write: () => Promise.reject(new Error("A read does not write")),
  };
  const caller: Caller = {
    ...{ organizationId, kind: "API", role: "ADMIN", userId: null, ownPatientsOnly: false },
    ...{ keyId: "", keyName: "", keyExpiresAt: null, keyLastUsedAt: null, isReadOnly: true },
  };
  return async ({ route, path, params }, query, pageSize) => {
    const target = `/api/v1/${path.split("/").map(encodeURIComponent).join("/")}?${query}`;
    const task = {
      request: { method: "GET", target, headers: [] },
      ...{ requestId: "", route: route.path, caller, now, origin: undefined },
      operation: { id: route.operationId, showsSequence: false, query: {}, bytes: undefined },
      ...refusing(() => readUrl(`http://localhost${target}`, params, route)),
    };
    if (pageSize !== undefined) task.query = { ...(task.query as object), pageSize };
    const place = { handlers, clock, database, buffer: bufferBody };
    const { answer, row } = await runHandler(task, place);
    if ("error" in answer) return refuse(unpacked(answer.error));
    const bytes = await new BufferedBody(answer.content).bytes();
    return { body: JSON.parse(new TextDecoder().decode(bytes)) as Body, row };
  };
}

/** Rows of a report that are read at once: it is made as a whole for each page. */
const REPORT_ROWS = 5_000;

/** Whether a list comes with sums over all of it. */
function isReport({ properties = {} }: TSchema): boolean {
  return "data" in properties && "totals" in properties;
}

function refusing<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    return refuse(error);
  }
}

/** Rethrows what the API refuses, in its words. */
function refuse(thrown: unknown): never {
  const error = toApiError(thrown);
  const status = statusOf(error);
  if (status >= 500) throw error.cause ?? thrown;
  const words =
    error instanceof InvalidInput
      ? error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n")
      : error.message;
  throw status === 400 ? new ConfigurationError(words) : new CommandError(words);
}
