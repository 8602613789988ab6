import { document } from "./endpoints.ts";

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

/**
 * The query parameters of reads that none of these requests has, such as `/v1/users?role`; except `page` and
 * `pageSize`, which every request of a list has.
 *
 * @param requests paths with queries, such as `/api/v1/users?role=PATIENT`.
 */
export function parametersNotIn(requests: Iterable<string>): string[] {
  const asked = [...requests].map((request) => new URL(request, "http://localhost"));
  return operationsWithQuery
    .filter(({ operation }) => operation.startsWith("GET "))
    .flatMap(({ path, names }) => {
      const pattern = new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
      const queries = asked.filter(({ pathname }) => pattern.test(pathname));
      return names
        .filter((name) => name !== "page" && name !== "pageSize")
        .filter((name) => !queries.some(({ searchParams }) => searchParams.has(name)))
        .map((name) => `${path}?${name}`);
    });
}

const schemas = document.components.schemas as Record<string, ParameterSchema>;

/** The paths of all lists with pages, such as `users`. */
export const listPaths = operationsWithQuery
  .filter(({ names }) => names.includes("page"))
  .map(({ path }) => path.slice("/v1/".length));

/** Lists that are computed, and no rows of a table. */
const reports = [
  ...["access", "authorization-utilization", "billing-lines", "checks", "delivery", "supervision"],
];

/** Each filter of each list of rows, such as `users?role=`, and a value. */
export const listFilters = listPaths
  .filter((list) => !reports.includes(list))
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
