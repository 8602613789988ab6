import { Command } from "@commander-js/extra-typings";
import { ConfigurationError, localServerUrl } from "../config.ts";
import { CommandError } from "../lib/command-error.ts";
import { directly } from "../lib/directly.ts";
import type { CommandContext } from "./context.ts";
import type { Output } from "./output.ts";

export function command(context: CommandContext) {
  return new Command("health")
    .description("check the health of a server and its database: one line, exit status 0 or 1")
    .option("--url <url>", "its address (default: http://127.0.0.1:PORT)")
    .action(({ url = localServerUrl(context.environment) }) => healthCommand(context, url));
}

/** Timeout for the response, in milliseconds. Docker's own timeout for health checks is 30 seconds. */
const TIMEOUT = 5_000;

/**
 * Asks a server for its health, and prints one line.
 *
 * @param url the server's address, such as `http://127.0.0.1:3000`.
 * @throws CommandError if it does not respond, or is not healthy.
 * @throws ConfigurationError for an invalid address.
 */
export async function healthCommand({ output }: { output: Output }, url: string): Promise<void> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new ConfigurationError(
      `--url must be an address such as https://caseload.example, not "${url}".`,
    );
  const response = await fetch(`${url.replace(/\/$/, "")}/readyz`, {
    signal: AbortSignal.timeout(TIMEOUT),
    ...directly(url),
  }).catch(({ name, code }: { name: string; code?: string }) => {
    throw new CommandError(
      name === "TimeoutError" || code === "ECONNREFUSED"
        ? `Nothing answers at ${url} (${name === "TimeoutError" ? name : code}).`
        : `Cannot connect to ${url} (${code ?? name}): check the address, and with https: the certificate.`,
    );
  });
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (body.status === "ok")
    return output.result(body.disk === undefined ? "ok" : `ok, but the disk is ${body.disk}`);
  const reason = typeof body.error === "string" ? body.error : "not as Caseload does";
  throw new CommandError(`${url} answers ${response.status}: ${reason}.`);
}
