import { type BlockList, isIP, isIPv4 } from "node:net";

/** Headers by which a proxy says that it hands on the request of another. */
const FORWARDING_HEADERS = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * The address that a request comes from; undefined where it is not known.
 *
 * Behind proxies it is in `X-Forwarded-For`, to which each proxy adds the address that it was asked from. So the
 * header is read from its end, past addresses that are proxies themselves, and what stands before the first other
 * one is the client's own word. From a connection that is no proxy's, all of it is.
 *
 * @param connection the address of the other end of the connection.
 * @param proxies whose word counts; undefined where there is no proxy.
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

/** An address as proxies write it: with a port or without, IPv6 in brackets or, without a port, bare. */
function hostOf(text: string): string | undefined {
  const { bracketed, plain = text } =
    /^(?:\[(?<bracketed>[^\]]*)\]|(?<plain>[^:]*))(?::\d{1,5})?$/.exec(text)?.groups ?? {};
  const address = bracketed ?? plain;
  return isIP(address) === 0 ? undefined : address;
}

function isAmong(networks: BlockList, address: string): boolean {
  return networks.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** Whether a proxy has handed the request on, whatever it says of where the request comes from. */
export function isForwarded(request: Request): boolean {
  return FORWARDING_HEADERS.some((name) => request.headers.has(name));
}

/** Whether an address is this machine's own; IPv4 may be written as IPv6. */
export function isLoopback(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, "");
  return plain === "::1" || /^127(\.\d{1,3}){3}$/.test(plain);
}
