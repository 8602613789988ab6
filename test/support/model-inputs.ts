import fc from "fast-check";

/**
 * Generates random inputs from a model: mostly valid, with some parts replaced by other values. They reach deeper into
 * a model than inputs that are independent of it.
 */

/** The keywords of JSON Schema that the models use. */
interface Model {
  [keyword: string]: unknown;
}

/** Values that are unexpected almost everywhere. */
export const UNEXPECTED_VALUES: readonly unknown[] = [
  ...[null, true, 0, -0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}, [[]], [null]],
  ...["", " ", "\0", "\ud800", "null", "undefined", "__proto__", "%00", "' or 1=1 --", "🙂", "ﷺ"],
  ...["2024-02-30", "0000-01-01", "9999-12-31", "x".repeat(300), { __proto__: null, a: 1 }],
];

/** Texts for each format, including ones that are not canonical. */
const TEXTS: Record<string, readonly string[]> = {
  date: ["2024-02-29", "0001-01-01", "9999-12-31"],
  "date-time": ["2025-03-01T09:00-05:00", "2025-03-01T14:00:00.123987Z", "0001-01-01T00:00Z"],
  month: ["2026-11", "0001-01"],
  "time-zone": ["America/New_York", "US/Pacific", "UTC"],
  email: ["Ana@Maple.example", "a@b.co"],
  "us-phone": ["+14155552671", "+18085551234"],
  "public-id": ["usr_1", "X-9"],
  "public-ids": ["usr_1,X-9", "apt_1"],
  "goal-id": ["goal_1"],
};

export function inputsOf(model: object): fc.Arbitrary<unknown> {
  return anything(model as Model, new Map(), 0);
}

function anything(model: Model, named: Map<unknown, Model>, depth: number): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 100, arbitrary: fitting(model, named, depth) },
    { weight: 1, arbitrary: fc.constantFrom(...UNEXPECTED_VALUES) },
  );
}

function fitting(model: Model, named: Map<unknown, Model>, depth: number): fc.Arbitrary<unknown> {
  if (model.$id !== undefined) named = new Map(named).set(model.$id, model);
  const inner = (part: unknown) => anything(part as Model, named, depth + 1);
  if (model.$ref !== undefined) return fitting(named.get(model.$ref) as Model, named, depth);
  if (model.enum !== undefined) return fc.constantFrom(...(model.enum as string[]));
  if (model.anyOf !== undefined) return fc.oneof(...(model.anyOf as unknown[]).map(inner));
  if (model.type === "null") return fc.constant(null);
  if ("const" in model) return fc.constant(model.const);
  switch (model.type) {
    case "string":
      return texts(model);
    case "integer":
    case "number":
      return numbers(model);
    case "boolean":
      return fc.boolean();
    case "array":
      // Limits the depth of nested lists, so that generation of recursive models ends.
      return fc.array(fc.constant(model.items).chain(inner), {
        minLength: Number(model.minItems ?? 0),
        maxLength: depth > 6 ? Number(model.minItems ?? 0) : 3,
      });
    case "object":
      return objects(model, inner);
    default:
      throw new TypeError(`No inputs for ${JSON.stringify(model)}`);
  }
}

function texts(model: Model): fc.Arbitrary<string> {
  if (model.format !== undefined) {
    const known = TEXTS[model.format as string] ?? [""];
    const { pattern } = model as { pattern?: string };
    const fitting = known.filter((text) => pattern === undefined || new RegExp(pattern).test(text));
    return fc.constantFrom(...fitting);
  }
  if (model["x-item"] !== undefined) {
    const item = fc.constantFrom(...((model["x-item"] as Model).enum as string[]));
    return fc.array(item, { minLength: 1, maxLength: 3 }).map((values) => values.join(","));
  }
  if (model.pattern !== undefined) return fc.constantFrom(...(model.examples as string[]));
  const { minLength = 0, maxLength = 20 } = model as { minLength?: number; maxLength?: number };
  const plain = fc.string({ unit: "grapheme", minLength, maxLength });
  return model.visible === true ? plain.map((text) => ` a${text}b\n`) : plain;
}

function numbers({ type, minimum, exclusiveMinimum, maximum }: Model): fc.Arbitrary<number> {
  const min = Number(minimum ?? exclusiveMinimum ?? -1e6);
  const max = Math.min(Number(maximum ?? 1e6), 2 ** 31);
  return type === "integer"
    ? fc.integer({ min: Math.ceil(min), max })
    : fc.double({ min, max, noNaN: true, minExcluded: exclusiveMinimum !== undefined });
}

function objects(model: Model, inner: (part: unknown) => fc.Arbitrary<unknown>) {
  const { properties = {}, required = [] } = model as {
    properties?: Record<string, Model>;
    required?: string[];
  };
  const parts = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, inner(part)]),
  );
  const known = fc.record(parts, { requiredKeys: required });
  const unknown = fc.constantFrom({}, {}, { extra: 1 }, JSON.parse('{"__proto__":{"a":1}}'));
  return fc.tuple(known, unknown).map(([value, more]) => ({ ...value, ...more }));
}
