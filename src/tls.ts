import { constants } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ServerConfiguration } from "./config.ts";
import { Refused } from "./lib/refused.ts";

/** Without forward secrecy, a key that is stolen later opens what was recorded earlier. All of TLS 1.3 have it. */
const CIPHERS = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/** TLS 1.2 and 1.3 are left. */
const OLD_VERSIONS = constants.SSL_OP_NO_TLSv1 | constants.SSL_OP_NO_TLSv1_1;

/** For a year a browser that was here once comes by HTTPS only. Other names of the domain are not ours to speak for. */
export const STRICT_TRANSPORT = "max-age=31536000";

/**
 * How connections are encrypted, with the certificate as it is in its file now; undefined without one.
 *
 * @throws Refused for a file that cannot be read.
 */
export function tlsOptions({ tls }: ServerConfiguration) {
  return (
    tls && {
      cert: readPem(tls.certificate),
      key: readPem(tls.key),
      ciphers: CIPHERS,
      secureOptions: OLD_VERSIONS,
    }
  );
}

function readPem(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Refused(
      `Cannot read ${path}; --tls-cert and --tls-key must name readable PEM files.`,
    );
  }
}
