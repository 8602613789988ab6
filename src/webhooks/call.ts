import { Webhook } from "standardwebhooks";
import type { WebhookRow } from "../../db/schema.ts";
import { type Instant, toInstant } from "../lib/instant.ts";

/** How long an endpoint may take to answer, in milliseconds. */
const PATIENCE = 15_000;

/** Bytes of a new secret; Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

const SECRET_PREFIX = "whsec_";

/** A new secret in the form of Standard Webhooks: `whsec_` and Base64. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `${SECRET_PREFIX}${Buffer.from(bytes).toString("base64")}`;
}

/** Why an endpoint is called: its practice has changed, or the operator tests it. */
export type WebhookEvent = "practice.changed" | "practice.test";

/** What came of a call: the status of the answer, or why there was none. */
export type CallOutcome = { status: number } | { failure: string };

/**
 * Calls an endpoint once, signed by Standard Webhooks 1.0 (beyond the specification, section 8). The message has no data
 * of the practice. Redirects are not followed: they could lead inside the network.
 *
 * @param stopped aborts the call.
 */
export async function callEndpoint(
  webhook: Pick<WebhookRow, "organization_id" | "id" | "url" | "secret">,
  event: { type: WebhookEvent; sequence: number; now: number },
  stopped?: AbortSignal,
): Promise<CallOutcome> {
  const { type, sequence, now } = event;
  const timestamp: Instant = toInstant(now);
  const body = JSON.stringify({
    type,
    timestamp,
    data: { organizationId: webhook.organization_id, sequence },
  });
  // The same message has the same id however often it is sent, so that a receiver can tell a repetition.
  const id = `${webhook.id}.${sequence}${type === "practice.test" ? `.test.${now}` : ""}`;
  const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE), ...(stopped ? [stopped] : [])]);
  try {
    const response = await fetch(webhook.url, {
      method: "POST",
      redirect: "manual",
      signal,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "caseload",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(now / 1_000)),
        "webhook-signature": new Webhook(webhook.secret).sign(id, new Date(now), body),
      },
      body,
    });
    // What it says besides is of no interest, and may be endless.
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    return { failure: name === "TimeoutError" ? "no answer in 15 s" : (code ?? "no connection") };
  }
}

/** Whether an endpoint has taken the message: any status of success. */
export function isAcknowledged(outcome: CallOutcome): boolean {
  return "status" in outcome && outcome.status >= 200 && outcome.status < 300;
}

/** An outcome in words, such as `status 500`. */
export function outcomeText(outcome: CallOutcome): string {
  return "status" in outcome ? `status ${outcome.status}` : outcome.failure;
}
