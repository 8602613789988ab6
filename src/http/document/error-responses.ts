import { SEQUENCE } from "../../schema/unchanged-since.ts";
import {
  errorBody,
  type ErrorStyle,
  hasPlainShape,
  NO_TEMPORARY_FILE,
  PlainError,
} from "../errors.ts";
import { type JsonSchema, reference } from "./schema-components.ts";

/** Errors in the OpenAPI document: their body schemas and headers, and the errors that all endpoints share. */

export interface Reference {
  $ref: string;
}

/** Examples of a request or a response by name. */
export type Examples = Record<string, { summary: string; value: unknown }>;

export interface ResponseObject {
  description: string;
  headers: Record<string, Reference>;
  /** By media type. */
  content: Record<string, { schema: JsonSchema; example?: unknown; examples?: Examples }>;
  links?: Record<string, LinkObject>;
}

/** A link from a response to another operation, with the values that become its parameters. */
export interface LinkObject {
  operationId: string;
  parameters: Record<string, string>;
}

const text: JsonSchema = { type: "string" };

export interface HeaderObject {
  description: string;
  required?: boolean;
  schema: JsonSchema;
  example?: string;
}

export const headerComponents = {
  "X-Request-Id": {
    description: "The id of the request, as in the service's log.",
    required: true,
    schema: text,
  },
  "Cache-Control": {
    description: "Responses contain health data and must not be cached.",
    required: true,
    schema: { type: "string", const: "no-store" },
  },
  "X-Content-Type-Options": {
    description: "Clients must not guess another media type than `Content-Type`.",
    required: true,
    schema: { type: "string", const: "nosniff" },
  },
  "Idempotency-Replayed": {
    description: "Present if this is the response to an earlier request with the same key.",
    schema: { type: "string", const: "true" },
  },
  [SEQUENCE]: {
    description:
      "The sequence of the organization's last write in the snapshot of the response, for `after` and `unchangedSince`. Of several responses, use the smallest.",
    required: true,
    schema: { type: "integer", minimum: 0 },
  },
  "WWW-Authenticate": {
    description: "The authentication scheme.",
    required: true,
    schema: { type: "string", const: "Bearer" },
  },
  Allow: {
    description: "The methods that the path supports.",
    required: true,
    schema: text,
    example: "GET, HEAD",
  },
  "Retry-After": {
    description: "Seconds to wait before a retry.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
} satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof headerComponents;

/** Headers of a response: the common ones, and its own. */
export function headersOf(...own: HeaderName[]): Record<string, Reference> {
  const names: HeaderName[] = ["X-Request-Id", "Cache-Control", "X-Content-Type-Options", ...own];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** An error in the document: when it occurs, and its messages or examples of them. */
export interface ErrorDescription {
  description: string;
  messages?: string[];
  header?: HeaderName;
}

export function describedError(
  status: number,
  style: ErrorStyle,
  { description, messages = [], header }: ErrorDescription,
): ResponseObject {
  const schema = messageSchema(status, style);
  const examples = Object.fromEntries(
    messages.map((error) => [
      error.toLowerCase().replaceAll(/\W+/g, "-"),
      { summary: error, value: errorBody(new PlainError(status, error), style) },
    ]),
  );
  return {
    description,
    headers: headersOf(...(header === undefined ? [] : [header])),
    content: { "application/json": messages.length === 0 ? { schema } : { schema, examples } },
  };
}

function messageSchema(status: number, style: ErrorStyle): JsonSchema {
  return reference(hasPlainShape(status, style) ? "PlainError" : "GoalError");
}

const sharedErrors = {
  401: {
    name: "Unauthorized",
    description: "The API key is missing, unknown, revoked or expired.",
    messages: ["API key required", 'Send the key as "Authorization: Bearer …"', "Invalid API key"],
    header: "WWW-Authenticate",
  },
  405: {
    name: "MethodNotAllowed",
    description: "The path does not support this method.",
    messages: ["Method not allowed"],
    header: "Allow",
  },
  408: {
    name: "RequestTimeout",
    description:
      "The body arrived too slowly: with less than 1 KB/s over a minute, or not within 10 minutes.",
    messages: ["Request body arrived too slowly"],
  },
  413: {
    name: "PayloadTooLarge",
    description:
      "The body is larger than 1 MiB, or others would have to wait for its writing for more than 10 seconds.",
    messages: ["Request body must not be larger than 1 MiB", "Send it in parts"],
  },
  414: {
    name: "UriTooLong",
    description: "The request line (method, path with query, and version) is longer than 8 KiB.",
    messages: ["Request line must not be longer than 8 KiB"],
  },
  415: {
    name: "UnsupportedMediaType",
    description:
      "The `Content-Type` is not `application/json`, or the body has a `Content-Encoding` other than `identity`.",
    messages: ["Content-Type must be application/json", "Content-Encoding is not supported"],
  },
  429: {
    name: "TooManyRequests",
    description:
      "The key has sent too many requests in a minute or has too many expensive requests waiting, or the address has sent too many requests without a valid key.",
    messages: ["Too many requests"],
    header: "Retry-After",
  },
  500: {
    name: "InternalServerError",
    description: "An unexpected error. The service's log has details under the request id.",
    messages: ["Internal server error"],
  },
  503: {
    name: "ServiceUnavailable",
    description:
      "The database is temporarily busy or full, or the request takes or waits too long: a read more than 30 seconds, a write 2 minutes, an export 5. Nothing was written.",
    messages: [
      ...["Service temporarily unavailable", "Takes too long; ask for less"],
      NO_TEMPORARY_FILE,
    ],
    header: "Retry-After",
  },
} satisfies Record<number, ErrorDescription & { name: string }>;

export type SharedStatus = keyof typeof sharedErrors;

export function isShared(status: number): status is SharedStatus {
  return status in sharedErrors;
}

/** A reference to a shared error. Goal endpoints have some in their own shape. */
export function sharedResponse(status: SharedStatus, style: ErrorStyle): Reference {
  const { name } = sharedErrors[status];
  const prefix = hasPlainShape(status, style) ? "" : "Goal";
  return { $ref: `#/components/responses/${prefix}${name}` };
}

/** The targets of `sharedResponse`. */
export const responseComponents: Record<string, ResponseObject> = Object.fromEntries(
  Object.entries(sharedErrors).flatMap(([key, { name, ...error }]) => {
    const status = Number(key);
    const standard = [name, describedError(status, "standard", error)];
    return hasPlainShape(status, "goal")
      ? [standard]
      : [standard, [`Goal${name}`, describedError(status, "goal", error)]];
  }),
);
