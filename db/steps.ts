import type { Engine } from "./database.ts";

/** A change of the tables of a released version. */
export interface Step {
  name: string;
  /** For both engines, or for each; an engine that is not named has nothing to do. */
  statements: readonly string[] | Partial<Record<Engine, readonly string[]>>;
}

/**
 * What the databases of released versions lack, in order: none yet. A step that was released never changes and takes
 * nothing from the program, since it must do the same in years.
 */
export const steps: readonly Step[] = [];

export function statementsFor(engine: Engine, { statements }: Step): readonly string[] {
  return "forEach" in statements ? statements : (statements[engine] ?? []);
}
