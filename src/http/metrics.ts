import type { Connections } from "../../db/database.ts";
import { remembered } from "../lib/remembered.ts";
import { Histogram, sample } from "./histogram.ts";
import { RequestSlots, requestKinds } from "./limits/request-slots.ts";

/** Metrics for Prometheus. Labels contain only route templates, no request data. */
export interface Metrics {
  observe(exchange: { method: string; route: string; status: number; seconds: number }): void;
  /** All metrics in Prometheus' text format. */
  text(): string;
}

export const METRICS_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Counts requests in plain numbers, and prints them on demand. (prom-client would cost 0.3% of a request's time, and
 * delays the start.)
 *
 * @param connections of the database, if it has any.
 * @param slots whose waiting requests are counted.
 */
export function newMetrics(
  connections: () => Connections | undefined = () => undefined,
  slots = new RequestSlots(),
): Metrics {
  const tallies = new Tallies();
  return {
    observe({ method, route, status, seconds }) {
      const tally = tallies.of(knownMethod(method), route);
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      tally.durations.observe(seconds);
    },
    text: () =>
      [
        ...printed("counter", "caseload_requests_total", "Requests that were answered.", (name) =>
          [...tallies].flatMap(({ method, route, statuses }) =>
            [...statuses].map(([status, count]) => sample(name, { method, route, status }, count)),
          ),
        ),
        ...printed(
          "histogram",
          "caseload_request_duration_seconds",
          "From the arrival of a request to its answer.",
          (name) =>
            [...tallies].flatMap(({ method, route, durations }) =>
              durations.samples(name, { method, route }),
            ),
        ),
        ...printed(
          "gauge",
          "caseload_requests_waiting",
          "Expensive requests that wait for others of their sort.",
          (name) => requestKinds.map((sort) => sample(name, { sort }, slots.waiting(sort))),
        ),
        ...printed(
          "histogram",
          "caseload_request_wait_seconds",
          "How long expensive requests waited for others of their sort.",
          (name) => requestKinds.flatMap((sort) => slots.waits(sort).samples(name, { sort })),
        ),
        ...printed(
          "gauge",
          "caseload_database_connections",
          "Connections to PostgreSQL, and requests that wait for one.",
          (name) =>
            Object.entries(connections() ?? {}).map(([state, count]) =>
              sample(name, { state }, count),
            ),
        ),
        ...printed("gauge", "caseload_resident_memory_bytes", "Memory of the process.", (name) => [
          sample(name, {}, process.memoryUsage.rss()),
        ]),
        ...printed("gauge", "caseload_uptime_seconds", "Since the process started.", (name) => [
          sample(name, {}, process.uptime()),
        ]),
      ].join("\n"),
  };
}

/** The lines of a metric; none without samples. */
function printed(
  type: "counter" | "gauge" | "histogram",
  name: string,
  help: string,
  samplesOf: (name: string) => string[],
): string[] {
  const samples = samplesOf(name);
  if (samples.length === 0) return [];
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples, ""];
}

const METHODS = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]);

/** Clients can invent methods, and each label value is kept in memory forever. */
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "other";
}

interface Tally {
  method: string;
  route: string;
  statuses: Map<number, number>;
  durations: Histogram;
}

class Tallies {
  readonly #byRoute = new Map<string, Map<string, Tally>>();

  of(method: string, route: string): Tally {
    const ofRoute = remembered(this.#byRoute, route, () => new Map<string, Tally>());
    return remembered(ofRoute, method, () => ({
      ...{ method, route, statuses: new Map(), durations: new Histogram() },
    }));
  }

  *[Symbol.iterator](): Generator<Tally> {
    for (const ofRoute of this.#byRoute.values()) yield* ofRoute.values();
  }
}
