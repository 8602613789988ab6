import { describe, expect, test } from "bun:test";
import { newService } from "../support/harness.ts";

/** The page as the server delivers it. `page.browser.ts` opens it in a browser. */

const service = await newService();

async function get(path: string): Promise<Response> {
  return service.app.handle(new Request(`http://localhost${path}`));
}

const files = [
  ["/", "text/html; charset=utf-8", '<script type="module" src="page/script.js">'],
  ["/page/script.js", "text/javascript; charset=utf-8", "Attention"],
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

const textOf = async (name: string) => (await get(`/page/${name}`)).text();

/** The scripts that are loaded with some, in the ways that a pattern has; these among them. */
async function loadedWith(names: readonly string[], ways: RegExp): Promise<Set<string>> {
  const all = new Set(names);
  for (const name of all)
    for (const [, loaded = ""] of (await textOf(name)).matchAll(ways)) all.add(loaded);
  return all;
}

const AT_ONCE = /from"\.\/(part-\w+\.js)"/g;
const EVER = /(?:from|import\()"\.\/(part-\w+\.js)"/g;

async function sizeOf(names: Iterable<string>): Promise<number> {
  let size = 0;
  for (const name of names) size += Buffer.byteLength(await textOf(name));
  return size;
}

test("the scripts of the first view have at most 245 kB, all of them 460", async () => {
  const first = await loadedWith(["script.js"], AT_ONCE);
  const all = await loadedWith(["script.js"], EVER);
  expect(all.size).toBeGreaterThan(first.size + 5);
  expect(await sizeOf(first)).toBeLessThanOrEqual(245_000);
  expect(await sizeOf(all)).toBeLessThanOrEqual(460_000);
  // Browsers ask for what the first view needs before its script has come.
  const html = await (await get("/")).text();
  const asked = [...html.matchAll(/modulepreload" href="page\/([^"]+)"/g)].map(([, name]) => name);
  expect(["script.js", ...asked].sort()).toEqual([...first].sort());
});

test("a part that this version does not have is not found, and others need no key", async () => {
  const [later = ""] = [...(await loadedWith(["script.js"], EVER))].slice(-1);
  const response = await get(`/page/${later}`);
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(await service.call("GET /page/part-00000000.js")).toMatchObject({
    status: 404,
    body: { error: "Not found", statusCode: 404 },
  });
});

test("the files of text of the first view have together at most 90 kB, compressed", async () => {
  let size = 0;
  for (const [path] of files.filter(([, mediaType]) => mediaType !== "font/woff2"))
    size += Bun.gzipSync(await (await get(path)).text()).length;
  for (const name of (await loadedWith(["script.js"], AT_ONCE)).difference(new Set(["script.js"])))
    size += Bun.gzipSync(await textOf(name)).length;
  expect(size).toBeLessThanOrEqual(90_000);
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
