import type { Elysia } from "elysia";
import { schemaState } from "../../db/migrate.ts";
import { isLoopback } from "./client-address.ts";
import { PlainError } from "./errors.ts";
import { exchange, jsonResponse, type ServiceDependencies } from "./exchange.ts";

const OK = JSON.stringify({ status: "ok" });

/**
 * What those who operate the server ask it, outside the API and without a key. `/livez`: the process answers.
 * `/readyz`: the database answers, too; while it does not, 503. `/metrics`: counts for Prometheus, which only
 * this machine may read.
 */
export function mountOperation(app: Elysia, dependencies: ServiceDependencies): void {
  const { database, metrics, addressOf } = dependencies;
  const mount = (template: string, answer: (request: Request) => Promise<Response>) =>
    app.get(
      template,
      ({ request }) =>
        exchange(request, { template, style: "standard", audited: false }, dependencies, () =>
          answer(request),
        ),
      { detail: { hide: true } },
    );

  mount("/livez", async () => jsonResponse(200, OK));
  mount("/readyz", async () => {
    if ((await schemaState(database)) !== "current")
      throw new PlainError(503, "The database is of another version");
    return jsonResponse(200, OK);
  });
  mount("/metrics", async (request) => {
    const address = addressOf(request);
    if (address === undefined || !isLoopback(address)) throw new PlainError(404, "Not found");
    const { text, mediaType } = await metrics.text();
    return new Response(text, { headers: { "Content-Type": mediaType } });
  });
}
