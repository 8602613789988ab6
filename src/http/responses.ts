import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { issueCodes } from "../lib/errors.ts";
import { EnumField } from "../schema/fields.ts";

/** The bodies of refusals, and which of them a route may answer: for its declaration, its document and its clients. */

const Issue = Type.Object(
  {
    code: EnumField(issueCodes),
    message: Type.String(),
    path: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
      description: "Property names and array indexes; empty for the body as a whole.",
    }),
  },
  {
    $id: "Issue",
    description: "One offending field, with the first rule that it breaks.",
    examples: [{ code: "invalid_type", message: "Required", path: ["client", "firstName"] }],
  },
);

export const ValidationError = Type.Object(
  {
    message: Type.Literal("Validation Error"),
    statusCode: Type.Literal(400),
    validationErrors: Type.Array(Issue),
  },
  {
    $id: "ValidationError",
    description: "Malformed input, with every offending field (at most 50).",
  },
);

export const PlainError = Type.Object(
  { error: Type.String(), statusCode: Type.Integer({ description: "The HTTP status." }) },
  { $id: "PlainError", description: "A refusal in one sentence." },
);

export const GoalValidationError = Type.Object(
  { error: Type.Literal("Validation error"), details: Type.Array(Issue) },
  {
    $id: "GoalValidationError",
    description: "Malformed input of a goal endpoint, with every offending field (at most 50).",
  },
);

export const GoalError = Type.Object(
  { error: Type.String() },
  { $id: "GoalError", description: "A refusal of a goal endpoint in one sentence." },
);

/** A refusal as one route describes it: when it is given, and its sentence where it is always the same. */
function described<Schema extends TObject>({ properties }: Schema) {
  return (description: string, sentence?: string) =>
    Type.Object(properties as Schema["properties"], {
      description,
      ...(sentence !== undefined && { examples: [sentence] }),
    });
}

export const refused = described(PlainError);
export const goalRefused = described(GoalError);

function both<Issues extends TSchema, Sentence extends TSchema>(
  issues: Issues,
  sentence: Sentence,
) {
  return (description: string) => Type.Union([issues, sentence], { description });
}

/** A 400 that is a list of issues, or one sentence, for which see the description. */
export const refusedInput = both(ValidationError, PlainError);
export const goalRefusedInput = both(GoalValidationError, GoalError);

const MALFORMED_KEY = "A malformed `Idempotency-Key` is answered in one sentence.";
const REUSED_KEY = "The `Idempotency-Key` was used with another request body.";

/** What every route may answer. */
export const refusals = {
  400: ValidationError,
  401: PlainError,
  403: PlainError,
  405: PlainError,
  414: PlainError,
  429: PlainError,
  500: PlainError,
  503: PlainError,
};

/** What a route with a body may answer besides. */
export const bodyRefusals = { 413: PlainError, 415: PlainError };

/** What a route may answer whose requests can be repeated under an `Idempotency-Key`. */
export const creationRefusals = {
  ...refusals,
  ...bodyRefusals,
  400: refusedInput(MALFORMED_KEY),
  422: refused(REUSED_KEY),
};

export const goalRefusals = {
  400: GoalValidationError,
  401: PlainError,
  403: PlainError,
  405: GoalError,
  414: PlainError,
  429: PlainError,
  500: GoalError,
  503: GoalError,
};

export const goalBodyRefusals = { 413: GoalError, 415: GoalError };

export const goalCreationRefusals = {
  ...goalRefusals,
  ...goalBodyRefusals,
  400: goalRefusedInput(MALFORMED_KEY),
  422: goalRefused(REUSED_KEY),
};

/** The description of a 400 that has sentences of its own besides that of a malformed key. */
export function orMalformedKey(description: string): string {
  return `${description} ${MALFORMED_KEY}`;
}
