import { bufferBody } from "../buffered-body.ts";
import { nextPiece } from "../lib/turns.ts";

export const JSON_MEDIA_TYPE = "application/json; charset=utf-8";

/** A body whose lists may be streams of their elements, a batch at a time. */
type Streamed<Body> = {
  [Key in keyof Body]: Body[Key] extends readonly (infer Element)[]
    ? Body[Key] | AsyncIterable<Element[]>
    : Body[Key];
};

const HEADERS = { "Content-Type": JSON_MEDIA_TYPE };

/** Shorter bodies are sent at once, in bytes. */
const SHORT = 64 * 1024;

/**
 * Makes the response of a body that may be many megabytes long: its text is written in pieces, between which the event
 * loop turns, and kept in a file while it is sent.
 *
 * @returns a `Response`; typed as the body, from which clients' types are derived.
 */
export async function largeJson<Body extends object>(
  { method }: Request,
  body: Streamed<Body>,
): Promise<Body> {
  const buffered = await bufferBody(jsonPieces(body));
  const responseOf = (content: ConstructorParameters<typeof Response>[0]) =>
    new Response(content, { headers: HEADERS }) as never;
  if (buffered.size <= SHORT) return responseOf(await buffered.bytes());
  if (method !== "HEAD") return responseOf(buffered.stream(() => {}));
  // Elysia takes the length of a HEAD from the body, and would read the whole stream for it.
  buffered.discard();
  return responseOf(null);
}

async function* jsonPieces(body: object): AsyncGenerator<Uint8Array> {
  let text = "{";
  for (const [name, value] of Object.entries(body)) {
    text += `${text === "{" ? "" : ","}${JSON.stringify(name)}:`;
    if (!isList(value)) {
      text += JSON.stringify(value);
      continue;
    }
    let separator = "[";
    for await (const batch of Array.isArray(value) ? [value] : value)
      for (const element of batch) {
        text += separator + JSON.stringify(element);
        separator = ",";
        if (text.length < SHORT) continue;
        yield Buffer.from(text);
        text = "";
        await nextPiece();
      }
    text += separator === "[" ? "[]" : "]";
  }
  yield Buffer.from(`${text}}`);
}

function isList(value: unknown): value is unknown[] | AsyncIterable<unknown[]> {
  return (
    typeof value === "object" &&
    value !== null &&
    (Array.isArray(value) || Symbol.asyncIterator in value)
  );
}
