import type { TSchema } from "@sinclair/typebox";
import { type BufferedBody, bufferBody } from "../buffered-body.ts";
import { invalid } from "../lib/errors.ts";
import { parseJson } from "../lib/json.ts";
import { PlainError } from "./errors.ts";
import { MIN_BYTES_PER_MINUTE } from "./limits/slow-uploads.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

interface BodyFormat {
  mediaType: string;
  /** Further formats of a request's body. */
  otherMediaTypes?: readonly string[];
  maxBytes: number;
  /** Requests with a larger body are expensive. */
  shortBytes: number;
}

const JSON_BODY: BodyFormat = {
  ...{ mediaType: "application/json", maxBytes: MIB, shortBytes: 16 * KIB },
};

/** The format of a body's schema, if it is not JSON; the value is then the bytes of the body. */
export function formatOf(schema: TSchema): BodyFormat {
  return { ...JSON_BODY, ...(schema as Partial<BodyFormat>) };
}

/** A body that has arrived. */
type ReceivedBody = Pick<BufferedBody, "size" | "bytes" | "discard">;

/** Maximum size in memory of a body that may have to wait, in bytes. */
const MEMORY_BYTES = 64 * 1024;

/** The maximum size of a body that is read at once, in bytes. */
const SMALL_BYTES = Math.min(MEMORY_BYTES, MIN_BYTES_PER_MINUTE);

/**
 * Waits until a body has arrived, in the format of its schema.
 *
 * @param arrived is called with the size of each piece; a small body may be one.
 * @throws PlainError 413 over the size limit, 415 for another media type or an encoding, 400 for an incomplete body.
 */
export async function receiveBody(
  request: Request,
  schema: TSchema,
  arrived: (bytes: number) => void,
): Promise<ReceivedBody> {
  const { mediaType, otherMediaTypes = [], maxBytes } = formatOf(schema);
  const body = await receiveLimited(request, maxBytes, arrived);
  const unsupported = unsupportedMedia(request, [mediaType, ...otherMediaTypes]);
  if (unsupported === undefined) return body;
  body.discard();
  throw new PlainError(415, unsupported);
}

/** The media type of a request's body, without parameters. */
export function mediaTypeOf({ headers }: Request): string {
  const [mediaType = ""] = (headers.get("content-type") ?? "").split(";");
  return mediaType.trim().toLowerCase();
}

function unsupportedMedia(request: Request, mediaTypes: readonly string[]): string | undefined {
  const { headers } = request;
  if (!mediaTypes.includes(mediaTypeOf(request)))
    return `Content-Type must be ${mediaTypes.join(" or ")}`;
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() || "identity";
  return encoding === "identity" ? undefined : "Content-Encoding is not supported";
}

/**
 * Parses a body: as JSON (undefined for an empty body), or, for other formats, returns the bytes.
 *
 * @throws InvalidInput for invalid UTF-8 or JSON.
 */
export function parseBody(bytes: Uint8Array, schema: TSchema): unknown {
  if (formatOf(schema).mediaType !== JSON_BODY.mediaType) return bytes;
  return bytes.length === 0 ? undefined : parseText(bytes);
}

async function receiveLimited(
  request: Request,
  maxBytes: number,
  arrived: (bytes: number) => void,
): Promise<ReceivedBody> {
  const announced = Number(request.headers.get("content-length") ?? Number.NaN);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  if (announced > SMALL_BYTES || Number.isNaN(announced))
    return bufferBody(limited(request, maxBytes, arrived), MEMORY_BYTES);
  const bytes = await request.bytes().catch(incomplete);
  return { size: bytes.length, bytes: async () => bytes, discard() {} };
}

/** Chunked bodies do not announce their size, so the limit is checked while reading. */
async function* limited(
  { body }: Request,
  maxBytes: number,
  arrived: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const piece of body ?? []) {
      size += piece.length;
      arrived(piece.length);
      if (size > maxBytes) throw tooLarge(maxBytes);
      yield piece;
    }
  } catch (error) {
    if (error instanceof PlainError) throw error;
    incomplete();
  }
}

/** The client has disconnected, and will not receive the response. */
function incomplete(): never {
  throw new PlainError(400, "Request body did not arrive whole");
}

function tooLarge(maxBytes: number): PlainError {
  const limit = maxBytes < MIB ? `${maxBytes / KIB} KiB` : `${maxBytes / MIB} MiB`;
  return new PlainError(413, `Request body must not be larger than ${limit}`);
}

function parseText(bytes: Uint8Array): unknown {
  try {
    // `request.json()` would silently replace invalid UTF-8.
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalid([], "Request body must be valid JSON in UTF-8");
  }
}
