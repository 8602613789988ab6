import { fromBit } from "../../db/schema.ts";
import { presenter } from "../schema/record-map.ts";
import { sessionMap } from "../schema/sessions.ts";
import { BillableSession, NonBillableSession, type Session } from "./model.ts";
import type { ShownSessionRow } from "./repository.ts";

const presentBillable = presenter(sessionMap, BillableSession);
const presentNonBillable = presenter(sessionMap, NonBillableSession);

/** Converts a session to its API model. */
export function presentSession(row: ShownSessionRow): Session {
  return fromBit(row.is_billable) ? presentBillable(row) : presentNonBillable(row);
}
