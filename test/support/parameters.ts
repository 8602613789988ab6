import { document } from "./endpoints.ts";
import { operations } from "./operations.ts";

interface QueryParameter {
  in: string;
  name: string;
  schema: ParameterSchema;
}

interface ParameterSchema {
  enum?: string[];
  format?: string;
  items?: ParameterSchema;
  $ref?: string;
}

/** The operations with query parameters, and the names of these. */
export const operationsWithQuery = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters }]) => ({
      operation: `${method.toUpperCase()} ${path}`,
      path,
      names: (parameters as QueryParameter[])
        .filter((parameter) => parameter.in === "query")
        .map(({ name }) => name),
    })),
  )
  .filter(({ names }) => names.length > 0);

const schemas = document.components.schemas as Record<string, ParameterSchema>;

/** The paths of all lists with pages, such as `users`. */
export const listPaths = operationsWithQuery
  .filter(({ names }) => names.includes("page"))
  .map(({ path }) => path.slice("/v1/".length));

/** Each filter of each list of rows, such as `users?role=`, and a value. */
export const listFilters = listPaths
  .filter((list) => operations.some(({ path, isReport }) => path === `/v1/${list}` && !isReport))
  .flatMap((list) =>
    (document.paths[`/v1/${list}`]!.get!.parameters as QueryParameter[])
      .filter((parameter) => parameter.in === "query")
      .filter(({ name }) => !["page", "pageSize", "sort", "timezone", "goesOn"].includes(name))
      .map(({ name, schema }): [string, string] => [`${list}?${name}=`, valueOf(schema)]),
  );

function valueOf({ enum: values, format, items, $ref }: ParameterSchema): string {
  if (items) return valueOf(items);
  if ($ref) return valueOf(schemas[$ref.split("/").at(-1)!]!);
  return values?.[0] ?? (format === "date" ? "2026-03-10" : "usr_1");
}
