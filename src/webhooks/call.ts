import { createHmac } from "node:crypto";
import type { WebhookRow } from "../../db/schema.ts";
import { directly } from "../lib/directly.ts";
import { type Instant, toInstant } from "../lib/instant.ts";

/** Timeout for an endpoint's response, in milliseconds. */
const TIMEOUT = 15_000;

/** Length of a new secret in bytes; Standard Webhooks requires 24 to 64. */
const SECRET_BYTES = 32;

const SECRET_PREFIX = "whsec_";

/** A new secret in the format of Standard Webhooks: `whsec_` and Base64. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `${SECRET_PREFIX}${Buffer.from(bytes).toString("base64")}`;
}

/** The reason for a call: the practice has changed, or the operator tests the endpoint. */
export type WebhookEvent = "practice.changed" | "practice.test";

/** The result of a call: the status of the response, or why there was none. */
export type CallOutcome = { status: number } | { failure: string };

/**
 * Calls an endpoint once, signed as in Standard Webhooks 1.0. The message contains no data of the practice.
 * Redirects are not followed, since they could lead into the internal network. After a rotation, the call is also
 * signed with the previous secret for a time.
 *
 * @param stopped aborts the call.
 */
export async function callEndpoint(
  webhook: WebhookRow,
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
  // Repetitions of a message have the same id, so that receivers can recognize them. Without a full stop, since that
  // separates the parts of what is signed.
  const id = `${webhook.id}_${sequence}${type === "practice.test" ? `_test_${now}` : ""}`;
  const seconds = String(Math.floor(now / 1_000));
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT), ...(stopped ? [stopped] : [])]);
  try {
    const response = await fetch(webhook.url, {
      method: "POST",
      redirect: "manual",
      // The body is not read, so it need not be what its headers say.
      decompress: false,
      ...directly(webhook.url),
      signal,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "caseload",
        "webhook-id": id,
        "webhook-timestamp": seconds,
        "webhook-signature": secretsOf(webhook, timestamp)
          .map((secret) => signature(secret, `${id}.${seconds}.${body}`))
          .join(" "),
      },
      body,
    });
    // The body is ignored; it may be endless.
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    return { failure: name === "TimeoutError" ? "no answer in 15 s" : (code ?? "no connection") };
  }
}

function secretsOf({ secret, ...row }: WebhookRow, now: Instant): string[] {
  const { previous_secret: previous, previous_secret_until: until } = row;
  return previous !== null && until !== null && now < until ? [secret, previous] : [secret];
}

/** The signature of Standard Webhooks, version 1: HMAC-SHA256 with the bytes of the secret, as Base64. */
function signature(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

/** Whether an endpoint has acknowledged the message, with any 2xx status. */
export function isAcknowledged(outcome: CallOutcome): boolean {
  return "status" in outcome && outcome.status >= 200 && outcome.status < 300;
}

/** Formats an outcome, such as `status 500`. */
export function outcomeText(outcome: CallOutcome): string {
  return "status" in outcome ? `status ${outcome.status}` : outcome.failure;
}
