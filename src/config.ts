import { existsSync, readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import type { Role } from "./callers/roles.ts";
import { isLoopback } from "./http/client-address.ts";
import type { CalendarDate } from "./lib/calendar-date.ts";
import type { Instant } from "./lib/instant.ts";
import { CommandError } from "./lib/command-error.ts";

/**
 * Parses flags and environment into typed configuration. No other module reads the environment. Flags take precedence
 * over variables, and variables over defaults.
 */

export type Environment = Record<string, string | undefined>;

/** An invalid flag or variable (exit status 2). */
export class ConfigurationError extends Error {}

export interface ServerConfiguration {
  /** 0 selects a free port. */
  port: number;
  host: string;
  /** Origins whose pages may call the API; `*` allows all. Empty: CORS is off. */
  corsOrigins: readonly string[];
  /**
   * Trusted proxies, which terminate TLS and set `X-Forwarded-For`: this machine and those configured. Undefined
   * without a proxy.
   */
  proxies: BlockList | undefined;
  /** Where browsers open the page; undefined if it is only at `http://localhost`, or people cannot sign in. */
  origin: string | undefined;
  /** Paths of certificate and key, in PEM; undefined without TLS. */
  tls: { certificate: string; key: string } | undefined;
  /** Requests per minute allowed for one key; undefined for no limit. */
  keyRateLimit: number | undefined;
  /** Whether it has the tools for agents. */
  mcp: boolean;
}

export interface ServerFlags {
  port?: string;
  host?: string;
  behindProxy?: boolean;
  trustedProxy?: string[];
  tlsCert?: string;
  tlsKey?: string;
  keyRateLimit?: number;
  origin?: string;
  mcp?: boolean;
  ephemeral?: boolean;
}

/** A key to create for a test. */
export interface KeyChoice {
  role: Role;
  readOnly: boolean;
}

/** The flags of `serve` for its practice and clock. */
export interface PracticeFlags {
  demo?: boolean;
  date?: CalendarDate;
  ephemeral?: boolean;
  import?: string;
  now?: Instant;
  key?: readonly KeyChoice[];
  webhook?: readonly string[];
}

/** The users of this machine, one per line. */
const USERS = "/etc/passwd";

const DEFAULT_DATABASE = "caseload.db";
/** A file of its own, so that whoever goes on to their own practice has no fictitious patients in it. */
export const DEMO_DATABASE = "demo.db";
const DEFAULT_PORT = "3000";
const DEFAULT_HOST = "127.0.0.1";
const THIS_MACHINE = ["127.0.0.0/8", "::1"];

/** The database of a command: `--database`, else `DATABASE_URL`. */
export function databaseUrl(
  flag: string | undefined,
  environment: Environment,
  { isDemo = false } = {},
): string {
  return flag ?? (environment.DATABASE_URL || (isDemo ? DEMO_DATABASE : DEFAULT_DATABASE));
}

/** The address of the server on this machine, with the configured port. */
export function localServerUrl(environment: Environment): string {
  return `http://${DEFAULT_HOST}:${portOf(environment.PORT || DEFAULT_PORT)}`;
}

/** The operating system user who runs the command; under sudo, the user who called it. */
export function operatorOf(environment: Environment): string {
  const uid = process.getuid?.();
  // Trusted only for root, since other users can set the variable themselves.
  return (uid === 0 && environment.SUDO_USER) || nameOfUser(uid);
}

/** The name of a user, or the number if there is no name, as in containers. (The runtime would return $USER.) */
function nameOfUser(uid: number | undefined): string {
  const users = existsSync(USERS) ? readFileSync(USERS, "utf8").split("\n") : [];
  const [name] = users.map((line) => line.split(":")).find((user) => user[2] === `${uid}`) ?? [];
  return name || `user ${uid}`;
}

/**
 * The configuration of the server.
 *
 * @throws ConfigurationError for an invalid port, origin or network, a trusted proxy without `--behind-proxy`, and a
 * certificate without its key.
 * @throws CommandError for an address that other machines can reach, without TLS or a proxy that terminates it.
 */
export function serverConfiguration(
  flags: ServerFlags,
  environment: Environment,
): ServerConfiguration {
  const configuration = {
    // An ephemeral server uses a free port by default.
    port: portOf(flags.port ?? (flags.ephemeral ? "0" : environment.PORT || DEFAULT_PORT)),
    host: flags.host ?? (environment.HOST || DEFAULT_HOST),
    corsOrigins: listed(environment.CORS_ORIGINS).map(originOf),
    proxies: proxiesOf(flags, environment),
    origin: pageOrigin(flags.origin, environment),
    tls: tlsOf(flags),
    keyRateLimit: flags.keyRateLimit,
    mcp: flags.mcp === true,
  };
  requireProtection(configuration);
  return configuration;
}

/**
 * Refuses combinations of flags of `serve` that make no sense.
 *
 * @param database the value of `--database`, which an ephemeral server does not accept.
 * @throws ConfigurationError that names the flags.
 */
export function requireCoherence(flags: PracticeFlags, database: string | undefined): void {
  const { demo, date, ephemeral, import: file, now, key, webhook } = flags;
  if (!ephemeral && (file ?? now ?? key) !== undefined)
    throw new ConfigurationError("--import, --now and --key go with --ephemeral.");
  if (!ephemeral && webhook !== undefined)
    throw new ConfigurationError("--webhook goes with --ephemeral.");
  if (ephemeral && database !== undefined)
    throw new ConfigurationError(
      "--ephemeral creates its own database and cannot be combined with --database.",
    );
  if (file !== undefined && demo) throw new ConfigurationError("Give either --demo or --import.");
  const isDemo = demo || (ephemeral && file === undefined);
  if (!isDemo && date !== undefined)
    throw new ConfigurationError("--date is for the demo practice: add --demo.");
}

function requireProtection({ host, proxies, tls }: ServerConfiguration): void {
  if (host === "localhost" || isLoopback(host)) return;
  if (proxies !== undefined || tls !== undefined) return;
  throw new CommandError(
    `Listening on ${host} would send patients' data over the network unencrypted. Give --tls-cert and --tls-key, or --behind-proxy if a proxy in front terminates TLS.`,
  );
}

/**
 * Where browsers open the page: the flag, else `ORIGIN`; undefined if neither is given.
 *
 * @throws ConfigurationError unless it is `https://` and a name, or `http://localhost`, as browsers write it: passkeys
 * belong to a host name, and other addresses get none.
 */
export function pageOrigin(flag: string | undefined, environment: Environment): string | undefined {
  const text = flag ?? (environment.ORIGIN || undefined);
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url !== null && isPageOrigin(url) && url.origin === text) return text;
  throw new ConfigurationError(
    `The origin must be https:// and a name, such as https://caseload.example, or http://localhost, without a path; not "${text}".`,
  );
}

function isPageOrigin({ protocol, hostname }: URL): boolean {
  if (protocol === "http:") return hostname === "localhost";
  return protocol === "https:" && isIP(hostname) === 0 && !hostname.startsWith("[");
}

function tlsOf({ tlsCert, tlsKey }: ServerFlags): ServerConfiguration["tls"] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new ConfigurationError("--tls-cert and --tls-key go together.");
  return { certificate: tlsCert, key: tlsKey };
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^[0-9]{1,5}$/.test(text) || port > 65_535)
    throw new ConfigurationError(`The port must be a number from 0 to 65535, not "${text}".`);
  return port;
}

function proxiesOf(
  { behindProxy, trustedProxy }: ServerFlags,
  environment: Environment,
): BlockList | undefined {
  const networks = trustedProxy ?? listed(environment.TRUSTED_PROXIES);
  if (behindProxy !== true) {
    if (networks.length === 0) return undefined;
    throw new ConfigurationError("--trusted-proxy and TRUSTED_PROXIES need --behind-proxy.");
  }
  const proxies = new BlockList();
  for (const network of [...THIS_MACHINE, ...networks]) addNetwork(proxies, network);
  return proxies;
}

function addNetwork(proxies: BlockList, text: string): void {
  const { address = "", length } =
    /^(?<address>[^/]+)(?:\/(?<length>[0-9]{1,3}))?$/.exec(text)?.groups ?? {};
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  const longest = family === "ipv4" ? 32 : 128;
  const prefix = Number(length ?? longest);
  if (isIP(address) === 0 || prefix > longest)
    throw new ConfigurationError(
      `A trusted proxy must be an address or a network such as 10.0.0.0/8, not "${text}".`,
    );
  proxies.addSubnet(address, prefix, family);
}

/** The elements of a list separated by commas. */
function listed(text = ""): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

function originOf(text: string): string {
  // A star in a name would be taken for the name itself, which no browser sends.
  if (text === "*" || (URL.parse(text)?.origin === text && !text.includes("*"))) return text;
  throw new ConfigurationError(
    `CORS_ORIGINS must be origins such as https://app.example separated by commas, not "${text}".`,
  );
}
