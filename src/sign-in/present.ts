import { fromBit, type PasskeyRow } from "../../db/schema.ts";
import type { Passkey } from "./model.ts";

/** A passkey as responses show it, without what identifies it to an authenticator. */
export function presentPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    isSynced: fromBit(row.is_synced),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
