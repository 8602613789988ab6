import type { TObject } from "@sinclair/typebox";

/** Replaces text that is not valid UTF-8. Validation refuses it everywhere. */
const UNDECODABLE = "\uD800";

/** Decimal digits with an optional minus sign. */
const INTEGER = /^-?[0-9]+$/;

export interface QueryInput {
  /**
   * The model's parameters: integers in digits as numbers, repeated parameters as lists (which all models refuse),
   * others as text.
   */
  parameters: Record<string, unknown>;
  /** The distinct unknown names, in order of the query. */
  unknown: string[];
}

/** Parses the query string of a URL for a model. Without a model, all names are unknown. */
export function queryInput(url: string, model: TObject | undefined): QueryInput {
  const parameters: Record<string, unknown> = {};
  const unknown = new Set<string>();
  for (const pair of queryOf(url).split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (model === undefined || !Object.hasOwn(model.properties, name)) {
      // Unpaired surrogates cannot be encoded in the response.
      unknown.add(name.toWellFormed());
      continue;
    }
    const value = input(
      model.properties[name]?.type,
      equals === -1 ? "" : decode(pair.slice(equals + 1)),
    );
    parameters[name] = Object.hasOwn(parameters, name) ? [parameters[name], value] : value;
  }
  return { parameters, unknown: [...unknown] };
}

function queryOf(url: string): string {
  const start = url.indexOf("?");
  if (start === -1) return "";
  const end = url.indexOf("#", start);
  return url.slice(start + 1, end === -1 ? undefined : end);
}

function input(type: string, text: string): unknown {
  if (type !== "integer" || !INTEGER.test(text)) return text;
  // Clamps integers beyond the range of a double, so that they are reported as too big and not as infinite.
  return Math.max(-Number.MAX_VALUE, Math.min(Number(text), Number.MAX_VALUE));
}

/** Percent-decodes a name or value. A `%` that is not part of an escape stays, as in browsers. */
function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return spaced.replace(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent);
  } catch {
    return UNDECODABLE;
  }
}
