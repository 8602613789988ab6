import { api } from "../../src/app.ts";
import { errorStyleOf } from "../../src/http/errors.ts";
import { declaredRoutes, openApiDocument } from "../../src/http/document/openapi.ts";
import { recordModels } from "../../src/practice-file/components.ts";
import { templateOf } from "../../src/http/paths.ts";

/** All declared routes of the API, with paths as in the document, relative to `/api`. */
export const endpoints = declaredRoutes(api).map((route) => {
  const path = templateOf(route.path);
  return { ...route, path, errorStyle: errorStyleOf(path) };
});

/** Endpoints with JSON requests and responses. */
export const jsonEndpoints = endpoints.filter(({ body, response }) =>
  [body, response[200]].every((schema) => schema?.type !== "Uint8Array"),
);

export type Endpoint = (typeof endpoints)[number];

/** The OpenAPI document as clients get it. */
export const document = openApiDocument(api, recordModels());
