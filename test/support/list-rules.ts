import type { Issue } from "../../src/lib/errors.ts";

/** What refuses the parameters of lists. */

/** The body of a 400 in the validation shape. */
export function validationBody(...validationErrors: Issue[]) {
  return { message: "Validation Error", statusCode: 400, validationErrors };
}

/** The issue of an unknown parameter. */
export function unknownParameter(name: string): Issue {
  return {
    code: "unrecognized_keys",
    message: "Is no parameter of this operation",
    path: [name],
  };
}
