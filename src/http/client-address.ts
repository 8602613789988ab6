import { isIP } from "node:net";

/**
 * The address that a request comes from. Behind a proxy that is the last one in `X-Forwarded-For`, which the
 * proxy itself has added; what stands before it is the client's word, and without a proxy all of it is.
 */
export function clientAddress(
  request: Request,
  connection: string | undefined,
  behindProxy: boolean,
): string | undefined {
  if (!behindProxy) return connection;
  const forwarded = request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  return isIP(forwarded) === 0 ? connection : forwarded;
}

/** Whether an address is this machine's own; IPv4 may be written as IPv6. */
export function isLoopback(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, "");
  return plain === "::1" || /^127(\.\d{1,3}){3}$/.test(plain);
}
