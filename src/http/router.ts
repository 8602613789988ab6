import type { Elysia } from "elysia";
import { toInstant } from "../lib/instant.ts";
import type { Endpoint } from "./endpoint.ts";
import { PlainError } from "./errors.ts";
import { exchange, type Route, type ServiceDependencies } from "./exchange.ts";
import { answerRequest, identify } from "./pipeline.ts";
import type { Trail } from "./trail.ts";

/** Every path of the API begins with this; endpoints are declared below it. */
export const API_BASE = "/api";

/** Under this a request needs a key even where there is nothing (decisions 1). */
const VERSION_BASE = `${API_BASE}/v1`;

/** What a route of the router is handed. */
interface Routed {
  request: Request;
  params: Record<string, string | null>;
}

/** Bodies are read by the pipeline: Elysia's own parser would run before the key is known. */
const UNPARSED = { parse: "none" } as const;
const UNDOCUMENTED = { ...UNPARSED, detail: { hide: true } } as const;

/** Puts the endpoints on the router, and behind them the answers 405 and 404. */
export function mountApi(
  app: Elysia,
  endpoints: readonly Endpoint[],
  dependencies: ServiceDependencies,
): void {
  const refuse = async (request: Request, trail: Trail, refusal: PlainError): Promise<never> => {
    const now = toInstant(dependencies.clock.now());
    await dependencies.database.read((db) => identify(request, db, dependencies, now, trail));
    throw refusal;
  };

  for (const endpoint of endpoints)
    app.route(
      endpoint.method,
      routerPath(endpoint.path),
      ({ request, params }: Routed) =>
        exchange(request, routeOf(endpoint), dependencies, (trail) =>
          answerRequest(endpoint, request, params, dependencies, trail),
        ),
      UNPARSED,
    );

  for (const [path, sharing] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const [route = UNKNOWN_ROUTE] = sharing.map(routeOf);
    const notAllowed = new PlainError(405, "Method not allowed", { Allow: allowed(sharing) });
    app.all(
      routerPath(path),
      ({ request }: Routed) =>
        exchange(request, route, dependencies, (trail) => refuse(request, trail, notAllowed)),
      UNDOCUMENTED,
    );
  }

  const notFound = new PlainError(404, "Not found");
  app.all(
    "/*",
    ({ request, params }: Routed) => {
      const audited = `/${params["*"] ?? ""}/`.startsWith(`${VERSION_BASE}/`);
      return exchange(request, { ...UNKNOWN_ROUTE, audited }, dependencies, (trail) => {
        if (audited) return refuse(request, trail, notFound);
        throw notFound;
      });
    },
    UNDOCUMENTED,
  );
}

const UNKNOWN_ROUTE: Route = { template: "unknown", style: "standard", audited: true };

function routeOf({ path, errorStyle = "standard", failure }: Endpoint): Route {
  return { template: path, style: errorStyle, audited: true, failure };
}

/** `/v1/sessions/{sessionId}`, as OpenAPI writes it, is `/api/v1/sessions/:sessionId` for the router. */
function routerPath(path: string): string {
  return API_BASE + path.replaceAll(/\{(\w+)\}/g, ":$1");
}

function allowed(endpoints: readonly Endpoint[]): string {
  return endpoints
    .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
}
