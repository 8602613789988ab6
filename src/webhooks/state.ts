import type { WebhookRow } from "../../db/schema.ts";

/** How an endpoint is doing: `failing` since its last call, `off` since it answered 410. */
export function stateOf({ is_off, failures }: WebhookRow): "active" | "failing" | "off" {
  if (is_off === 1) return "off";
  return failures > 0 ? "failing" : "active";
}
