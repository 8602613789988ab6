import type { WebhookRow } from "../../db/schema.ts";

/** The state of an endpoint: `failing` if its last call failed, `off` after it answered 410. */
export function stateOf({ is_off, failures }: WebhookRow): "active" | "failing" | "off" {
  if (is_off === 1) return "off";
  return failures > 0 ? "failing" : "active";
}
