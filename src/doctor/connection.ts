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
    return failed(
      NAME,
      "in the clear: leave sslmode out of the URL, and have the server speak TLS",
    );
  switch (sslmode) {
    case "verify-full":
      return passed(NAME, `${tls}, with the server's certificate and its name checked`);
    case "verify-ca":
      return failed(
        NAME,
        `${tls}, but nobody checks the name in the certificate: sslmode=verify-full`,
      );
    default:
      return failed(NAME, `${tls}, but nobody checks whose certificate it is: sslmode=verify-full`);
  }
}
