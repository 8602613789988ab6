/**
 * The options of `fetch` for an address with http:, which is one of this machine or of a private network: what the
 * environment names as the proxy (`HTTP_PROXY`) cannot reach it.
 */
export function directly(url: string): { proxy?: false } {
  return URL.parse(url)?.protocol === "http:" ? { proxy: false } : {};
}
