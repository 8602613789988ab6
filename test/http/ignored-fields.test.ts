import { describe, expect, test } from "bun:test";
import { tables } from "../../db/tables.ts";
import type { Json } from "../support/body-rules.ts";
import { newBodies } from "../support/inputs/bodies.ts";
import type { Fields } from "../support/inputs/kinds.ts";

/** Of bodies that create records: what stands for an absent field, and what is no field of theirs. */

const { service, key, bodies } = await newBodies();
const creations = bodies.filter(({ operation }) =>
  /^create(User|IntakeLead|Goal)$/.test(operation),
);

/** The names of all columns, as they are and as fields have them. */
const columns = [...new Set(Object.values(tables).flatMap((table) => Object.keys(table.columns)))];
const otherNames = columns.flatMap((name) => [
  name,
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
]);

/** A body whose objects, with their fields, are changed from the innermost to the outermost. */
function changed(body: Json, fields: Fields, change: (body: Json, fields: Fields) => Json): Json {
  const parts = Object.entries(body).map(([name, value]) => {
    const { fields: own, item } = fields[name] ?? {};
    if (own) return [name, changed(value as Json, own, change)];
    const within = item?.fields;
    // The deepest child goals have fields that are listed above them.
    if (!within || Object.keys(within).length === 0) return [name, value];
    return [name, (value as Json[]).map((each) => changed(each, within, change))];
  });
  return change(Object.fromEntries(parts), fields);
}

/** A body in which each optional field has a value. */
const withOptional = (value: null | undefined) => (body: Json, fields: Fields) => {
  const optional = Object.entries(fields).filter(([, field]) => field.isRequired !== true);
  return { ...body, ...Object.fromEntries(optional.map(([name]) => [name, value])) };
};

/** A body with a value for everything that is not its field; of a child goal, an id would say which one it is. */
function withOthers(body: Json, fields: Fields): Json {
  const others = otherNames.filter(
    (name) => !(name in fields) && !(name === "publicId" && "orderAmongSiblings" in fields),
  );
  return { ...Object.fromEntries(others.map((name) => [name, "other"])), ...body };
}

/** The response to a body, and the records that it made, without what differs in each. */
async function created(line: string, body: Json, prototype = "") {
  const me = await service.call("GET /api/v1/me", { key });
  const raw = JSON.stringify(body).replaceAll("{", `{${prototype}`);
  const headers = { "Content-Type": "application/json" };
  const { status, text } = await service.call(line, { key, raw, headers });
  const path = `/api/v1/practice-file?after=${me.headers.get("caseload-sequence")}`;
  const changes = await service.call(`GET ${path}`, { key });
  const alike = (text: string) => text.replaceAll(/_[0-9a-z]{26}|mina\.park\.\d+/g, "");
  return { status, text: alike(text), records: alike(changes.text) };
}

describe.each(creations.map((each) => [`${each.operation} ${each.type ?? ""}`, each] as const))(
  "%s",
  (_, { line, fields, newBody, success }) => {
    test("null in an optional field means absent", async () => {
      const absent = await created(line, changed(newBody(), fields, withOptional(undefined)));
      expect(absent).toMatchObject({ status: success, records: expect.stringContaining("{") });
      expect(await created(line, changed(newBody(), fields, withOptional(null)))).toEqual(absent);
    });

    test("columns, other organizations and properties of Object.prototype are ignored", async () => {
      const usual = await created(line, newBody());
      const prototype = `"__proto__":{"role":"ADMIN","status":"MASTERED"},"constructor":1,"\\u0000":"\\ud800",`;
      const decorated = changed(newBody(), fields, withOthers);
      expect(await created(line, decorated, prototype)).toEqual(usual);
      expect("MASTERED" in {} || "role" in {}).toBe(false);
    });
  },
);
