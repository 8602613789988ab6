import { readFileSync } from "node:fs";
import type { OpenDatabase } from "../db/database.ts";
import { createApp } from "./app.ts";
import { AuditRecorder } from "./audit/recorder.ts";
import type { ServerConfiguration } from "./config.ts";
import { clientAddress } from "./http/client-address.ts";
import type { Log } from "./http/exchange.ts";
import { newMetrics } from "./http/metrics.ts";
import { newRateLimits } from "./http/rate-limits.ts";
import type { Clock } from "./lib/clock.ts";
import { toInstant } from "./lib/instant.ts";
import { Refused } from "./lib/refused.ts";
import { Outage } from "./outage.ts";

/** How long running requests may take to finish after a signal, in milliseconds. */
const DRAINING_TIME = 10_000;
const DRAINING_INTERVAL = 20;

export interface RunningServer {
  /** The address it answers at, such as `http://127.0.0.1:3000`. */
  url: string;
  /** Resolves with the reason when the server can do nothing but end. It has said so for a while by then. */
  failed: Promise<Refused>;
  /** Takes no new connections, and resolves when running requests have finished. */
  stop(): Promise<void>;
}

/**
 * Puts the app on a port.
 *
 * @throws Refused when the address is taken or cannot be listened on.
 */
export function startServer(
  configuration: ServerConfiguration,
  dependencies: { database: OpenDatabase; clock: Clock; log: Log },
): RunningServer {
  const { host, corsOrigins, proxies, tls, keyRateLimit } = configuration;
  const { database, clock, log } = dependencies;
  const audit = new AuditRecorder(database, (line) =>
    log({ time: toInstant(clock.now()), ...line }),
  );
  const outage = new Outage(dependencies);
  const app = createApp({
    ...dependencies,
    audit,
    corsOrigins,
    https: tls !== undefined,
    outage: () => outage.reason,
    limits: newRateLimits(keyRateLimit),
    metrics: newMetrics(),
    addressOf: (request) => clientAddress(request, server.requestIP(request)?.address, proxies),
    letWait: (request) => server.timeout(request, 0),
  });
  const server = listen(configuration, app.fetch);
  audit.start();
  outage.watch();
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${shownHost}:${server.port}`,
    failed: outage.ended,
    async stop() {
      outage.stopWatching();
      await drain(server);
      await audit.finish();
    },
  };
}

async function drain(server: ReturnType<typeof listen>): Promise<void> {
  let stopped = false;
  const drained = server.stop(false).then(() => {
    stopped = true;
  });
  // A connection that a client keeps open for its next request would hold the server up.
  for (const start = performance.now(); !stopped; await Bun.sleep(DRAINING_INTERVAL)) {
    server.closeIdleConnections();
    if (performance.now() - start > DRAINING_TIME) await server.stop(true);
  }
  await drained;
}

function listen(
  { port, host, tls }: ServerConfiguration,
  fetch: (request: Request) => Response | Promise<Response>,
) {
  const keys = tls && { cert: readPem(tls.certificate), key: readPem(tls.key) };
  try {
    return Bun.serve({
      port,
      hostname: host,
      fetch: (request) => fetch(withHost(request)),
      ...(keys && { tls: keys }),
      // Bun's own refusal of a large body has no JSON and comes before the key is checked; ours does neither.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
  } catch (error) {
    throw notListening(error, port, host);
  }
}

/** A request without a usable Host header has a URL without one, in which Elysia finds no path. */
function withHost(request: Request): Request {
  return request.url.startsWith("/")
    ? new Request(`http://localhost${request.url}`, request)
    : request;
}

function readPem(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Refused(
      `Cannot read ${path}; --tls-cert and --tls-key must name readable PEM files.`,
    );
  }
}

function notListening(error: unknown, port: number, host: string): Refused {
  const code = (error as { code?: string }).code;
  if (code === "EADDRINUSE")
    return new Refused(
      `Port ${port} of ${host} is in use. Stop what listens there, or choose another with --port.`,
    );
  return new Refused(
    `Cannot listen on ${host}, port ${port} (${code ?? "unknown reason"}). Check --host, --port and the certificate.`,
  );
}
