import type { TObject } from "@sinclair/typebox";

/** Text that is no UTF-8 is handed on as this, which validation refuses wherever it stands. */
const UNDECODABLE = "\uD800";

/** Plain decimal digits with an optional minus, and nothing else. */
const INTEGER = /^-?[0-9]+$/;

/**
 * The parameters of a query string as the input that a model is checked against: an integer parameter
 * written in digits is a number, one given twice is a list (which no model takes), all others are text.
 * Parameters that the model does not name are left out.
 */
export function queryInput(url: string, model: TObject): Record<string, unknown> {
  const start = url.indexOf("?");
  if (start === -1) return {};
  const values: Record<string, unknown> = {};
  const end = url.indexOf("#", start);
  for (const pair of url.slice(start + 1, end === -1 ? undefined : end).split("&")) {
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (!Object.hasOwn(model.properties, name)) continue;
    const value = input(
      model.properties[name]?.type,
      equals === -1 ? "" : decode(pair.slice(equals + 1)),
    );
    values[name] = Object.hasOwn(values, name) ? [values[name], value] : value;
  }
  return values;
}

function input(type: string, text: string): unknown {
  if (type !== "integer" || !INTEGER.test(text)) return text;
  // Digits beyond what a double holds are an integer that is too big, not an infinite number.
  return Math.max(-Number.MAX_VALUE, Math.min(Number(text), Number.MAX_VALUE));
}

/** Percent-decodes one name or value. A `%` that begins no escape stands for itself, as in a browser. */
function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return spaced.replace(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent);
  } catch {
    return UNDECODABLE;
  }
}
