import { InvalidInput } from "../lib/errors.ts";
import { PlainError } from "./errors.ts";

/** The largest body that is read, in bytes (decisions 1). */
export const MAX_BODY_BYTES = 1024 * 1024;

const JSON_MEDIA_TYPE = /^application\/json\s*(;|$)/i;

/** The body of a request: its bytes, and the JSON value in them; undefined for an empty body. */
export interface Body {
  bytes: Uint8Array;
  value: unknown;
}

/**
 * Reads a JSON body.
 *
 * @throws PlainError 413 over the limit, 415 for another media type.
 * @throws InvalidInput for bytes that are no UTF-8 or no JSON.
 */
export async function readJsonBody(request: Request): Promise<Body> {
  const bytes = await readLimited(request);
  if (!JSON_MEDIA_TYPE.test(request.headers.get("content-type") ?? ""))
    throw new PlainError(415, "Content-Type must be application/json");
  return { bytes, value: bytes.length === 0 ? undefined : parseJson(bytes) };
}

async function readLimited(request: Request): Promise<Uint8Array> {
  const announced = Number(request.headers.get("content-length") ?? Number.NaN);
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  if (announced <= MAX_BODY_BYTES) return request.bytes();
  // A chunked body announces no size, so reading stops where it grows too long.
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): PlainError {
  return new PlainError(413, "Request body must not be larger than 1 MiB");
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
