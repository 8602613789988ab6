/** Answers to requests, and whether the API gave them. */

/** Statuses that the API has not: a proxy waited for it in vain. */
const OF_PROXIES = [502, 504];

/**
 * Whether the API itself has answered. What stands between it and the page may do so in its place, such as a proxy, or
 * the portal of a network with a page of its own: of a write, it is then not known what became of it.
 */
export function isOwnAnswer(answer: {
  status: number;
  /** The `X-Request-Id`, which each answer of the API has. */
  requestId: string | null;
  /** Of JSON and lines; undefined for what is neither, or was cut off. */
  body: unknown;
}): boolean {
  const { status, requestId, body } = answer;
  if (OF_PROXIES.includes(status)) return false;
  if (status < 400) return requestId !== null && body !== undefined;
  if (typeof body !== "object" || body === null) return false;
  const { error, validationErrors } = body as Record<string, unknown>;
  return typeof error === "string" || Array.isArray(validationErrors);
}

/** What is said of an answer that the API has not given. */
export function foreignText(status: number, isCutOff: boolean): string {
  if (status >= 400) return `The server cannot be reached: what is before it answered ${status}.`;
  return isCutOff
    ? "The answer was cut off."
    : "The server cannot be reached: something else answered in its place.";
}
