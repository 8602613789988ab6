import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import packageJson from "../../package.json" with { type: "json" };
import { api } from "../app.ts";
import { type DeclaredRoute, declaredRoutes } from "../http/document/openapi.ts";
import { API_BASE } from "../http/paths.ts";
import { recordModels } from "../practice-file/components.ts";
import type { SchemaNode } from "../schema/cleaning.ts";

/**
 * The package `caseload-types`: the type for Eden Treaty and that of a record of a practice file, generated from the
 * declarations, so that a
 * client neither needs a checkout of this program nor compiles it.
 */

/** The response that Elysia's types add to every route with a schema. */
const UNPROCESSABLE =
  '{ type: "validation"; on: string; summary?: string; message?: string; found?: unknown; property?: string; expected?: string }';

/** Writes the package into a folder. */
export function writeClientTypes(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { version, license, dependencies } = packageJson;
  const described = {
    name: "caseload-types",
    version,
    license,
    description: "The types of Caseload's API for Eden Treaty, and of records of a practice file.",
    type: "module",
    types: "./index.d.ts",
    exports: { ".": { types: "./index.d.ts" } },
    files: ["index.d.ts"],
    peerDependencies: { elysia: dependencies.elysia },
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(described, null, 2)}\n`);
  writeFileSync(join(folder, "index.d.ts"), clientTypes());
}

/** The text of the package's only file, which exports only these two types. */
export function clientTypes(): string {
  const types = new TypeTexts();
  const routes: Tree = {};
  for (const route of declaredRoutes(api)) {
    const segments = `${API_BASE}${route.path}`.split("/").slice(1);
    let place = routes;
    for (const segment of segments) place = (place[segment] ??= {}) as Tree;
    place[route.method.toLowerCase()] = routeText(route, types);
  }
  const records = recordModels().map((model) => types.of(model));
  return [
    'import type { DefinitionBase, Elysia, MetadataBase, SingletonBase } from "elysia";',
    ...types.declarations,
    `type Routes = ${treeText(routes)};`,
    'type App = Elysia<"", SingletonBase, DefinitionBase, MetadataBase, Routes>;',
    `type PracticeFileRecord = ${records.join(" | ")};`,
    "export type { App, PracticeFileRecord };",
    "",
  ].join("\n\n");
}

/** Routes by the segments of their paths, then by method. */
interface Tree {
  [segment: string]: Tree | string;
}

function treeText(tree: Tree): string {
  const members = Object.entries(tree).map(
    ([name, below]) =>
      `${JSON.stringify(name)}: ${typeof below === "string" ? below : treeText(below)}`,
  );
  return `{ ${members.join("; ")} }`;
}

function routeText({ params, query, body, response }: DeclaredRoute, types: TypeTexts): string {
  const responses = Object.entries(response).map(
    ([status, schema]) => `${status}: ${types.of(schema)}`,
  );
  if (response[422] === undefined) responses.push(`422: ${UNPROCESSABLE}`);
  return treeText({
    body: body === undefined ? "{}" : types.of(body),
    params: params === undefined ? "{}" : types.of(params),
    query: query === undefined ? "{}" : types.of(query),
    headers: "{}",
    response: `{ ${responses.join("; ")} }`,
  });
}

/** Schemas as TypeScript types. Named schemas are declared once. */
class TypeTexts {
  readonly #declarations = new Map<string, string>();

  get declarations(): string[] {
    return [...this.#declarations].map(([name, text]) => `type ${name} = ${text};`);
  }

  of(schema: TSchema): string {
    return this.#of(schema as SchemaNode);
  }

  #of(schema: SchemaNode): string {
    const { $id, $ref } = schema;
    if ($ref !== undefined) return $ref;
    if ($id === undefined) return this.#text(schema);
    if (!this.#declarations.has($id)) {
      // The name is registered before the text, because a recursive schema refers to itself.
      this.#declarations.set($id, "");
      this.#declarations.set($id, this.#text(schema));
    }
    return $id;
  }

  #text(schema: SchemaNode): string {
    const { type, anyOf, enum: values, items, properties, patternProperties } = schema;
    if ("const" in schema) return JSON.stringify(schema.const);
    if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
    if (anyOf !== undefined) return anyOf.map((choice) => this.#of(choice)).join(" | ");
    if (items !== undefined) return `(${this.#of(items)})[]`;
    if (properties !== undefined) return this.#object(schema);
    const [record] = Object.values(patternProperties ?? {});
    if (record !== undefined) return `Record<string, ${this.#of(record)}>`;
    if (type === "integer") return "number";
    // Eden Treaty would send bytes as JSON.
    if (type === "Uint8Array") return "string";
    return type ?? "unknown";
  }

  #object({ properties = {}, required = [] }: SchemaNode): string {
    const members = Object.entries(properties).map(
      ([name, property]) => `${name}${required.includes(name) ? "" : "?"}: ${this.#of(property)}`,
    );
    return `{ ${members.join("; ")} }`;
  }
}
