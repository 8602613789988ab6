/** Every path of the API begins with this. */
export const API_BASE = "/api";

/** Under this a request needs a key even where there is nothing. */
export const VERSION_BASE = `${API_BASE}/v1`;

/** Whether a route is below the version, where requests leave a row in the audit trail. */
export function isVersioned(route: string): boolean {
  return route.startsWith(VERSION_BASE);
}

const templates = new Map<string, string>();

/**
 * A route as the document writes it, below `/api` and with parameters in braces: `/v1/sessions/{sessionId}`. All
 * routes of paths that do not exist are one, so that nobody can make up labels of metrics.
 */
export function templateOf(route: string): string {
  const known = templates.get(route);
  if (known !== undefined) return known;
  const isUnknown = route.endsWith("/*") || route.replace(/\/$/, "") === VERSION_BASE;
  const path = route.startsWith(`${API_BASE}/`) ? route.slice(API_BASE.length) : route;
  const template = isUnknown ? "unknown" : path.replaceAll(/:(\w+)/g, "{$1}");
  templates.set(route, template);
  return template;
}

/** The path and the query of a URL as the client sent them, which begin at the first slash behind the host. */
export function pathAndQuery(url: string): string {
  return url.slice(url.indexOf("/", "https://".length));
}
