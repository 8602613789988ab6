import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { countRequest, identify } from "../http/authentication.ts";
import { parseBody, receiveBody } from "../http/body.ts";
import type { Dependencies, Exchange, Singleton } from "../http/context.ts";
import { PlainError } from "../http/errors.ts";
import { innerRequest } from "../http/inner-requests.ts";
import { AGENTS_PATH } from "../http/paths.ts";
import { invalid } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";

/** How the tools for agents are served. */
export interface AgentOptions {
  /** Whether only this machine can reach the server. */
  isLocal: boolean;
}

const Message: TSchema = Type.Unknown({ maxBytes: 256 * 1024 });

const UNDOCUMENTED = { detail: { hide: true } };

/**
 * The tools for agents at `/mcp`, outside the API: each call is a few requests of the API with the caller's key,
 * through the whole app, so that role, limits, refusals and audit rows are those of the API.
 *
 * @param handle answers a request of the API.
 */
export function agentTools(
  options: AgentOptions,
  handle: (request: Request) => Response | Promise<Response>,
) {
  return new Elysia<"", Singleton<{ exchange: Exchange }>>({ name: "tools for agents" })
    .onParse({ as: "local" }, () => null)
    .all(
      AGENTS_PATH,
      async ({ request, exchange, dependencies }) => {
        // A refusal has a row. A response has those of the requests that it is made of.
        exchange.row.isDue = true;
        requireOwnAddress(request, options, dependencies);
        const message = await receivedMessage(request, exchange, dependencies);
        exchange.row.isDue = false;
        const { respond } = await import("./server.ts");
        const { requestId } = exchange;
        const { clock, log } = dependencies;
        return respond(request, message, {
          ask: async (path, body) => handle(innerRequest(path, request, { requestId, body })),
          now: () => clock.now(),
          failed: (error) =>
            log({
              ...{ time: toInstant(clock.now()), level: "error", message: "failure", requestId },
              ...{ route: exchange.route, error: error instanceof Error ? error.name : "unknown" },
            }),
        });
      },
      UNDOCUMENTED,
    );
}

/** Names of this machine, with any port, that a browser's page of another site cannot have. */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d*)?$/i;

/**
 * Refuses requests that a page of another site may have sent, by a name that it made point to this machine.
 *
 * @throws PlainError 403
 */
function requireOwnAddress(
  { url, headers }: Request,
  { isLocal }: AgentOptions,
  { corsOrigins }: Dependencies,
): void {
  const origin = headers.get("origin");
  // By the header as it was sent: the URL of a request whose host is empty or has a user's name is this machine's, too.
  const isOwn = !isLocal || OWN_HOST.test(headers.get("host") ?? "");
  const isKnown =
    origin === null ||
    corsOrigins.includes("*") ||
    corsOrigins.includes(origin) ||
    URL.parse(origin)?.host === new URL(url).host;
  if (!isOwn || !isKnown) throw new PlainError(403, "Access denied");
}

/**
 * The message of a caller with a key of an agent.
 *
 * @throws PlainError 401, 403 for another key, 429, 405, 413, 415, 400 for a list. @throws InvalidInput for what is no
 * JSON.
 */
async function receivedMessage(
  request: Request,
  exchange: Exchange,
  dependencies: Dependencies,
): Promise<unknown> {
  const now = toInstant(dependencies.clock.now());
  const caller = await identify(request, dependencies, now);
  exchange.row.caller = caller;
  // The limit is for requests without a key.
  exchange.isLogged = true;
  dependencies.requestLogLimit.uncount();
  if (caller.kind !== "AGENT") throw new PlainError(403, "Access denied");
  countRequest(caller, dependencies, now);
  if (request.method !== "POST") throw new PlainError(405, "Method not allowed", { allow: "POST" });
  const received = await dependencies.slowUploads.watch(
    caller.keyId,
    (seconds) => dependencies.setIdleTimeout(request, seconds),
    (arrived) => receiveBody(request, Message, arrived),
  );
  const message = parseBody(await received.bytes(), Message);
  received.discard();
  if (message === undefined) throw invalid([], "Request body must be valid JSON in UTF-8");
  // The protocol has no lists of messages any more. One request would have the work of many.
  if (Array.isArray(message)) throw new PlainError(400, "Send one request at a time");
  return message;
}
