import type { OpenDatabase } from "../db/database.ts";
import { createApp, operations } from "./app.ts";
import { AuditRecorder } from "./audit/recorder.ts";
import type { ServerConfiguration } from "./config.ts";
import { clientAddress } from "./http/client-address.ts";
import type { Log, LogLine } from "./http/context.ts";
import { errorBody, PlainError } from "./http/errors.ts";
import { RequestLogLimit } from "./http/limits/request-log-limit.ts";
import { isInner, outermost } from "./http/inner-requests.ts";
import { newMetrics } from "./http/metrics.ts";
import { newRateLimits } from "./http/limits/rate-limits.ts";
import { ThreadPool } from "./http/threads/pool.ts";
import { RequestSlots } from "./http/limits/request-slots.ts";
import { Sandbox } from "./http/sandbox/sandbox.ts";
import { IDLE_TIMEOUT, SlowUploads } from "./http/limits/slow-uploads.ts";
import type { Clock, StoppedClock } from "./lib/clock.ts";
import { toInstant } from "./lib/instant.ts";
import { CommandError } from "./lib/command-error.ts";
import { Outage } from "./outage.ts";
import { everyPath, hasBackslash } from "./raw-paths.ts";
import { STRICT_TRANSPORT, tlsOptions } from "./tls.ts";
import { Doorbell } from "./webhooks/doorbell.ts";

/** How long running requests may take after a signal to stop, in milliseconds. */
const DRAINING_TIME = 10_000;
const DRAINING_INTERVAL = 20;

/** How long a server and its replacement share the port, in milliseconds. */
const SHARING_TIME = 20;

export interface RunningServer {
  /** The server's address, such as `http://127.0.0.1:3000`. */
  url: string;
  port: number;
  /** Where people sign in with passkeys; undefined if they cannot. */
  origin: string | undefined;
  /** Resolves with the reason when the server must end, after clients have received the reason for a while. */
  failed: Promise<CommandError>;
  /** Reloads the certificate, for new connections. An invalid certificate changes nothing. */
  reloadCertificate(): void;
  /** Stops accepting connections, and resolves when running requests have finished. */
  stop(): Promise<void>;
}

/** What clients of a server for tests may do with its data and its clock. */
export interface Temporary {
  /** Undefined if it is the machine's. */
  clock: StoppedClock | undefined;
  /** Puts the database back as it was at the start. */
  putBack(): Promise<void>;
}

/**
 * Binds the app to a port.
 *
 * @throws CommandError if the address is in use or cannot be listened on.
 */
export function startServer(
  configuration: ServerConfiguration,
  dependencies: {
    database: OpenDatabase;
    clock: Clock;
    log: Log;
    /** Makes it a server for tests. */
    temporary?: Temporary | undefined;
  },
): RunningServer {
  const { host, corsOrigins, proxies, tls, keyRateLimit } = configuration;
  const { database, clock, temporary, log } = dependencies;
  const audit = new AuditRecorder(database, (line) =>
    log({ time: toInstant(clock.now()), ...line }),
  );
  const outage = new Outage(dependencies);
  const requestLogLimit = new RequestLogLimit((requests) =>
    log({
      ...{ time: toInstant(clock.now()), level: "info", requests },
      message: "requests outside the API summarized",
    }),
  );
  const slots = new RequestSlots();
  const limits = newRateLimits(keyRateLimit);
  // Bundles have the worker's file beside the one with this line.
  const startWorker = () => new Worker(new URL("./worker.js", import.meta.url));
  const threads = new ThreadPool(startWorker, { database, clock: temporary?.clock?.memory });
  // Where the server speaks plain HTTP on this machine, browsers trust only this address, and have passkeys there.
  const isLocal = tls === undefined && proxies === undefined;
  const origin = () =>
    configuration.origin ??
    (isLocal ? new URL(`http://localhost:${server.port}`).origin : undefined);
  const sandbox =
    temporary &&
    new Sandbox({
      ...{ ...temporary, operations },
      keepOpen: (request, isWaiting) =>
        server.timeout(received(request), isWaiting ? 0 : IDLE_TIMEOUT),
      async pause() {
        outage.stopWatching();
        // A worker takes long to end. It does nothing any more, and the next one waits for it.
        void threads.close();
        await doorbell.stop();
        await audit.finish();
      },
      resume() {
        Object.assign(limits, newRateLimits(keyRateLimit));
        startBeside();
      },
    });
  const app = createApp({
    ...dependencies,
    sandbox,
    audit,
    requestLogLimit,
    corsOrigins,
    origin,
    https: tls !== undefined,
    agents: configuration.mcp ? { isLocal } : undefined,
    outage: () => outage.reason,
    limits,
    metrics: newMetrics(() => database.connections(), slots),
    slots,
    threads,
    slowUploads: new SlowUploads(),
    addressOf: (request) => clientAddress(outermost(request), connectionOf(request), proxies),
    hasBackslash: (request) => !isInner(request) && hasBackslash(received(request)),
    setIdleTimeout: (request, seconds = 0) => server.timeout(received(request), seconds),
  });
  const connectionOf = (request: Request) => server.requestIP(received(request))?.address;
  // Responses on connections of a replaced server close them; clients can reconnect at once.
  const isReplaced = (responding: Bun.Server<unknown>) => responding !== server;
  const answer: (request: Request) => Response | Promise<Response> =
    sandbox === undefined
      ? app.fetch
      : (request) => sandbox.answer(request, async () => app.fetch(request));
  const handler: Handler =
    tls === undefined ? (request) => answer(withHost(request)) : overTls(answer, isReplaced);
  let server = listen(configuration, handler);
  const { port = 0 } = server;
  const replaced: ReturnType<typeof listen>[] = [];
  const logLine = (level: LogLine["level"], message: string) =>
    log({ time: toInstant(clock.now()), level, message });
  let doorbell: Doorbell;
  const warn = (message: string) => logLine("error", message);
  const startBeside = () => {
    audit.start();
    outage.watch();
    doorbell = new Doorbell({ database, clock, warn });
    doorbell.start();
  };
  startBeside();
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${shownHost}:${port}`,
    port,
    origin: origin(),
    failed: outage.ended,
    reloadCertificate() {
      const former = server;
      try {
        // Bun cannot change the certificate of a server, so a second one shares the port until it is the only one.
        server = serve({ ...configuration, port }, handler, { isShared: true });
      } catch {
        return logLine(
          "error",
          "the TLS certificate cannot be used; the previous one stays in use",
        );
      }
      // In a later turn of the event loop: connections accepted in the meantime would be cut off.
      setTimeout(() => former.stop(false), SHARING_TIME);
      replaced.push(former);
      logLine("info", "the TLS certificate was reloaded");
    },
    async stop() {
      outage.stopWatching();
      await Promise.all([drain(server), ...replaced.map(drain), doorbell.stop()]);
      await threads.close();
      requestLogLimit.finish();
      await audit.finish();
    },
  };
}

async function drain(server: ReturnType<typeof listen>): Promise<void> {
  let stopped = false;
  const drained = server.stop(false).then(() => {
    stopped = true;
  });
  // Idle keep-alive connections would delay the stop.
  for (const start = performance.now(); !stopped; await Bun.sleep(DRAINING_INTERVAL)) {
    server.closeIdleConnections();
    if (performance.now() - start > DRAINING_TIME) await server.stop(true);
  }
  await drained;
}

type Handler = (request: Request, responding: Bun.Server<unknown>) => Response | Promise<Response>;

function listen(configuration: ServerConfiguration, handler: Handler) {
  // Sharing the port would also share it with any other program of this user, so it is checked first that it is free.
  const alone = serve(configuration, handler, { isShared: false });
  if (configuration.tls === undefined) return alone;
  const { port = 0 } = alone;
  alone.stop(true);
  return serve({ ...configuration, port }, handler, { isShared: true });
}

function serve(
  configuration: ServerConfiguration,
  handler: Handler,
  { isShared }: { isShared: boolean },
) {
  const { port, host } = configuration;
  const tls = tlsOptions(configuration);
  try {
    return Bun.serve({
      port,
      hostname: host,
      reusePort: isShared,
      routes: everyPath(handler),
      fetch: handler,
      error: unavailable,
      // Else errors would be shown with the program's code.
      development: false,
      ...(tls !== undefined && { tls }),
      idleTimeout: IDLE_TIMEOUT,
      // Bun's own limit responds without JSON and before authentication; the app checks the size itself.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
  } catch (error) {
    throw notListening(error, port, host);
  }
}

/** What the app cannot handle itself: a file of the page that cannot be opened for want of a descriptor. */
function unavailable(): Response {
  const error = new PlainError(503, "Service temporarily unavailable");
  return Response.json(errorBody(error, "standard"), {
    status: error.status,
    headers: { "Cache-Control": "no-store", "Retry-After": "1" },
  });
}

/** Original requests, by the ones passed on with another URL; Bun knows the connection only of the former. */
const arrived = new WeakMap<Request, Request>();

function received(request: Request): Request {
  const outer = outermost(request);
  return arrived.get(outer) ?? outer;
}

function withUrl(url: string, request: Request): Request {
  const renamed = new Request(url, request);
  arrived.set(renamed, request);
  return renamed;
}

/** Adds a host to the URL of a request without a valid Host header; Elysia finds no path in a URL without one. */
function withHost(request: Request): Request {
  return request.url.startsWith("/") ? withUrl(`http://localhost${request.url}`, request) : request;
}

/** An https: URL with a host of one or two letters: Elysia's search for the path would begin too late. */
const SHORT_HOST = /^https:\/\/[^/]{1,2}(?=\/)/;

function overTls(
  fetch: (request: Request) => Response | Promise<Response>,
  isReplaced: (responding: Bun.Server<unknown>) => boolean,
): Handler {
  return async (request, responding) => {
    const { url } = request;
    const renamed = SHORT_HOST.test(url)
      ? withUrl(url.replace(SHORT_HOST, "https://localhost"), request)
      : withHost(request);
    const response = await fetch(renamed);
    response.headers.set("Strict-Transport-Security", STRICT_TRANSPORT);
    if (isReplaced(responding)) response.headers.set("Connection", "close");
    return response;
  };
}

function notListening(error: unknown, port: number, host: string): CommandError {
  const code = (error as { code?: string }).code;
  if (code === "EADDRINUSE")
    return new CommandError(
      `Port ${port} of ${host} is in use. Stop what listens there, or choose another with --port.`,
    );
  return new CommandError(
    `Cannot listen on ${host}, port ${port} (${code ?? "unknown reason"}). Check --host, --port and the certificate.`,
  );
}
