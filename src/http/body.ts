import type { TSchema } from "@sinclair/typebox";
import { InvalidInput } from "../lib/errors.ts";
import { PlainError } from "./errors.ts";

const MIB = 1024 * 1024;

/** How a route takes its body. */
interface BodyFormat {
  mediaType: string;
  /** The largest body that is read. */
  maxBytes: number;
}

const JSON_BODY: BodyFormat = { mediaType: "application/json", maxBytes: MIB };

/** The format that a body's schema names, for one that is no JSON; its value is then its bytes. */
export function formatOf(schema: TSchema): BodyFormat {
  return { ...JSON_BODY, ...(schema as Partial<BodyFormat>) };
}

/**
 * Reads the bytes of a body that is to be of the format of its schema.
 *
 * @throws PlainError 413 over the limit, 415 for another media type, 400 for a body that does not arrive whole.
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
 * What a body says: its JSON value, which is undefined for an empty body; or its bytes, where its format is another.
 *
 * @throws InvalidInput for bytes that are no UTF-8 or no JSON.
 */
export function parseBody(bytes: Uint8Array, schema: TSchema): unknown {
  if (formatOf(schema).mediaType !== JSON_BODY.mediaType) return bytes;
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

/** @throws PlainError 400 where the client goes away in the middle of it, and hears nothing of that. */
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
  // A chunked body announces no size, so reading stops where it grows too long.
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
    // `request.json()` would replace bytes that are no UTF-8 silently.
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new InvalidInput([
      { code: "custom", message: "Request body must be valid JSON in UTF-8", path: [] },
    ]);
  }
}
