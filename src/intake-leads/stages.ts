import { quoted } from "../lib/text.ts";
import type { Client } from "./model.ts";

/** An active stage of the intake board. */
export interface Stage {
  public_id: string;
  /** The built-in key; null for a stage of the organization's own. */
  built_in_key: string | null;
}

/** The stage of a new lead, if the board has any; or a sentence that says why it is not to be had. */
export interface StageChoice {
  stage?: Stage | undefined;
  refusal?: string;
}

/**
 * Where a new lead starts on the board: on the stage that is asked for
 * by its id or its key, else on the first.
 *
 * @param board the active stages in board order; several may share a key.
 */
export function chooseStage(
  board: Stage[],
  { intakeStatusPublicId: id, intakeStatusKey: key }: Client,
): StageChoice {
  if (id !== undefined && key !== undefined)
    return {
      refusal: `Give intakeStatusPublicId (${quoted([id])}) or intakeStatusKey (${quoted([key])}), not both`,
    };
  if (id !== undefined) {
    const stage = board.find((candidate) => candidate.public_id === id);
    return stage
      ? { stage }
      : { refusal: `Unknown or inactive intakeStatusPublicId: ${quoted([id])}` };
  }
  if (key !== undefined) {
    const stage = board.find((candidate) => candidate.built_in_key === key);
    return stage
      ? { stage }
      : { refusal: `No active intake stage has the intakeStatusKey ${quoted([key])}` };
  }
  return { stage: board[0] };
}
