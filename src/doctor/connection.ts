import type { Database } from "../../db/database.ts";
import { readTlsVersion } from "../../db/postgresql/inspection.ts";
import type { ServerAddress } from "../../db/postgresql/url.ts";
import { type Check, passed, failed } from "./check.ts";

const NAME = "connection";

/** Checks the protection of the connection to a PostgreSQL server. */
export async function checkConnection(
  database: Database,
  { sslmode, isLocal }: ServerAddress,
): Promise<Check> {
  if (sslmode === undefined) return passed(NAME, "a socket of this machine");
  const tls = await database.read(readTlsVersion);
  if (isLocal) return passed(NAME, `within this machine, ${tls ?? "without TLS"}`);
  if (tls === null)
    return failed(NAME, "unencrypted: remove sslmode from the URL, and enable TLS on the server");
  switch (sslmode) {
    case "verify-full":
      return passed(NAME, `${tls}, with a verified certificate and name`);
    case "verify-ca":
      return failed(
        NAME,
        `${tls}, but the name in the certificate is not verified: sslmode=verify-full`,
      );
    default:
      return failed(NAME, `${tls}, but the certificate is not verified: sslmode=verify-full`);
  }
}
