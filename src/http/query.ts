import type { TObject } from "@sinclair/typebox";

/** Text that is no UTF-8 is handed on as this, which validation refuses wherever it stands. */
const UNDECODABLE = "\uD800";

/** Plain decimal digits with an optional minus, and nothing else. */
const INTEGER = /^-?[0-9]+$/;

/** What a query string says. */
export interface QueryInput {
  /**
   * The parameters that the model has: an integer parameter written in digits is a number, one given twice is a list
   * (which no model takes), all others are text.
   */
  given: Record<string, unknown>;
  /** The names that it does not have, each once, in the order of the query. */
  unknown: string[];
}

/** Reads the query string of a URL for a model; without one, every name is unknown. */
export function queryInput(url: string, model: TObject | undefined): QueryInput {
  const given: Record<string, unknown> = {};
  const unknown = new Set<string>();
  for (const pair of queryOf(url).split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (model === undefined || !Object.hasOwn(model.properties, name)) {
      // A half surrogate is no text that everybody's JSON can carry.
      unknown.add(name.toWellFormed());
      continue;
    }
    const value = input(
      model.properties[name]?.type,
      equals === -1 ? "" : decode(pair.slice(equals + 1)),
    );
    given[name] = Object.hasOwn(given, name) ? [given[name], value] : value;
  }
  return { given, unknown: [...unknown] };
}

function queryOf(url: string): string {
  const start = url.indexOf("?");
  if (start === -1) return "";
  const end = url.indexOf("#", start);
  return url.slice(start + 1, end === -1 ? undefined : end);
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
