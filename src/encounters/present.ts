import { presenter } from "../schema/record-map.ts";
import { encounterMap } from "../schema/sessions.ts";
import { Encounter } from "./model.ts";

/** Converts an encounter to its API model. */
export const presentEncounter = presenter(encounterMap, Encounter);
