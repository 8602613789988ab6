import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** What the server counts of itself, for Prometheus. No label holds more than a route's template. */
export interface Metrics {
  observe(exchange: { method: string; route: string; status: number; seconds: number }): void;
  /** The text that Prometheus reads, and its media type. */
  text(): Promise<{ text: string; mediaType: string }>;
}

/** From a page out of the cache to a request that waits for another program's lock. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function newMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "caseload_requests_total",
    help: "Requests that were answered.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "caseload_request_duration_seconds",
    help: "From the arrival of a request to its answer.",
    labelNames: ["method", "route"],
    buckets: BUCKETS,
    registers,
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
  return {
    observe({ method, route, status, seconds }) {
      requests.inc({ method: knownMethod(method), route, status });
      durations.observe({ method: knownMethod(method), route }, seconds);
    },
    async text() {
      return { text: await registry.metrics(), mediaType: registry.contentType };
    },
  };
}

const METHODS = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]);

/** A client may invent methods; each label value is kept for good. */
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "other";
}
