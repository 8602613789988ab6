import { document } from "./endpoints.ts";

interface QueryParameter {
  in: string;
  name: string;
}

/** The operations of the OpenAPI document that take parameters in their queries, and the names of those. */
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
 * The parameters of reads that none of these requests has, such as `/v1/users?role`; but for `page` and `pageSize`, without
 * which no list is read.
 *
 * @param requests paths with their queries, such as `/api/v1/users?role=PATIENT`.
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
