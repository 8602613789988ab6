import { type BlockList, isIP, isIPv4, isIPv6 } from "node:net";

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

/**
 * What one client has: an IPv4 address, or the first 64 bits of an IPv6 address, of which a home has all the others.
 *
 *     networkOf("2001:db8:0:7::1")   // "2001:db8:0:7::/64"
 *     networkOf("::ffff:192.0.2.1")  // "192.0.2.1"
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // The host of a URL has each address in one spelling. A zone, as of link-local addresses, is none of its parts.
  const [plain = ""] = address.split("%");
  const shortest = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [start = "", end] = shortest.split("::");
  const groups = start === "" ? [] : start.split(":");
  const ends = end === undefined || end === "" ? [] : end.split(":");
  const zeros = Array<string>(end === undefined ? 0 : 8 - groups.length - ends.length).fill("0");
  const all = [...groups, ...zeros, ...ends];
  if (all.slice(0, 6).join(":") === "0:0:0:0:0:ffff") return ipv4Of(all.slice(6));
  return `${all.slice(0, 4).join(":")}::/64`;
}

function ipv4Of(groups: readonly string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join(".");
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
