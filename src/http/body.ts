import type { TSchema } from "@sinclair/typebox";
import { InvalidInput } from "../lib/errors.ts";
import { PlainError } from "./errors.ts";

const MIB = 1024 * 1024;

/** The body format of a route. */
interface BodyFormat {
  mediaType: string;
  /** Maximum size of the body. */
  maxBytes: number;
}

const JSON_BODY: BodyFormat = { mediaType: "application/json", maxBytes: MIB };

/** The format of a body's schema, if it is not JSON; the value is then the bytes of the body. */
export function formatOf(schema: TSchema): BodyFormat {
  return { ...JSON_BODY, ...(schema as Partial<BodyFormat>) };
}

/**
 * Reads a body, in the format of its schema.
 *
 * @throws PlainError 413 over the size limit, 415 for another media type, 400 for an incomplete body.
 */
export async function readBody(request: Request, schema: TSchema): Promise<Uint8Array> {
  const { mediaType, maxBytes } = formatOf(schema);
  const bytes = await readLimited(request, maxBytes);
  const [given = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (given.trim().toLowerCase() !== mediaType)
    throw new PlainError(415, `Content-Type must be ${mediaType}`);
  return bytes;
}

/**
 * Parses a body: as JSON (undefined for an empty body), or, for other formats, returns the bytes.
 *
 * @throws InvalidInput for invalid UTF-8 or JSON.
 */
export function parseBody(bytes: Uint8Array, schema: TSchema): unknown {
  if (formatOf(schema).mediaType !== JSON_BODY.mediaType) return bytes;
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

/** @throws PlainError 400 if the client disconnects; it never receives the response. */
async function readLimited(request: Request, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readUpTo(request, maxBytes);
  } catch (error) {
    if (error instanceof PlainError) throw error;
    throw new PlainError(400, "Request body did not arrive whole");
  }
}

async function readUpTo(request: Request, maxBytes: number): Promise<Uint8Array> {
  const announced = Number(request.headers.get("content-length") ?? Number.NaN);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  if (announced <= maxBytes) return request.bytes();
  // Chunked bodies do not announce their size, so the limit is checked while reading.
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): PlainError {
  return new PlainError(413, `Request body must not be larger than ${maxBytes / MIB} MiB`);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    // `request.json()` would silently replace invalid UTF-8.
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new InvalidInput([
      { code: "custom", message: "Request body must be valid JSON in UTF-8", path: [] },
    ]);
  }
}
