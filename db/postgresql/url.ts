import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { DatabaseRefused } from "../errors.ts";

/** Where a PostgreSQL server is, as a URL says it. */
export interface ServerAddress {
  host: string;
  port: number;
  user: string | undefined;
  password: string | undefined;
  database: string;
  /** What is tried in this order: `false` is a connection without TLS. */
  tls: (ConnectionOptions | false)[];
  /** How messages call it, without a password. */
  name: string;
}

const PARAMETERS = ["host", "sslmode", "sslrootcert", "sslcert", "sslkey"] as const;
type Parameters = Partial<Record<(typeof PARAMETERS)[number], string>>;

export function isServerUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//i.test(url);
}

/**
 * Reads a `postgres://user:password@host:port/database` URL. `?host=/folder` names a folder of Unix sockets; `sslmode`,
 * `sslrootcert`, `sslcert` and `sslkey` mean what they do to libpq.
 *
 * @throws DatabaseRefused, with no part of the URL, for one that is none.
 */
export function parseServerUrl(url: string): ServerAddress {
  const parsed = URL.parse(url);
  if (parsed === null)
    throw refused("is no URL such as postgres://user:password@host:5432/caseload");
  const parameters = parametersOf(parsed);
  const host = parameters.host ?? (decoded(parsed.hostname) || "localhost");
  const port = parsed.port === "" ? 5432 : Number(parsed.port);
  const database = decoded(parsed.pathname.slice(1));
  if (database === "") throw refused("names no database: end it with /caseload");
  return {
    host,
    port,
    user: decoded(parsed.username) || undefined,
    password: decoded(parsed.password) || undefined,
    database,
    tls: tlsOf(host, parameters),
    name: `the database ${database} of PostgreSQL at ${host}:${port}`,
  };
}

function refused(what: string): DatabaseRefused {
  return new DatabaseRefused(`The database URL ${what}.`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw refused("has a % that begins no escape; write a % of a password as %25");
  }
}

function parametersOf({ searchParams }: URL): Parameters {
  const unknown = [...searchParams.keys()].find((name) => !isParameter(name));
  if (unknown !== undefined)
    throw refused(`has a parameter that is not known here; known are ${PARAMETERS.join(", ")}`);
  return Object.fromEntries(searchParams);
}

function isParameter(name: string): boolean {
  return (PARAMETERS as readonly string[]).includes(name);
}

function tlsOf(host: string, parameters: Parameters): ServerAddress["tls"] {
  const { sslmode = "prefer", sslrootcert, sslcert, sslkey } = parameters;
  // A Unix socket has none.
  if (host.startsWith("/")) return [false];
  const certificates: ConnectionOptions = {
    ...(sslrootcert !== undefined && { ca: contentOf(sslrootcert) }),
    ...(sslcert !== undefined && { cert: contentOf(sslcert) }),
    ...(sslkey !== undefined && { key: contentOf(sslkey) }),
  };
  const unverified = { ...certificates, rejectUnauthorized: false };
  const ofAuthority = { ...certificates, checkServerIdentity: () => undefined };
  switch (sslmode) {
    case "disable":
      return [false];
    case "allow":
      return [false, unverified];
    case "prefer":
      return [unverified, false];
    case "require":
      // As libpq has it: who names an authority wants it asked.
      return [sslrootcert === undefined ? unverified : ofAuthority];
    case "verify-ca":
      return [ofAuthority];
    case "verify-full":
      return [certificates];
    default:
      throw refused(
        "has an sslmode that is none of disable, allow, prefer, require, verify-ca and verify-full",
      );
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw refused(`names a certificate or key file that cannot be read: ${path}`);
  }
}
