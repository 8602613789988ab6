import { permissions } from "../access/permissions.ts";
import { roles } from "../access/roles.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  headersOf,
  type Reference,
  type Refusal,
  refusalResponse,
  type ResponseObject,
  sentenceSchema,
  sharedResponse,
  type SharedStatus,
} from "./openapi-errors.ts";
import { type JsonSchema, reference } from "./openapi-schemas.ts";

/** Every answer of an endpoint, good and bad, as the pipeline gives them (decisions 1, 8). */

/** The answers of an endpoint by status; `answer` is the schema of the good one. */
export function responsesOf(
  endpoint: Endpoint,
  answer: JsonSchema,
): Record<number, ResponseObject | Reference> {
  const { status, body, errorStyle: style = "standard" } = endpoint;
  const withBody: SharedStatus[] = body === undefined ? [] : [413, 415];
  const shared: SharedStatus[] = [401, 405, ...withBody, 429, 500, 503];
  return {
    [status]: goodAnswer(endpoint, answer),
    ...malformedInput(endpoint),
    ...Object.fromEntries(shared.map((refused) => [refused, sharedResponse(refused, style)])),
    ...Object.fromEntries(
      ownRefusals(endpoint).map(([refused, refusal]) => [
        refused,
        refusalResponse(refused, style, refusal),
      ]),
    ),
  };
}

/** Whether an endpoint recognizes retries by their `Idempotency-Key`. */
export function acceptsIdempotencyKey({ method, body }: Endpoint): boolean {
  return method === "POST" && body !== undefined;
}

function goodAnswer(endpoint: Endpoint, schema: JsonSchema): ResponseObject {
  return {
    description: endpoint.status === 201 ? "Created." : "Done.",
    headers: acceptsIdempotencyKey(endpoint) ? headersOf("Idempotency-Replayed") : headersOf(),
    content: { "application/json": { schema } },
  };
}

/** The 400 of an endpoint that takes any input: a list of issues, and a sentence where there may be one. */
function malformedInput(endpoint: Endpoint): Record<number, ResponseObject> {
  const { params, query, body, refusals, errorStyle: style = "standard" } = endpoint;
  if ((params ?? query ?? body) === undefined) return {};
  const issues = reference(style === "goal" ? "GoalValidationError" : "ValidationError");
  const malformedKey = acceptsIdempotencyKey(endpoint)
    ? "A malformed `Idempotency-Key` is answered in one sentence."
    : undefined;
  const inSentence = joined(refusals?.[400], malformedKey);
  const list = "Malformed input; each offending field is listed.";
  return {
    400: {
      description: inSentence === undefined ? list : `${list} ${inSentence}`,
      headers: headersOf(),
      content: {
        "application/json": {
          schema:
            inSentence === undefined ? issues : { anyOf: [issues, sentenceSchema(400, style)] },
        },
      },
    },
  };
}

/** The refusals that are described for this endpoint alone. */
function ownRefusals(endpoint: Endpoint): [number, Refusal][] {
  const { refusals = {}, failure } = endpoint;
  const reusedKey = acceptsIdempotencyKey(endpoint)
    ? "The `Idempotency-Key` was used with another request body."
    : undefined;
  const own: [number, Refusal | undefined][] = [
    [403, forbidden(endpoint)],
    [404, described(refusals[404])],
    [409, described(refusals[409])],
    [422, described(joined(refusals[422], reusedKey))],
    [500, failure === undefined ? undefined : described(refusals[500] ?? failure, failure)],
  ];
  return own.filter((refusal): refusal is [number, Refusal] => refusal[1] !== undefined);
}

/** The 403, unless every key may call; with the roles that may, so that nobody must try. */
function forbidden({ permission, refusals }: Endpoint): Refusal | undefined {
  const rule = permissions[permission];
  if (rule.roles.length === roles.length) return described(refusals?.[403]);
  const roleRule = `The key's role may not do this. Roles that may: ${rule.roles.join(", ")}.`;
  return described(joined(roleRule, refusals?.[403]), rule.refusal);
}

function described(description: string | undefined, ...sentences: string[]): Refusal | undefined {
  return description === undefined ? undefined : { description, sentences };
}

function joined(...parts: (string | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? undefined : given.join(" ");
}
