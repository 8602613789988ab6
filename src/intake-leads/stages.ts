import type { Db } from "../../db/database.ts";
import { quoted } from "../lib/text.ts";
import type { Client } from "./model.ts";
import { findStage } from "./repository.ts";

/** An active stage of the intake board. */
export interface Stage {
  public_id: string;
  /** The built-in key; null for a custom stage. */
  built_in_key: string | null;
}

/** The stage of a new lead (undefined if the board is empty), or an error message. */
export interface StageChoice {
  stage?: Stage;
  problem?: string;
}

/**
 * Chooses the stage of a new lead: the active stage with the requested id, the first active stage with the requested
 * key, or else the first active stage of the board.
 */
export async function chooseStage(
  db: Db,
  organizationId: string,
  { intakeStatusPublicId: id, intakeStatusKey: key }: Client,
): Promise<StageChoice> {
  if (id !== undefined && key !== undefined)
    return {
      problem: `Give intakeStatusPublicId (${quoted([id])}) or intakeStatusKey (${quoted([key])}), not both`,
    };
  const stage = await findStage(db, { organizationId, id, key });
  if (stage !== undefined) return { stage };
  if (id !== undefined)
    return { problem: `Unknown or inactive intakeStatusPublicId: ${quoted([id])}` };
  if (key !== undefined)
    return { problem: `No active intake stage has the intakeStatusKey ${quoted([key])}` };
  return {};
}
