import { constants } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ServerConfiguration } from "./config.ts";
import { CommandError } from "./lib/command-error.ts";

/**
 * Only ciphers with forward secrecy, so that a key stolen later does not decrypt recorded traffic. All TLS 1.3 ciphers
 * have it.
 */
const CIPHERS = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/** Leaves TLS 1.2 and 1.3. */
const OLD_VERSIONS = constants.SSL_OP_NO_TLSv1 | constants.SSL_OP_NO_TLSv1_1;

/** Browsers that were here use only HTTPS for a year. Without subdomains, which may not be ours. */
export const STRICT_TRANSPORT = "max-age=31536000";

/**
 * TLS options with the current content of the certificate file; undefined without a certificate.
 *
 * @throws CommandError if a file cannot be read.
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
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch {}
  if (text.includes("-----BEGIN ")) return text;
  throw new CommandError(
    `Cannot read ${path}; --tls-cert and --tls-key must name readable PEM files.`,
  );
}
