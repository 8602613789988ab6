import { intakeLeadMap } from "../schema/intake-leads.ts";
import { presenter } from "../schema/record-map.ts";
import { IntakeLead } from "./model.ts";
import type { LeadLabels, ShownLeadRow } from "./repository.ts";

const present = presenter(intakeLeadMap, IntakeLead);

/** Converts a lead to its API model. */
export function presentLead(row: ShownLeadRow, labels: LeadLabels): IntakeLead {
  return present(row, {
    stageKey: row.stage_key,
    labelIds: (labels.get(row.public_id) ?? []).map((link) => link.label_id),
  });
}
