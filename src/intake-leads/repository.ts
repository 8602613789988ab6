import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { prepared, preparedFirst } from "../../db/prepared.ts";
import type { IntakeLeadRow } from "../../db/schema.ts";

/** Which stage is asked for: one with an id or a key, or whichever is first. */
interface StageQuery {
  organizationId: string;
  id: string | undefined;
  key: string | undefined;
}

/** The first active stage of the board that is as asked for; undefined where there is none. */
export const findStage = preparedFirst((db, { organizationId, id, key }: StageQuery) => {
  let stages = db
    .selectFrom("intake_stages")
    .select(["public_id", "built_in_key"])
    .where("organization_id", "=", organizationId)
    .where("is_active", "=", 1);
  if (id !== undefined) stages = stages.where("public_id", "=", id);
  if (key !== undefined) stages = stages.where("built_in_key", "=", key);
  return stages.orderBy("position").orderBy("public_id").limit(1);
});

/** Those of some ids that the organization's locations or labels have. */
export async function findIds(
  db: Db,
  table: keyof typeof existing,
  organizationId: string,
  ids: string[],
): Promise<Set<string>> {
  const rows = await existing[table](db, { organizationId, ids });
  return new Set(rows.map((row) => row.public_id));
}

const existing = { locations: idsIn("locations"), intake_labels: idsIn("intake_labels") };

function idsIn(table: "locations" | "intake_labels") {
  return prepared((db, { organizationId, ids }: { organizationId: string; ids: string[] }) =>
    db
      .selectFrom(table)
      .select("public_id")
      .where("organization_id", "=", organizationId)
      .where(isOneOf("public_id", ids)),
  );
}

export const insertLead = prepared((trx, lead: IntakeLeadRow) =>
  trx.insertInto("intake_leads").values(lead),
);

/** Puts those of some labels on a new lead that the organization has. */
export async function linkLabels(trx: Db, lead: IntakeLeadRow, labelIds: string[]): Promise<void> {
  const { organization_id: organizationId, public_id: leadId } = lead;
  await insertLabels(trx, { organizationId, leadId, labelIds });
}

const insertLabels = prepared(
  (
    _,
    {
      organizationId,
      leadId,
      labelIds,
    }: Record<"organizationId" | "leadId", string> & {
      labelIds: string[];
    },
  ) => sql`
    insert into intake_lead_labels (organization_id, lead_id, label_id)
    select organization_id, ${leadId}, public_id from intake_labels
    where organization_id = ${organizationId} and ${isOneOf("public_id", labelIds)}
  `,
);
