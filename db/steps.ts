import type { Engine } from "./database.ts";

/** A change of the tables of a released version. */
export interface Step {
  name: string;
  /** For both engines, or by engine; engines that are not listed need no change. */
  statements: readonly string[] | Partial<Record<Engine, readonly string[]>>;
}

/**
 * Migration steps between released versions, in order; none yet. A released step never changes, and uses no code of the
 * program, so that it always does the same.
 */
export const steps: readonly Step[] = [];

export function statementsFor(engine: Engine, { statements }: Step): readonly string[] {
  return "forEach" in statements ? statements : (statements[engine] ?? []);
}
