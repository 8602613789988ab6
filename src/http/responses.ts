import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { issueCodes, issueReasons } from "../lib/errors.ts";
import { EnumField, OneOf } from "../schema/fields.ts";

/** Schemas of error bodies, and the errors of routes: for their declarations, the OpenAPI document and clients. */

const PathStep = OneOf([Type.String(), Type.Integer()], {
  $id: "IssuePathStep",
  description: "The name of a property, or an array index.",
});

const Issue = Type.Object(
  {
    code: EnumField(issueCodes),
    message: Type.String(),
    path: Type.Array(PathStep, {
      description: "Property names and array indexes; empty if the body as a whole is invalid.",
    }),
    reason: Type.Optional(
      EnumField(issueReasons, {
        $id: "IssueReason",
        description: "Why a line of a practice file is refused; other issues have none.",
      }),
    ),
  },
  {
    $id: "Issue",
    description: "An invalid field, with the first rule that it breaks.",
    examples: [{ code: "invalid_type", message: "Required", path: ["client", "firstName"] }],
  },
);

export const ValidationFailure = Type.Object(
  {
    message: Type.Literal("Validation Error"),
    statusCode: Type.Literal(400),
    validationErrors: Type.Array(Issue),
  },
  {
    $id: "ValidationFailure",
    description: "Malformed input, with its invalid fields (at most 50; 100 for a practice file).",
  },
);

/** Records that have changed since the client read them. */
export const PreconditionFailure = Type.Object(
  {
    message: Type.Literal("Precondition Failed"),
    statusCode: Type.Literal(412),
    validationErrors: Type.Array(Issue),
  },
  {
    $id: "PreconditionFailure",
    description: "Records that have changed since, one issue each (at most 100).",
    examples: [
      {
        message: "Precondition Failed",
        statusCode: 412,
        validationErrors: [
          {
            code: "custom",
            message: "Has changed since 12",
            path: [2],
            reason: "changed_since",
          },
        ],
      },
    ],
  },
);

export const PlainError = Type.Object(
  { error: Type.String(), statusCode: Type.Integer({ description: "The HTTP status." }) },
  { $id: "PlainError", description: "An error in one sentence." },
);

export const GoalValidationFailure = Type.Object(
  { error: Type.Literal("Validation error"), details: Type.Array(Issue) },
  {
    $id: "GoalValidationFailure",
    description: "Malformed input of a goal endpoint, with its invalid fields (at most 50).",
  },
);

export const GoalError = Type.Object(
  { error: Type.String() },
  { $id: "GoalError", description: "An error of a goal endpoint in one sentence." },
);

/**
 * An error in the declaration of a route: when it occurs, and examples of its message. Those of a 403 are known from the
 * permission.
 */
function described<Schema extends TObject>({ properties }: Schema) {
  return (description: string, ...examples: string[]) =>
    Type.Object(properties as Schema["properties"], { description, examples });
}

export const errorResponse = described(PlainError);
export const goalErrorResponse = described(GoalError);

function both<Issues extends TSchema, Message extends TSchema>(issues: Issues, message: Message) {
  return (description: string) => Type.Union([issues, message], { description });
}

/** Both bodies of such a 400, for the OpenAPI document. */
export const MalformedRequest = Type.Union([ValidationFailure, PlainError], {
  $id: "MalformedRequest",
});
export const MalformedGoalRequest = Type.Union([GoalValidationFailure, GoalError], {
  $id: "MalformedGoalRequest",
});

/** A 400 with a list of issues or a message, as its description explains. */
export const inputErrorResponse = both(ValidationFailure, PlainError);
const goalInputErrorResponse = both(GoalValidationFailure, GoalError);

const MALFORMED_KEY = "If the `Idempotency-Key` is malformed, the response is one sentence.";
const REUSED_KEY = [
  "The `Idempotency-Key` was already used with another request body, or with other query parameters.",
  "Idempotency-Key was used with another request body",
  "Idempotency-Key was used with other query parameters",
] as const;

/** Errors of every route. */
export const commonErrors = {
  400: ValidationFailure,
  401: PlainError,
  403: PlainError,
  405: PlainError,
  414: PlainError,
  429: PlainError,
  500: PlainError,
  503: PlainError,
};

export const bodyErrors = { 408: PlainError, 413: PlainError, 415: PlainError };

/** Errors of routes that support the `Idempotency-Key` header. */
export const creationErrors = {
  ...commonErrors,
  ...bodyErrors,
  400: inputErrorResponse(MALFORMED_KEY),
  422: errorResponse(...REUSED_KEY),
};

export const commonGoalErrors = {
  400: GoalValidationFailure,
  401: PlainError,
  403: PlainError,
  405: GoalError,
  414: PlainError,
  429: PlainError,
  500: GoalError,
  503: GoalError,
};

export const goalBodyErrors = { 408: GoalError, 413: GoalError, 415: GoalError };

export const goalCreationErrors = {
  ...commonGoalErrors,
  ...goalBodyErrors,
  400: goalInputErrorResponse(MALFORMED_KEY),
  422: goalErrorResponse(...REUSED_KEY),
};

/** Describes a 400 that has its own messages in addition to that for a malformed key. */
export function orMalformedKey(description: string): string {
  return `${description} ${MALFORMED_KEY}`;
}

/** A header of a response to HEAD, as GET has it, whose body is streamed. Without it, the length would be 0. */
export const STREAMED = { "transfer-encoding": "chunked" };
