import { Elysia } from "elysia";
import { acceptsGzip } from "../http/compression.ts";
import { PlainError } from "../http/errors.ts";
import type { first, PageFile } from "./files.ts";

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

const pageWith = ({ script, style, parts }: typeof first): string => `<!doctype html>
<html lang="en" translate="no">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="google" content="notranslate">
    <meta name="color-scheme" content="light dark">
    <title>Caseload</title>
    <link rel="icon" href="page/icon.svg">
    <link rel="stylesheet" href="page/${style}">
    <script type="module" src="page/${script}"></script>
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

/** The page and its files. */
export const page = new Elysia({ name: "page" })
  .get("/", firstPage, UNDOCUMENTED)
  .get("/page/icon.svg", () => file("image/svg+xml", ICON), UNDOCUMENTED)
  .get(
    "/page/:file",
    async ({ params, request, set }) => kept(await fileNamed(params.file), { request, set }),
    UNDOCUMENTED,
  );

async function firstPage(): Promise<Response> {
  const { first } = await import("./files.ts");
  return file("text/html; charset=utf-8", pageWith(first));
}

async function fileNamed(name: string): Promise<PageFile> {
  const { pageFiles } = await import("./files.ts");
  const found = pageFiles.get(name);
  if (found === undefined) throw new PlainError(404, "Not found");
  return found;
}

interface Asked {
  request: Request;
  set: { headers: Record<string, string | number | undefined> };
}

/** A file that browsers keep, since its name changes with it; compressed for those that accept that. */
function kept(found: PageFile, { request, set }: Asked): Response {
  set.headers["cache-control"] = "public, max-age=31536000, immutable";
  const { mediaType, bytes } = found;
  if (mediaType === "font/woff2") return file(mediaType, new Blob([bytes]));
  set.headers.vary = "Accept-Encoding";
  if (!acceptsGzip(request.headers.get("accept-encoding")))
    return file(mediaType, new Blob([bytes]));
  set.headers["content-encoding"] = "gzip";
  found.gzipped ??= Bun.gzipSync(bytes, { level: 9 });
  return file(mediaType, new Blob([found.gzipped]));
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
