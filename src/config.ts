import { existsSync, readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { isLoopback } from "./http/client-address.ts";
import type { CalendarDate } from "./lib/calendar-date.ts";
import type { Instant } from "./lib/instant.ts";
import { Refused } from "./lib/refused.ts";

/**
 * Flags and environment become typed configuration here; nobody else reads the environment. A flag wins over
 * its variable, and both over the default.
 */

export type Environment = Record<string, string | undefined>;

/** A flag or variable that cannot be used: the command line was wrong (exit status 2). */
export class ConfigurationError extends Error {}

export interface ServerConfiguration {
  /** 0 takes a free port. */
  port: number;
  host: string;
  /** Origins whose pages may call the API; `*` is any. Empty switches CORS off. */
  corsOrigins: readonly string[];
  /**
   * Proxies in front of the server, which end TLS and say in `X-Forwarded-For` whose request they hand on: this
   * machine, and others that are named. Undefined where there are none.
   */
  proxies: BlockList | undefined;
  /** Paths of the certificate and its key, both in PEM; undefined without TLS. */
  tls: { certificate: string; key: string } | undefined;
  /** Requests that one key may make in a minute; undefined for no limit. */
  keyRateLimit: number | undefined;
}

export interface ServerFlags {
  port?: string;
  host?: string;
  behindProxy?: boolean;
  trustedProxy?: string[];
  tlsCert?: string;
  tlsKey?: string;
  keyRateLimit?: number;
  ephemeral?: boolean;
}

/** What `serve` is to serve, and when. */
export interface PracticeFlags {
  demo?: boolean;
  seed?: number;
  date?: CalendarDate;
  ephemeral?: boolean;
  import?: string;
  now?: Instant;
}

/** Who the users of this machine are, a line each. */
const USERS = "/etc/passwd";

const DEFAULT_DATABASE = "caseload.db";
const DEFAULT_PORT = "3000";
const DEFAULT_HOST = "127.0.0.1";
const THIS_MACHINE = ["127.0.0.0/8", "::1"];

/** Which database a command works on: `--database`, else `DATABASE_URL`. */
export function databaseUrl(flag: string | undefined, environment: Environment): string {
  return flag ?? (environment.DATABASE_URL || DEFAULT_DATABASE);
}

/** The address of the server on this machine, of which the port may be configured. */
export function localServerUrl(environment: Environment): string {
  return `http://${DEFAULT_HOST}:${portOf(environment.PORT || DEFAULT_PORT)}`;
}

/** The operating system's user who gave the command: behind sudo, the one who called it. */
export function operatorOf(environment: Environment): string {
  const uid = process.getuid?.();
  // Only root has it from sudo: others may have set it themselves.
  return (uid === 0 && environment.SUDO_USER) || nameOfUser(uid);
}

/** A user without a name, as in containers, is named by the number. (The runtime answers what $USER says.) */
function nameOfUser(uid: number | undefined): string {
  const users = existsSync(USERS) ? readFileSync(USERS, "utf8").split("\n") : [];
  const [name] = users.map((line) => line.split(":")).find((user) => user[2] === `${uid}`) ?? [];
  return name || `user ${uid}`;
}

/**
 * Where the server listens, and how it is protected.
 *
 * @throws ConfigurationError for a port, an origin or a network that is none, a trusted proxy of a server that has
 * none, and a certificate without its key.
 * @throws Refused for an address that other machines can reach, without TLS or a proxy that ends it.
 */
export function serverConfiguration(
  flags: ServerFlags,
  environment: Environment,
): ServerConfiguration {
  const configuration = {
    // What runs for the length of a test stands in nobody's way.
    port: portOf(flags.port ?? (flags.ephemeral ? "0" : environment.PORT || DEFAULT_PORT)),
    host: flags.host ?? (environment.HOST || DEFAULT_HOST),
    corsOrigins: originsOf(environment.CORS_ORIGINS),
    proxies: proxiesOf(flags, environment),
    tls: tlsOf(flags),
    keyRateLimit: flags.keyRateLimit,
  };
  requireProtection(configuration);
  return configuration;
}

/**
 * Refuses flags of `serve` that do not go together.
 *
 * @param database what `--database` names, which an ephemeral server has no use for.
 * @throws ConfigurationError with the flags in question.
 */
export function requireCoherence(flags: PracticeFlags, database: string | undefined): void {
  const { demo, seed, date, ephemeral, import: file, now } = flags;
  if (!ephemeral && (file !== undefined || now !== undefined))
    throw new ConfigurationError("--import and --now go with --ephemeral.");
  if (ephemeral && database !== undefined)
    throw new ConfigurationError("--ephemeral makes a database of its own, without --database.");
  if (file !== undefined && demo) throw new ConfigurationError("Give either --demo or --import.");
  const isDemo = demo || (ephemeral && file === undefined);
  if (!isDemo && (seed !== undefined || date !== undefined))
    throw new ConfigurationError("--seed and --date are those of the demo practice: give --demo.");
}

function requireProtection({ host, proxies, tls }: ServerConfiguration): void {
  if (host === "localhost" || isLoopback(host)) return;
  if (proxies !== undefined || tls !== undefined) return;
  throw new Refused(
    `Listening on ${host} would send patients' data over the network in the clear. Give --tls-cert and --tls-key, or --behind-proxy if a proxy in front ends TLS.`,
  );
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
    throw new ConfigurationError("--trusted-proxy needs --behind-proxy.");
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

function originsOf(text: string | undefined): string[] {
  return listed(text).map(originOf);
}

/** The parts of a list that is separated by commas. */
function listed(text = ""): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

function originOf(text: string): string {
  if (text === "*" || (URL.canParse(text) && new URL(text).origin === text)) return text;
  throw new ConfigurationError(
    `CORS_ORIGINS must hold origins such as https://app.example separated by commas, not "${text}".`,
  );
}
