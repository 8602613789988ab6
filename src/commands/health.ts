import { ConfigurationError } from "../config.ts";
import { Refused } from "../lib/refused.ts";
import type { Output } from "./output.ts";

/** How long an answer may take, in milliseconds; Docker's own limit for a health check is 30 seconds. */
const PATIENCE = 5_000;

/**
 * Asks a server whether it and its database are well, and prints its answer in one line.
 *
 * @param url the server's address, such as `http://127.0.0.1:3000`.
 * @throws Refused where it does not answer, or is not well.
 * @throws ConfigurationError for an address that is none.
 */
export async function healthCommand({ output }: { output: Output }, url: string): Promise<void> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new ConfigurationError(
      `--url must be an address such as https://caseload.example, not "${url}".`,
    );
  const answer = await fetch(`${url.replace(/\/$/, "")}/readyz`, {
    signal: AbortSignal.timeout(PATIENCE),
  }).catch(({ name, code = name }: { name: string; code?: string }) => {
    throw new Refused(`Nothing answers at ${url} (${code}).`);
  });
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  if (body.status === "ok")
    return output.result(body.disk === undefined ? "ok" : `ok, but the disk is ${body.disk}`);
  const reason = typeof body.error === "string" ? body.error : "not as Caseload does";
  throw new Refused(`${url} answers ${answer.status}: ${reason}.`);
}
