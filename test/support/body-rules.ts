/** Bodies of requests and of errors. */

export type Json = Record<string, unknown>;

/** The error body with a message. */
export function plainBody(statusCode: number, error: string) {
  return { error, statusCode };
}

/** A copy of a body with a value at a path, such as `["client", "firstName"]`; undefined removes the field. */
export function withField<Body>(
  body: Body,
  [step, ...rest]: readonly (string | number)[],
  value: unknown,
): Body {
  if (step === undefined) return value as Body;
  const part = withField((body as Json | null | undefined)?.[step], rest, value);
  if (typeof step === "string") return { ...body, [step]: part };
  return Object.assign(Array.isArray(body) ? [...body] : [], { [step]: part }) as Body;
}
