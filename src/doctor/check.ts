/** One thing that a careful operator would look at. */
export interface Check {
  name: string;
  ok: boolean;
  /** What was found, or what to do about it. */
  message: string;
}

export function fine(name: string, message: string): Check {
  return { name, ok: true, message };
}

export function toDo(name: string, message: string): Check {
  return { name, ok: false, message };
}
