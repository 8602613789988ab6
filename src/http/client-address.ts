import { type BlockList, isIP, isIPv4 } from "node:net";

/** Headers that proxies add to forwarded requests. */
const FORWARDING_HEADERS = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * The client's address; undefined if unknown.
 *
 * Behind proxies it is taken from `X-Forwarded-For`, to which each proxy appends the address it received the request
 * from. The header is read from its end, skipping trusted proxies. The first other address is the client's; anything
 * before it was sent by the client and is ignored. If the connection is not from a proxy, the whole header is ignored.
 *
 * @param connection the address of the other end of the connection.
 * @param proxies trusted proxies; undefined if there are none.
 * @example
 * // proxies: this machine and 10.0.0.0/8; asked by 127.0.0.1 with
 * // X-Forwarded-For: 203.0.113.9, 198.51.100.1:4711, 10.0.0.7
 * clientAddress(request, "127.0.0.1", proxies); // "198.51.100.1"
 */
export function clientAddress(
  request: Request,
  connection: string | undefined,
  proxies: BlockList | undefined,
): string | undefined {
  if (proxies === undefined || connection === undefined) return connection;
  if (!isAmong(proxies, connection)) return connection;
  const hops = request.headers.get("x-forwarded-for")?.split(",") ?? [];
  for (const hop of hops.reverse()) {
    const address = hostOf(hop.trim());
    if (address === undefined || !isAmong(proxies, address)) return address;
  }
  return undefined;
}

/**
 * Extracts the address from the forms that proxies write: with or without a port; IPv6 in brackets, or bare without a
 * port.
 */
function hostOf(text: string): string | undefined {
  const { bracketed, plain = text } =
    /^(?:\[(?<bracketed>[^\]]*)\]|(?<plain>[^:]*))(?::\d{1,5})?$/.exec(text)?.groups ?? {};
  const address = bracketed ?? plain;
  return isIP(address) === 0 ? undefined : address;
}

function isAmong(networks: BlockList, address: string): boolean {
  return networks.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** Whether the request was forwarded by a proxy, trusted or not. */
export function isForwarded(request: Request): boolean {
  return FORWARDING_HEADERS.some((name) => request.headers.has(name));
}

/** Whether an address is a loopback address; also handles IPv4-mapped IPv6. */
export function isLoopback(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, "");
  return plain === "::1" || /^127(\.\d{1,3}){3}$/.test(plain);
}
