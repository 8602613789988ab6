// For projects that import these types and do not include the file in their own configuration.
/// <reference path="./swagger-ui-dist.d.ts" />
import type { ElysiaSwaggerConfig } from "@elysiajs/swagger";
import type { TSchema } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import scriptFile from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import styleFile from "swagger-ui-dist/swagger-ui.css" with { type: "file" };

/**
 * The documentation: the OpenAPI document at `/swagger/json`, and Swagger UI at `/swagger`.
 *
 * The swagger plugin serves the document. Its own page is not used: it loads Swagger UI from a hard-coded CDN, or
 * Scalar, which has 268 packages; and it needs inline scripts or styles, which our content security policy forbids.
 * Everything is loaded on the first request.
 */

/** All resources come from this server; icons are `data:` URLs in the style sheet. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE_HEADERS = {
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Caseload API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="swagger/swagger-ui.css">
  </head>
  <body>
    <div id="documentation"></div>
    <script src="swagger/swagger-ui-bundle.js"></script>
    <script src="swagger/start.js"></script>
  </body>
</html>
`;

/**
 * By default, Swagger UI would store the entered key in the browser. It also takes lines of JSON for JSON, and would send
 * the text of their example in quotes.
 */
const START_SCRIPT = `const unquotedLines = {
  afterLoad() {
    const { getSampleSchema } = this.fn;
    this.fn.getSampleSchema = (schema, mediaType, options, example) =>
      mediaType === "application/x-ndjson" && typeof example === "string"
        ? example
        : getSampleSchema(schema, mediaType, options, example);
  },
};
SwaggerUIBundle({
  url: "swagger/json",
  dom_id: "#documentation",
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
  plugins: [unquotedLines],
});
`;

const SPEC_PATH = "/swagger/json";

const UNDOCUMENTED = { detail: { hide: true } };

/** @param models loads the models that become components besides those of the routes. */
export function documentation(api: AnyElysia, models: () => Promise<readonly TSchema[]>) {
  let document: Promise<string> | undefined;
  return new Elysia({ name: "documentation" })
    .get(
      SPEC_PATH,
      async () => {
        document ??= documentText(api, models);
        return file(await document, "application/json");
      },
      UNDOCUMENTED,
    )
    .get("/swagger", () => file(PAGE, "text/html", PAGE_HEADERS), UNDOCUMENTED)
    .get("/swagger/start.js", () => file(START_SCRIPT, "text/javascript"), UNDOCUMENTED)
    .get("/swagger/swagger-ui.css", () => file(Bun.file(styleFile), "text/css"), UNDOCUMENTED)
    .get(
      "/swagger/swagger-ui-bundle.js",
      () => file(Bun.file(scriptFile), "text/javascript"),
      UNDOCUMENTED,
    );
}

function file(content: string | Blob, mediaType: string, headers: Record<string, string> = {}) {
  return new Response(content, {
    headers: { "Content-Type": `${mediaType}; charset=utf-8`, ...headers },
  });
}

/** The document as the plugin serves it, which derives nothing itself: it sees no routes. */
async function documentText(
  api: AnyElysia,
  models: () => Promise<readonly TSchema[]>,
): Promise<string> {
  const { swagger } = await import("@elysiajs/swagger");
  const { openApiDocument } = await import("./openapi.ts");
  // The plugin's types are those of OpenAPI 3.0.
  const documentation = openApiDocument(api, await models()) as NonNullable<
    ElysiaSwaggerConfig["documentation"]
  >;
  const app = new Elysia().use(swagger({ documentation, specPath: SPEC_PATH }));
  return (await app.handle(new Request(`http://localhost${SPEC_PATH}`))).text();
}
