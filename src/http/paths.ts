/** The prefix of all paths of the API. */
export const API_BASE = "/api";

/** Below this prefix, all requests need a key, even for unknown paths. */
export const VERSION_BASE = `${API_BASE}/v1`;

/** With the operations at and below this path, the page signs people in. */
export const SIGN_IN_BASE = `${API_BASE}/sign-in`;

/** The path of the tools for agents. */
export const AGENTS_PATH = "/mcp";

/** Whether a route is below the version. */
export function isVersioned(route: string): boolean {
  return route.startsWith(VERSION_BASE);
}

/** Whether a route's requests have rows in the audit trail. */
export function isRecorded(route: string): boolean {
  return isVersioned(route) || route.startsWith(SIGN_IN_BASE);
}

const templates = new Map<string, string>();

/**
 * The route template in OpenAPI's syntax, without `/api`: `/v1/sessions/{sessionId}`. Unknown paths share one template,
 * so that clients cannot create arbitrary labels of metrics.
 */
export function templateOf(route: string): string {
  const earlier = templates.get(route);
  if (earlier !== undefined) return earlier;
  const isUnknown = route.endsWith("/*") || route.replace(/\/$/, "") === VERSION_BASE;
  const path = route.startsWith(`${API_BASE}/`) ? route.slice(API_BASE.length) : route;
  const template = isUnknown ? "unknown" : path.replaceAll(/:(\w+)/g, "{$1}");
  templates.set(route, template);
  return template;
}

/** The path and query of a URL as sent by the client: everything from the first slash after the host. */
export function pathAndQuery(url: string): string {
  return url.slice(url.indexOf("/", "https://".length));
}
