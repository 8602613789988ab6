import { document } from "./endpoints.ts";

interface QueryParameter {
  in: string;
  name: string;
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
