import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { DatabaseError } from "../errors.ts";

/** The address of a PostgreSQL server. */
export interface ServerAddress {
  host: string;
  port: number;
  user: string | undefined;
  password: string | undefined;
  database: string;
  /** As in libpq, with the default filled in; undefined for a socket. */
  sslmode: SslMode | undefined;
  /** Whether the connection stays on this machine. */
  isLocal: boolean;
  /** TLS options in the order in which they are tried; `false` is a connection without TLS. */
  tls: (ConnectionOptions | false)[];
  /** The name of the database in messages, without the password. */
  name: string;
}

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
export type SslMode = (typeof SSL_MODES)[number];

/** Modes that permit connections without TLS. */
const MAY_BE_CLEAR: readonly SslMode[] = ["disable", "allow", "prefer"];

const PARAMETERS = ["host", "sslmode", "sslrootcert", "sslcert", "sslkey"] as const;
type Parameters = Partial<Record<(typeof PARAMETERS)[number], string>>;

export function isServerUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//i.test(url);
}

/**
 * Refuses a URL or path with quotes or white space around it, as files of environment variables leave them: a server's
 * URL would be used as the name of a file.
 *
 * @throws DatabaseError without any part of it, since it may contain a password.
 */
export function requireBareUrl(url: string): void {
  if (!/^["'`\s]|["'`\s]$/.test(url)) return;
  throw invalidUrl("has quotes or white space around it; remove them, also where it is set");
}

/** Options for opening a database. */
export interface ConnectionSafety {
  /** Permits modes without TLS for servers on other machines. */
  isInsecure?: boolean | undefined;
}

/**
 * Parses a `postgres://user:password@host:port/database` URL. `?host=/folder` names a folder of Unix sockets.
 * `sslmode`, `sslrootcert`, `sslcert` and `sslkey` have the meaning of libpq. The default of `sslmode` is `prefer` for
 * this machine and `verify-full` for others.
 *
 * @throws DatabaseError for an invalid URL, and for a mode without TLS to another machine. The message contains no
 * part of the URL.
 */
export function parseServerUrl(
  url: string,
  { isInsecure = false }: ConnectionSafety = {},
): ServerAddress {
  requireBareUrl(url);
  const parsed = URL.parse(url);
  if (parsed === null)
    throw invalidUrl("is not a URL such as postgres://user:password@host:5432/caseload");
  const parameters = parametersOf(parsed);
  const host = parameters.host ?? (unbracketed(decoded(parsed.hostname)) || "localhost");
  const port = parsed.port === "" ? 5432 : Number(parsed.port);
  const database = decoded(parsed.pathname.slice(1));
  if (database === "") throw invalidUrl("names no database: end it with /caseload");
  const sslmode = sslModeOf(host, parameters);
  if (sslmode !== undefined && MAY_BE_CLEAR.includes(sslmode) && !isLocal(host) && !isInsecure)
    throw invalidUrl(
      `has sslmode=${sslmode}, with which passwords and patients' data may cross the network in the clear; leave it out, or give --insecure-database`,
    );
  return {
    host,
    port,
    user: decoded(parsed.username) || undefined,
    password: decoded(parsed.password) || undefined,
    database,
    sslmode,
    isLocal: isLocal(host),
    tls: sslmode === undefined ? [false] : tlsOf(sslmode, parameters),
    name: `the database ${database} of PostgreSQL at ${host}:${port}`,
  };
}

function invalidUrl(what: string): DatabaseError {
  return new DatabaseError(`The database URL ${what}.`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalidUrl("has a % that begins no escape; write a % of a password as %25");
  }
}

function parametersOf({ searchParams }: URL): Parameters {
  const unknown = [...searchParams.keys()].find((name) => !isParameter(name));
  if (unknown !== undefined)
    throw invalidUrl(`has a parameter that is not known here; known are ${PARAMETERS.join(", ")}`);
  return Object.fromEntries(searchParams);
}

function isParameter(name: string): boolean {
  return (PARAMETERS as readonly string[]).includes(name);
}

/** Removes the brackets of an IPv6 address. */
function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

function isLocal(host: string): boolean {
  return host.startsWith("/") || /^(localhost|127(\.[0-9]{1,3}){3}|::1)$/i.test(host);
}

/** Undefined for Unix sockets, which have no TLS. */
function sslModeOf(host: string, { sslmode }: Parameters): SslMode | undefined {
  if (host.startsWith("/")) return undefined;
  if (sslmode === undefined) return isLocal(host) ? "prefer" : "verify-full";
  const mode = SSL_MODES.find((mode) => mode === sslmode);
  if (mode === undefined)
    throw invalidUrl(
      "has an unknown sslmode; it must be one of disable, allow, prefer, require, verify-ca and verify-full",
    );
  return mode;
}

function tlsOf(sslmode: SslMode, parameters: Parameters): ServerAddress["tls"] {
  const { sslrootcert, sslcert, sslkey } = parameters;
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
      // As in libpq, naming a certificate authority implies checking it.
      return [sslrootcert === undefined ? unverified : ofAuthority];
    case "verify-ca":
      return [ofAuthority];
    case "verify-full":
      return [certificates];
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw invalidUrl(`names a certificate or key file that cannot be read: ${path}`);
  }
}
