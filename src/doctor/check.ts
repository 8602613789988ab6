/** The result of one check of `caseload doctor`. */
export interface Check {
  name: string;
  ok: boolean;
  /** What was found, or advice. */
  message: string;
}

export function passed(name: string, message: string): Check {
  return { name, ok: true, message };
}

export function failed(name: string, message: string): Check {
  return { name, ok: false, message };
}
