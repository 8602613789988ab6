import { parseArgs } from "node:util";
import { connectFile } from "../db/sqlite/connect.ts";
import { createApp } from "../src/app.ts";
import { AuditRecorder } from "../src/audit/recorder.ts";
import { jsonLog } from "../src/commands/log.ts";
import { ThreadPool } from "../src/http/threads/pool.ts";
import { RequestLogLimit } from "../src/http/limits/request-log-limit.ts";
import { newMetrics } from "../src/http/metrics.ts";
import { newRateLimits } from "../src/http/limits/rate-limits.ts";
import { RequestSlots } from "../src/http/limits/request-slots.ts";
import { SlowUploads } from "../src/http/limits/slow-uploads.ts";
import { systemClock } from "../src/lib/clock.ts";

/**
 * The service without audit rows of reads. Production has no such option, so the app is assembled here;
 * otherwise it equals `caseload serve`. Writes keep their audit rows, which are part of their transactions.
 *
 *     TZ=UTC bun bench/unaudited.ts --database FILE --port PORT
 */
class UnauditedRecorder extends AuditRecorder {
  override async record(): Promise<void> {}
}

const { values: flags } = parseArgs({
  options: {
    database: { type: "string", default: "caseload.db" },
    port: { type: "string", default: "3000" },
  },
});

const database = connectFile(flags.database, "existing");
const app = createApp({
  database,
  clock: systemClock,
  log: jsonLog((text, written) => process.stderr.write(text, written)),
  audit: new UnauditedRecorder(database),
  corsOrigins: [],
  https: false,
  limits: newRateLimits(undefined),
  requestLogLimit: new RequestLogLimit(() => {}),
  metrics: newMetrics(),
  slots: new RequestSlots(),
  threads: new ThreadPool(() => new Worker(new URL("../src/worker.ts", import.meta.url)), {
    database,
    clock: undefined,
  }),
  slowUploads: new SlowUploads(),
  addressOf: () => "127.0.0.1",
  origin: () => undefined,
  outage: () => undefined,
  hasBackslash: () => false,
  setIdleTimeout: () => {},
});
Bun.serve({ port: Number(flags.port), hostname: "127.0.0.1", fetch: app.fetch });
