import { describe, expect, test } from "bun:test";
import { newService } from "../support/harness.ts";

/** The page as the server delivers it. `page.browser.ts` opens it in a browser. */

const service = await newService();

async function get(path: string): Promise<Response> {
  return service.app.handle(new Request(`http://localhost${path}`));
}

const files = [
  ["/", "text/html; charset=utf-8", '<script type="module" src="page/script.js">'],
  ["/page/script.js", "text/javascript; charset=utf-8", "API key"],
  ["/page/style.css", "text/css; charset=utf-8", "prefers-color-scheme:dark"],
  ["/page/icon.svg", "image/svg+xml", "<svg"],
  ["/page/latin.woff2", "font/woff2", "wOF2"],
  ["/page/latin-ext.woff2", "font/woff2", "wOF2"],
  ["/page/vietnamese.woff2", "font/woff2", "wOF2"],
] as const;

describe.each(files)("%s", (path, mediaType, content) => {
  test("needs no key", async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(mediaType);
    expect((await response.text()).replaceAll(": ", ":")).toContain(content);
  });

  test("may load only from this server, run no inline scripts, and not be framed", async () => {
    const { headers } = await get(path);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("permissions-policy")).toBe(
      "publickey-credentials-get=(self), publickey-credentials-create=(self)",
    );
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test("the page contains no inline scripts and styles, and no addresses of other servers", async () => {
  const page = await (await get("/")).text();
  expect(page).not.toMatch(/https?:|<script>|<style|\sstyle=|\son\w+=/);
});

test("the script has at most 250 kB, and the files of text together at most 100 kB, compressed", async () => {
  expect((await (await get("/page/script.js")).text()).length).toBeLessThanOrEqual(250_000);
  let size = 0;
  for (const [path] of files.filter(([, mediaType]) => mediaType !== "font/woff2"))
    size += Bun.gzipSync(await (await get(path)).text()).length;
  expect(size).toBeLessThanOrEqual(100_000);
});

test("requests for the page write no audit entries", async () => {
  for (const [path] of files) await get(path);
  const rows = await service.database.read((db) =>
    db.selectFrom("audit_entries").selectAll().execute(),
  );
  expect(rows).toEqual([]);
});

test("other paths beside it, other methods and a trailing slash respond 404", async () => {
  const notFound = { error: "Not found", statusCode: 404 };
  for (const line of [
    "POST /",
    "GET /page",
    "GET /page/",
    "GET /page/other.js",
    "GET /page/script.js/",
  ])
    expect(await service.call(line)).toMatchObject({ status: 404, body: notFound });
});
