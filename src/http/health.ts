import { Elysia } from "elysia";
import { schemaState } from "../../db/migrate.ts";
import { hasRoom } from "../../db/room.ts";
import { hasTemporaryFolder } from "../buffered-body.ts";
import { isForwarded, isLoopback } from "./client-address.ts";
import { PlainError } from "./errors.ts";
import type { Singleton } from "./context.ts";
import { METRICS_MEDIA_TYPE } from "./metrics.ts";

const UNDOCUMENTED = { detail: { hide: true } };

/**
 * Endpoints for operators, outside the API and without a key. `/livez`: the process responds. `/readyz`: the database
 * responds and its disk is not full (else 503), whether its disk is nearly full, and whether there is a folder for what
 * does not fit into memory. `/metrics`: for Prometheus; only
 * for direct requests from this machine.
 */
export const health = new Elysia<"", Singleton>({ name: "health" })
  .get("/livez", () => ({ status: "ok" }), UNDOCUMENTED)
  .get(
    "/readyz",
    async ({ dependencies: { database } }) => {
      if ((await schemaState(database)) !== "current")
        throw new PlainError(503, "The database is of another version");
      const isNearlyFull = database.file?.isNearlyFull();
      // The room on a server's disk is unknown. All responses need it, also those to reads, for their audit rows.
      if (isNearlyFull !== false && !(await hasRoom(database)))
        throw new PlainError(503, "The disk of the database is full");
      return {
        status: "ok",
        ...(isNearlyFull && { disk: "nearly full" }),
        temporaryFolder: hasTemporaryFolder(),
      };
    },
    UNDOCUMENTED,
  )
  .get(
    "/metrics",
    ({ request, dependencies: { addressOf, metrics } }) => {
      const address = addressOf(request);
      const isOwn = address !== undefined && isLoopback(address) && !isForwarded(request);
      if (!isOwn) throw new PlainError(404, "Not found");
      return new Response(metrics.text(), { headers: { "Content-Type": METRICS_MEDIA_TYPE } });
    },
    UNDOCUMENTED,
  );
