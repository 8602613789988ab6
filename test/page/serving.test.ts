import { describe, expect, test } from "bun:test";
import { newService } from "../support/harness.ts";

/** The page as the server delivers it. `page.browser.ts` opens it in a browser. */

const service = await newService();

async function get(path: string): Promise<Response> {
  return service.app.handle(new Request(`http://localhost${path}`));
}

const html = await (await get("/")).text();
const [, script = ""] = /src="page\/(script-\w+\.js)"/.exec(html) ?? [];
const [, style = ""] = /href="page\/(style-\w+\.css)"/.exec(html) ?? [];
const fonts = [...(await (await get(`/page/${style}`)).text()).matchAll(/[\w-]+\.woff2/g)];

const NO_STORE = "no-store";
const KEPT = "public, max-age=31536000, immutable";

const files = [
  ["/", "text/html; charset=utf-8", NO_STORE, '<script type="module" src="page/script-'],
  ["/page/icon.svg", "image/svg+xml", NO_STORE, "<svg"],
  [`/page/${script}`, "text/javascript; charset=utf-8", KEPT, "Attention"],
  [`/page/${style}`, "text/css; charset=utf-8", KEPT, "prefers-color-scheme:dark"],
  ...fonts.map(([name]) => [`/page/${name}`, "font/woff2", KEPT, "wOF2"] as const),
] as const;

test("what the page names is there: a script, a style, and the three parts of its font", () => {
  expect([script, style, fonts.length].map(Boolean)).toEqual([true, true, true]);
  expect(fonts.map(([name]) => name?.replace(/-[^-]+$/, ""))).toEqual([
    "latin",
    "latin-ext",
    "vietnamese",
  ]);
});

describe.each([...files])("%s", (path, mediaType, caching, content) => {
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
    expect(headers.get("cache-control")).toBe(caching);
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

test("the scripts of the first view have at most 215 kB, all of them 458", async () => {
  const first = await loadedWith([script], AT_ONCE);
  const all = await loadedWith([script], EVER);
  expect(all.size).toBeGreaterThan(first.size + 5);
  expect(await sizeOf(first)).toBeLessThanOrEqual(215_000);
  expect(await sizeOf(all)).toBeLessThanOrEqual(458_000);
  // Browsers ask for what the first view needs before its script has come.
  const asked = [...html.matchAll(/modulepreload" href="page\/([^"]+)"/g)].map(([, name]) => name);
  expect([script, ...asked].sort()).toEqual([...first].sort());
});

test("no script has a function of the server that computes dates in the zone of the process", async () => {
  for (const name of await loadedWith([script], EVER))
    expect(await textOf(name)).not.toContain("must run with TZ=UTC");
});

test("a part that this version does not have is not found, and others need no key", async () => {
  const [later = ""] = [...(await loadedWith([script], EVER))].slice(-1);
  const response = await get(`/page/${later}`);
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  const missing = await get("/page/part-00000000.js");
  expect([missing.status, missing.headers.get("cache-control")]).toEqual([404, NO_STORE]);
  expect(await missing.json()).toMatchObject({ error: "Not found", statusCode: 404 });
});

test("the files of text of the first view have together at most 90 kB, compressed", async () => {
  let size = 0;
  for (const [path] of files.filter(([, mediaType]) => mediaType !== "font/woff2"))
    size += Bun.gzipSync(await (await get(path)).text()).length;
  for (const name of (await loadedWith([script], AT_ONCE)).difference(new Set([script])))
    size += Bun.gzipSync(await textOf(name)).length;
  expect(size).toBeLessThanOrEqual(90_000);
});

test.each([script, style])("%s is compressed for who accepts that, and the same", async (name) => {
  const ask = (encodings: string) =>
    service.app.handle(
      new Request(`http://localhost/page/${name}`, { headers: { "Accept-Encoding": encodings } }),
    );
  const [plain, packed] = [await ask("br, gzip;q=0"), await ask("br, gzip")];
  const encodings = [plain, packed].map(({ headers }) => headers.get("content-encoding"));
  expect(encodings).toEqual([null, "gzip"]);
  expect(packed.headers.get("vary")).toBe("Accept-Encoding");
  const bytes = new Uint8Array(await packed.arrayBuffer());
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(await plain.text());
});

test("on a repeated visit, what is not kept has at most 2 kB", async () => {
  const [page, icon] = [await get("/"), await get("/page/icon.svg")];
  expect((await page.text()).length + (await icon.text()).length).toBeLessThanOrEqual(2_000);
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
    "GET /page/script.js",
    `GET /page/${script}/`,
  ])
    expect(await service.call(line)).toMatchObject({ status: 404, body: notFound });
});
