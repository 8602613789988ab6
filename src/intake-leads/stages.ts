import type { Db } from "../../db/database.ts";
import { quoted } from "../lib/text.ts";
import type { Client } from "./model.ts";
import { findStage } from "./repository.ts";

/** An active stage of the intake board. */
export interface Stage {
  public_id: string;
  /** The built-in key; null for a stage of the organization's own. */
  built_in_key: string | null;
}

/** The stage of a new lead, if the board has any; or a sentence that says why it is not to be had. */
export interface StageChoice {
  stage?: Stage;
  refusal?: string;
}

/**
 * Where a new lead starts on the board: on the active stage that is asked for by its id or its key, else on the first.
 * Several may share a key: then on the first of them.
 */
export async function chooseStage(
  db: Db,
  organizationId: string,
  { intakeStatusPublicId: id, intakeStatusKey: key }: Client,
): Promise<StageChoice> {
  if (id !== undefined && key !== undefined)
    return {
      refusal: `Give intakeStatusPublicId (${quoted([id])}) or intakeStatusKey (${quoted([key])}), not both`,
    };
  const stage = await findStage(db, { organizationId, id, key });
  if (stage !== undefined) return { stage };
  if (id !== undefined)
    return { refusal: `Unknown or inactive intakeStatusPublicId: ${quoted([id])}` };
  if (key !== undefined)
    return { refusal: `No active intake stage has the intakeStatusKey ${quoted([key])}` };
  return {};
}
