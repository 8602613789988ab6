import type { Metric, Registry } from "prom-client";
import type { Connections } from "../../db/database.ts";

/** What the server counts of itself, for Prometheus. No label holds more than a route's template. */
export interface Metrics {
  observe(exchange: { method: string; route: string; status: number; seconds: number }): void;
  /** The text that Prometheus reads, and its media type. */
  text(): Promise<{ text: string; mediaType: string }>;
}

/** From a page out of the cache to a request that waits for another program's lock. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Requests are tallied in plain numbers, which become metrics when somebody asks for them: prom-client looks
 * labels up by a text that it makes of them each time, which is a twentieth of the time of a page of sessions.
 *
 * @param connections those of the database, where it has any.
 */
export function newMetrics(connections: () => Connections | undefined = () => undefined): Metrics {
  const tallies = new Tallies();
  let registry: Promise<Registry> | undefined;
  return {
    observe({ method, route, status, seconds }) {
      const tally = tallies.of(knownMethod(method), route);
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      tally.requests += 1;
      tally.seconds += seconds;
      const bucket = BUCKETS.findIndex((longest) => seconds <= longest);
      if (bucket !== -1) tally.buckets[bucket]! += 1;
    },
    async text() {
      registry ??= registryOf(tallies, connections);
      const loaded = await registry;
      return { text: await loaded.metrics(), mediaType: loaded.contentType };
    },
  };
}

/** Where nobody asks, prom-client is not loaded: it takes 7 ms of the start, and 2 MB. */
async function registryOf(
  tallies: Tallies,
  connections: () => Connections | undefined,
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
  registry.registerMetric(durations(tallies));
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

/** A client may invent methods; each label value is kept for good. */
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "other";
}

/** The requests of one method and route. */
interface Tally {
  method: string;
  route: string;
  /** How many were answered with each status. */
  statuses: Map<number, number>;
  requests: number;
  seconds: number;
  /** How many took at most as long as each bucket says, and longer than the one before. */
  buckets: number[];
}

class Tallies {
  readonly #byRoute = new Map<string, Map<string, Tally>>();

  of(method: string, route: string): Tally {
    const known = this.#byRoute.get(route)?.get(method);
    if (known !== undefined) return known;
    const buckets = BUCKETS.map(() => 0);
    const tally = { method, route, statuses: new Map(), requests: 0, seconds: 0, buckets };
    const ofRoute = this.#byRoute.get(route) ?? new Map<string, Tally>();
    this.#byRoute.set(route, ofRoute.set(method, tally));
    return tally;
  }

  *[Symbol.iterator](): Generator<Tally> {
    for (const ofRoute of this.#byRoute.values()) yield* ofRoute.values();
  }
}

/** A histogram of how long requests took, in the form in which a registry of prom-client takes it. */
function durations(tallies: Tallies): Metric {
  const name = "caseload_request_duration_seconds";
  const histogram = {
    name,
    help: "From the arrival of a request to its answer.",
    type: "histogram",
    get: async () => ({ ...histogram, values: [...tallies].flatMap(valuesOf) }),
  };
  return histogram as unknown as Metric;

  function valuesOf({ method, route, requests, seconds, buckets }: Tally) {
    let within = 0;
    const upTo = buckets.map((count, index) => {
      within += count;
      return { le: BUCKETS[index], value: within };
    });
    return [
      ...[...upTo, { le: "+Inf", value: requests }].map(({ le, value }) => ({
        metricName: `${name}_bucket`,
        labels: { le, method, route },
        value,
      })),
      { metricName: `${name}_sum`, labels: { method, route }, value: seconds },
      { metricName: `${name}_count`, labels: { method, route }, value: requests },
    ];
  }
}
