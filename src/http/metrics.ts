import type { Metric, Registry } from "prom-client";
import type { Connections } from "../../db/database.ts";
import { Histogram } from "./histogram.ts";
import { RequestSlots, requestKinds } from "./request-slots.ts";

/** Metrics for Prometheus. Labels contain only route templates, no request data. */
export interface Metrics {
  observe(exchange: { method: string; route: string; status: number; seconds: number }): void;
  /** The text for Prometheus, and its media type. */
  text(): Promise<{ text: string; mediaType: string }>;
}

/**
 * Requests are counted in plain numbers, which are converted to metrics on demand: prom-client builds a string to look
 * up labels on each call, which would be a noticeable share of a request's time.
 *
 * @param connections of the database, if it has any.
 * @param slots whose waiting requests are counted.
 */
export function newMetrics(
  connections: () => Connections | undefined = () => undefined,
  slots = new RequestSlots(),
): Metrics {
  const tallies = new Tallies();
  let registry: Promise<Registry> | undefined;
  return {
    observe({ method, route, status, seconds }) {
      const tally = tallies.of(knownMethod(method), route);
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      tally.durations.observe(seconds);
    },
    async text() {
      registry ??= registryOf(tallies, connections, slots);
      const loaded = await registry;
      return { text: await loaded.metrics(), mediaType: loaded.contentType };
    },
  };
}

/** prom-client is loaded on first use, since it would delay the start and use memory. */
async function registryOf(
  tallies: Tallies,
  connections: () => Connections | undefined,
  slots: RequestSlots,
): Promise<Registry> {
  const { Counter, Gauge, Registry } = await import("prom-client");
  const registry = new Registry();
  const registers = [registry];
  new Counter({
    name: "caseload_requests_total",
    help: "Requests that were answered.",
    labelNames: ["method", "route", "status"],
    registers,
    collect() {
      this.reset();
      for (const { method, route, statuses } of tallies)
        for (const [status, count] of statuses) this.inc({ method, route, status }, count);
    },
  });
  registry.registerMetric(
    histogram(
      "caseload_request_duration_seconds",
      "From the arrival of a request to its answer.",
      (name) =>
        [...tallies].flatMap(({ method, route, durations }) =>
          durations.values(name, { method, route }),
        ),
    ),
  );
  new Gauge({
    name: "caseload_requests_waiting",
    help: "Expensive requests that wait for others of their API key.",
    labelNames: ["sort"],
    registers,
    collect() {
      for (const kind of requestKinds) this.set({ sort: kind }, slots.waiting(kind));
    },
  });
  registry.registerMetric(
    histogram(
      "caseload_request_wait_seconds",
      "How long expensive requests waited for others of their API key.",
      (name) => requestKinds.flatMap((kind) => slots.waits[kind].values(name, { sort: kind })),
    ),
  );
  if (connections() !== undefined)
    new Gauge({
      name: "caseload_database_connections",
      help: "Connections to PostgreSQL, and requests that wait for one.",
      labelNames: ["state"],
      registers,
      collect() {
        for (const [state, count] of Object.entries(connections() ?? {}))
          this.set({ state }, count);
      },
    });
  new Gauge({
    name: "caseload_resident_memory_bytes",
    help: "Memory of the process.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "caseload_uptime_seconds",
    help: "Since the process started.",
    registers,
    collect() {
      this.set(process.uptime());
    },
  });
  return registry;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]);

/** Clients can invent methods, and each label value is kept in memory forever. */
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "other";
}

/** The counts of one method and route. */
interface Tally {
  method: string;
  route: string;
  /** Number of responses by status. */
  statuses: Map<number, number>;
  durations: Histogram;
}

class Tallies {
  readonly #byRoute = new Map<string, Map<string, Tally>>();

  of(method: string, route: string): Tally {
    const known = this.#byRoute.get(route)?.get(method);
    if (known !== undefined) return known;
    const tally = { method, route, statuses: new Map(), durations: new Histogram() };
    const ofRoute = this.#byRoute.get(route) ?? new Map<string, Tally>();
    this.#byRoute.set(route, ofRoute.set(method, tally));
    return tally;
  }

  *[Symbol.iterator](): Generator<Tally> {
    for (const ofRoute of this.#byRoute.values()) yield* ofRoute.values();
  }
}

/** A histogram as a metric of prom-client. */
function histogram(
  name: string,
  help: string,
  values: (name: string) => ReturnType<Histogram["values"]>,
): Metric {
  const metric = {
    ...{ name, help, type: "histogram" },
    get: async () => ({ ...metric, values: values(name) }),
  };
  return metric as unknown as Metric;
}
