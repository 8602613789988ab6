/** Shorter texts cannot be nested so deeply that they hold up others. */
const SHORT = 10_000;

/** Far more than any record or request needs. */
const MAX_DEPTH = 1_000;

/**
 * Parses JSON. A text that consists of brackets takes a hundred times as long as others of its length, so nesting has a
 * limit.
 *
 * @throws SyntaxError if it is no JSON, or nested too deeply.
 */
export function parseJson(text: string): unknown {
  if (text.length > SHORT && isNestedDeeply(text)) throw new SyntaxError("Nested too deeply");
  return JSON.parse(text);
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

function isNestedDeeply(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
      if (index === -1) return false;
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth -= 1;
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) depth += 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The index of the quote that ends a string: one behind an even number of backslashes. -1 if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let last = end - 1;
    while (text.charCodeAt(last) === BACKSLASH) last -= 1;
    if ((end - last) % 2 === 1) return end;
  }
  return -1;
}
