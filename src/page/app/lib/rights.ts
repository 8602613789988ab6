import { me } from "./me.ts";
import { WRITERS, type Written } from "./writers.ts";

/** Whether the holder of the key may write records of a type. */
export function mayWrite(type: Written): boolean {
  const { role, isReadOnly } = me().key;
  return !isReadOnly && WRITERS[type].includes(role);
}
