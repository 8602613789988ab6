import { Elysia } from "elysia";
import { PlainError } from "../http/errors.ts";
import type { FontName } from "./fonts.ts";

/**
 * The page at `/` for the people of the practice. It loads without a key, since it contains no data: its script calls
 * the API with the user's key. Everything is loaded on first use.
 */

/** All resources come from this server, and no text is interpreted as script or markup. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** No page that is embedded can ask for passkeys. */
const PERMISSIONS_POLICY = "publickey-credentials-get=(self), publickey-credentials-create=(self)";

const pageWith = (parts: readonly string[]): string => `<!doctype html>
<html lang="en" translate="no">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="google" content="notranslate">
    <meta name="color-scheme" content="light dark">
    <title>Caseload</title>
    <link rel="icon" href="page/icon.svg">
    <link rel="stylesheet" href="page/style.css">
    <script type="module" src="page/script.js"></script>
${parts.map((name) => `    <link rel="modulepreload" href="page/${name}">`).join("\n")}
  </head>
  <body>
    <noscript>This page needs JavaScript. Everything it shows is in the API, too: see swagger.</noscript>
  </body>
</html>
`;

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="7" fill="#1d5c63"/>
  <rect x="7" y="8" width="18" height="4" rx="2" fill="#fff"/>
  <rect x="7" y="14" width="12" height="4" rx="2" fill="#fff" opacity=".75"/>
  <rect x="7" y="20" width="15" height="4" rx="2" fill="#fff" opacity=".5"/>
</svg>
`;

const UNDOCUMENTED = { detail: { hide: true } };

/** The page and its assets. */
export const page = new Elysia({ name: "page" })
  .get("/", firstPage, UNDOCUMENTED)
  .get("/page/icon.svg", () => file("image/svg+xml", ICON), UNDOCUMENTED)
  .get("/page/script.js", async () => javaScript((await assets()).script), UNDOCUMENTED)
  .get(
    "/page/style.css",
    async () => file("text/css; charset=utf-8", (await assets()).style),
    UNDOCUMENTED,
  )
  .get("/page/latin.woff2", () => font("latin.woff2"), UNDOCUMENTED)
  .get("/page/latin-ext.woff2", () => font("latin-ext.woff2"), UNDOCUMENTED)
  .get("/page/vietnamese.woff2", () => font("vietnamese.woff2"), UNDOCUMENTED)
  .get("/page/:part", ({ params }) => part(params.part), UNDOCUMENTED);

function assets() {
  return import("./assets.ts");
}

async function firstPage(): Promise<Response> {
  const { firstParts } = await assets();
  return file("text/html; charset=utf-8", pageWith(firstParts));
}

async function part(name: string): Promise<Response> {
  const text = (await assets()).parts.get(name);
  if (text === undefined) throw new PlainError(404, "Not found");
  return javaScript(text);
}

function javaScript(text: string): Response {
  return file("text/javascript; charset=utf-8", text);
}

async function font(name: FontName): Promise<Response> {
  const { fonts } = await import("./fonts.ts");
  return file("font/woff2", Bun.file(fonts[name]));
}

function file(mediaType: string, content: string | Blob): Response {
  return new Response(content, {
    headers: {
      "Content-Type": mediaType,
      "Content-Security-Policy": CONTENT_SECURITY_POLICY,
      "Referrer-Policy": "no-referrer",
      "Permissions-Policy": PERMISSIONS_POLICY,
      // No page that opens this one can look into it.
      "Cross-Origin-Opener-Policy": "same-origin",
    },
  });
}
