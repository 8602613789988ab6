import { Elysia } from "elysia";
import scriptFile from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import styleFile from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import type { Endpoint } from "./endpoint.ts";
import { type ServiceDependencies, exchange } from "./exchange.ts";
import { openApiDocument } from "./openapi.ts";

/**
 * The documentation: the OpenAPI document at `/swagger/json`, and at `/swagger` a page that shows it.
 *
 * The plugin serves the document. Its page is not used: it loads Swagger UI from a CDN at an address that
 * cannot be changed, or Scalar, which is 268 packages; and it needs scripts or styles within the page, which
 * ours forbids. Nothing here is read or made before it is first asked for.
 */

const DOCUMENT_PATH = "/swagger/json";

/** Everything comes from this server; icons stand in the style sheet, as `data:` URLs. */
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

/** A key that is typed into the page is not kept by the browser, which is Swagger UI's default. */
const START_SCRIPT = `SwaggerUIBundle({
  url: "swagger/json",
  dom_id: "#documentation",
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

/** Puts the document and the page on the router. */
export function mountDocumentation(
  app: Elysia,
  endpoints: readonly Endpoint[],
  dependencies: ServiceDependencies,
): void {
  const mount = (template: string, answer: () => Promise<Response> | Response) =>
    app.get(
      template,
      ({ request }) =>
        exchange(request, { template, style: "standard", audited: false }, dependencies, answer),
      { detail: { hide: true } },
    );
  const file = (content: Bun.BodyInit, mediaType: string, headers: Record<string, string> = {}) =>
    new Response(content, {
      headers: { "Content-Type": `${mediaType}; charset=utf-8`, ...headers },
    });

  let document: Promise<string> | undefined;
  mount(DOCUMENT_PATH, async () => {
    document ??= documentText(endpoints);
    return file(await document, "application/json");
  });
  mount("/swagger", () =>
    file(PAGE, "text/html", {
      "Content-Security-Policy": CONTENT_SECURITY_POLICY,
      "Referrer-Policy": "no-referrer",
    }),
  );
  mount("/swagger/start.js", () => file(START_SCRIPT, "text/javascript"));
  mount("/swagger/swagger-ui.css", () => file(Bun.file(styleFile), "text/css"));
  mount("/swagger/swagger-ui-bundle.js", () => file(Bun.file(scriptFile), "text/javascript"));
}

/** The document as the plugin serves it. The plugin has types for OpenAPI 3.0 alone. */
async function documentText(endpoints: readonly Endpoint[]): Promise<string> {
  const { swagger } = await import("@elysiajs/swagger");
  const documentation = openApiDocument(endpoints) as object;
  const plugin = new Elysia().use(swagger({ documentation, specPath: DOCUMENT_PATH }));
  const response = await plugin.handle(new Request(`http://localhost${DOCUMENT_PATH}`));
  return response.text();
}
