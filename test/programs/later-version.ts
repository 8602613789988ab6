import { type Step, steps } from "../../db/steps.ts";
import { laterStep } from "../support/steps.ts";

/**
 * Preloaded, this adds a migration of a later version: `bun --preload
 * test/programs/later-version.ts src/main.ts`.
 */
(steps as Step[]).push(laterStep);
