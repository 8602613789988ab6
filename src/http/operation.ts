import { Elysia } from "elysia";
import { schemaState } from "../../db/migrate.ts";
import { isForwarded, isLoopback } from "./client-address.ts";
import { PlainError } from "./errors.ts";
import type { Singleton } from "./context.ts";

const UNDOCUMENTED = { detail: { hide: true } };

/**
 * What those who operate the server ask it, outside the API and without a key. `/livez`: the process answers.
 * `/readyz`: the database answers, too (while it does not, 503), and whether its disk is nearly full. `/metrics`: counts
 * for Prometheus, which only this machine may read, and nobody through a proxy.
 */
export const operation = new Elysia<"", Singleton>({ name: "operation" })
  .get("/livez", () => ({ status: "ok" }), UNDOCUMENTED)
  .get(
    "/readyz",
    async ({ service: { database } }) => {
      if ((await schemaState(database)) !== "current")
        throw new PlainError(503, "The database is of another version");
      const isNearlyFull = database.file?.isNearlyFull() === true;
      return isNearlyFull ? { status: "ok", disk: "nearly full" } : { status: "ok" };
    },
    UNDOCUMENTED,
  )
  .get(
    "/metrics",
    async ({ request, service: { addressOf, metrics } }) => {
      const address = addressOf(request);
      const isOwn = address !== undefined && isLoopback(address) && !isForwarded(request);
      if (!isOwn) throw new PlainError(404, "Not found");
      const { text, mediaType } = await metrics.text();
      return new Response(text, { headers: { "Content-Type": mediaType } });
    },
    UNDOCUMENTED,
  );
