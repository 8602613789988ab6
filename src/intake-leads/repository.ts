import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { byId } from "../../db/join.ts";
import { readPage } from "../../db/page.ts";
import { prepared, preparedFirst } from "../../db/prepared.ts";
import type { IntakeLeadRow } from "../../db/schema.ts";
import type { PageSlice } from "../lib/page.ts";
import type { Instants } from "../schema/days.ts";
import { intakeLeadMap } from "../schema/intake-leads.ts";
import { columnsFor } from "../schema/record-map.ts";
import { IntakeLead } from "./model.ts";

/** Filter of leads by stage, label, channel, source, client and time of creation. */
export interface IntakeLeadFilter extends Instants {
  stageId?: string;
  labelId?: string;
  channel?: string;
  source?: string;
  clientId?: string;
}

/** One page of an organization's leads, ordered by creation in the given direction, then by id. */
export function listIntakeLeads(
  db: Db,
  organizationId: string,
  filter: IntakeLeadFilter,
  { direction, ...page }: PageSlice & { direction: "asc" | "desc" },
) {
  const list = selectMatching(db, organizationId, filter);
  const rows = selectShown(list).orderBy("lead.created_at", direction).orderBy("lead.public_id");
  return readPage(list, rows, page);
}

/** A lead of the organization. */
export function findIntakeLead(db: Db, organizationId: string, publicId: string) {
  return selectShown(selectMatching(db, organizationId, {}))
    .where("lead.public_id", "=", publicId)
    .executeTakeFirst();
}

/** The columns that the API shows, with the key of the lead's stage. */
export type ShownLeadRow = NonNullable<Awaited<ReturnType<typeof findIntakeLead>>>;

function selectShown(query: ReturnType<typeof selectMatching>) {
  return query
    .leftJoin("intake_stages as stage", byId("stage", "lead.stage_id"))
    .select([...shownColumns, "stage.built_in_key as stage_key"]);
}

const shownColumns = columnsFor(intakeLeadMap, IntakeLead).map(
  (column) => `lead.${column}` as const,
);

function selectMatching(db: Db, organizationId: string, filter: IntakeLeadFilter) {
  const { stageId, labelId, channel, source, clientId, from, to } = filter;
  let query = db
    .selectFrom("intake_leads as lead")
    .where("lead.organization_id", "=", organizationId);
  if (stageId !== undefined) query = query.where("lead.stage_id", "=", stageId);
  if (labelId !== undefined)
    query = query.where("lead.public_id", "in", ({ selectFrom }) =>
      selectFrom("intake_lead_labels")
        .select("lead_id")
        .where("organization_id", "=", organizationId)
        .where("label_id", "=", labelId),
    );
  if (channel !== undefined) query = query.where("lead.channel", "=", channel);
  if (source !== undefined) query = query.where("lead.source", "=", source);
  if (clientId !== undefined) query = query.where("lead.client_id", "=", clientId);
  if (from !== undefined) query = query.where("lead.created_at", ">=", from);
  if (to !== undefined) query = query.where("lead.created_at", "<=", to);
  return query;
}

/** The labels of leads, by lead, ordered by label id. */
export type LeadLabels = Awaited<ReturnType<typeof labelsOfLeads>>;

export async function labelsOfLeads(
  db: Db,
  organizationId: string,
  leads: readonly ShownLeadRow[],
) {
  const leadIds = leads.map((lead) => lead.public_id);
  const links = await db
    .selectFrom("intake_lead_labels")
    .select(["lead_id", "label_id"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("lead_id", leadIds))
    .orderBy("lead_id")
    .orderBy("label_id")
    .execute();
  return Map.groupBy(links, (link) => link.lead_id);
}

/** The requested stage, by id or key; without either, the first. */
interface StageQuery {
  organizationId: string;
  id: string | undefined;
  key: string | undefined;
}

/** The first active stage of the board that matches; undefined if none does. */
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

/** The given ids that exist among the organization's locations or labels. */
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

export const insertLead = prepared(
  (trx, lead: IntakeLeadRow & { sequence: number; first_sequence: number }) =>
    trx.insertInto("intake_leads").values(lead),
);

/** Adds labels to a new lead. Ids that the organization does not have are skipped. */
export const linkLabels = prepared(
  (_, { organizationId, leadId, labelIds }: NewLabels) => sql`
    insert into intake_lead_labels (organization_id, lead_id, label_id)
    select organization_id, ${leadId}, public_id from intake_labels
    where organization_id = ${organizationId} and ${isOneOf("public_id", labelIds)}
  `,
);

interface NewLabels {
  organizationId: string;
  leadId: string;
  labelIds: string[];
}
