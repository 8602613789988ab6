import { api } from "../../src/app.ts";
import { errorStyleOf } from "../../src/http/errors.ts";
import { declaredRoutes, openApiDocument } from "../../src/http/openapi.ts";
import { templateOf } from "../../src/http/paths.ts";

/** Every route of the API as it is declared, its path below `/api` as the document writes it. */
export const endpoints = declaredRoutes(api).map((route) => {
  const path = templateOf(route.path);
  return { ...route, path, errorStyle: errorStyleOf(path) };
});

/** Those that take and answer JSON. */
export const jsonEndpoints = endpoints.filter(({ body, response }) =>
  [body, response[200]].every((schema) => schema?.type !== "Uint8Array"),
);

export type Endpoint = (typeof endpoints)[number];

/** The document as a client gets it. */
export const document = await openApiDocument(api);
