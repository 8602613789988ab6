/** One step of the schema. A released step never changes, and never imports live code. */
export interface Migration {
  name: string;
  statements: readonly string[];
}
