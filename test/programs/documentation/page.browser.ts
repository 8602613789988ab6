import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page, Route } from "playwright-core";
import { launchBrowser, Observed } from "../../support/browser.ts";
import { check, expectEqual, printSum } from "../../support/checks.ts";

/**
 * The documentation page in a browser that can reach only this machine: `bun run test:browser`.
 * Requires Debian's chromium, and is therefore not part of `bun run test`.
 */

/** An invalid key in the format of one. */
const TYPED_KEY = "caseload_typed-into-the-page";

interface Document {
  paths: Record<string, Record<string, { responses: object }>>;
  components: { parameters: object; schemas: Record<string, object> };
}

async function checkPage(browser: Browser, origin: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  page.setDefaultTimeout(20_000);
  const observed = new Observed(page, origin);
  await page.goto(`${origin}/swagger`);
  await page.locator(".opblock").first().waitFor();

  await check("every operation of the OpenAPI document is on the page", async () => {
    const document = (await (await fetch(`${origin}/swagger/json`)).json()) as Document;
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const methods = await page.locator(".opblock-summary-method").allInnerTexts();
    const paths = await page.locator(".opblock-summary-path").allInnerTexts();
    // The page inserts zero-width spaces into long paths.
    const shown = paths.map((path, index) => `${methods[index]} ${path.replaceAll("\u200b", "")}`);
    expectEqual(shown.toSorted(), documented.toSorted());
  });

  const operation = page.locator(".opblock", { hasText: "/v1/users" }).first();

  await check("an opened operation shows its parameters and responses", async () => {
    await operation.locator(".opblock-summary-control").first().click();
    await operation.locator(".responses-table").first().waitFor();
    const text = await operation.innerText();
    for (const part of ["pageSize", "CLINICIAN", "validationErrors", "API key required", "503"])
      if (!text.includes(part)) throw new Error(`The operation does not show ${part}`);
  });

  await check("the browser does not store an entered key", async () => {
    await page.locator(".btn.authorize").first().click();
    await page.locator(".auth-container input").fill(TYPED_KEY);
    await page.locator(".auth-container .btn.authorize").click();
    await page.locator(".auth-container .btn-done").click();
    const stores = "JSON.stringify([localStorage, sessionStorage, document.cookie])";
    const kept = await page.evaluate<string>(stores);
    if (kept.includes(TYPED_KEY)) throw new Error(kept);
  });

  await check(
    "the browser reports no violation of the content security policy, errors or warnings",
    async () => {
      expectEqual(observed.complaints, []);
    },
  );

  await check("a request from the page reaches the API with the key", async () => {
    await operation.locator(".try-out__btn").click();
    await operation.locator(".execute").click();
    const answer = operation.locator(".live-responses-table .response").first();
    await answer.waitFor();
    const text = await answer.innerText();
    if (!text.includes("Invalid API key")) throw new Error(text);
  });

  await check("the page sends no request to another server", async () => {
    expectEqual(observed.outside, []);
  });
}

/** The demo has neither a passkey nor a calendar, and the id of a new one is random: what is filled in is unknown. */
const NOT_IN_DEMO = [
  "DELETE /api/v1/passkeys/passkey_000001: 404",
  "DELETE /api/v1/calendars/key_000001: 404",
];

/**
 * Opens, fills in and sends each operation of the page, in its order, since deletions come last. In the page, because a
 * click from outside waits until all is drawn.
 */
const TRY_ALL = `(async () => {
  const appeared = async (block, selector) => {
    while (!block.querySelector(selector)) await new Promise((go) => setTimeout(go, 5));
    return block.querySelector(selector);
  };
  for (const block of document.querySelectorAll(".opblock")) {
    const head = await appeared(block, ".opblock-summary-control");
    head.click();
    for (const button of [".try-out__btn", ".execute"]) (await appeared(block, button)).click();
    await appeared(block, ".live-responses-table .response");
    head.click();
  }
})()`;

/** Sends each operation as the page has filled it in, to the demo practice. */
async function checkTryItOut(browser: Browser): Promise<void> {
  const demo = Bun.spawn(
    [process.execPath, main, "serve", "--ephemeral", "--json", "--now", "2026-03-02T15:00:00Z"],
    { stdout: "pipe", stderr: "ignore" },
  );
  try {
    const { value } = await demo.stdout.getReader().read();
    const { url, key } = JSON.parse(new TextDecoder().decode(value)) as Record<string, string>;
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    page.setDefaultTimeout(60_000);
    await page.route("**/swagger/json", withoutResponses);
    const answers: string[] = [];
    await page.route("**/api/**", async (route) => {
      const request = route.request();
      const response = await route.fetch();
      const status = response.status();
      answers.push(`${request.method()} ${new URL(request.url()).pathname}: ${status}`);
      // What was refused is said if the check fails; other answers take long to draw.
      const isExpected = status < 300 || NOT_IN_DEMO.includes(answers.at(-1) as string);
      if (!isExpected) answers.push(await response.text());
      await route.fulfill({ status, body: "" });
    });
    await page.goto(`${url}/swagger`);
    await page.locator(".opblock").first().waitFor();
    await page.locator(".btn.authorize").first().click();
    await page.locator(".auth-container input").fill(key as string);
    await page.locator(".auth-container .btn.authorize").click();
    await page.locator(".auth-container .btn-done").click();

    await check("every operation works on the demo with what is filled in", async () => {
      await page.evaluate(TRY_ALL);
      expectEqual(
        answers.filter((answer) => !/: 2\d\d$/.test(answer)),
        NOT_IN_DEMO,
      );
      expectEqual(answers.length, await page.locator(".opblock").count());
    });

    await checkImport(page, answers);
    await page.close();
  } finally {
    demo.kill();
    await demo.exited;
  }
}

async function checkImport(page: Page, answers: string[]): Promise<void> {
  const operation = page.locator("[id$='-importPracticeFile']");
  await operation.locator(".opblock-summary-control").click();

  await check("rights to import are a table", async () => {
    const rows = await operation.locator(".opblock-description table tbody tr").allInnerTexts();
    expectEqual(rows[0], "ADMIN\tall types");
  });

  await check("a file of CSV works on the demo with what is filled in, and its type", async () => {
    await operation
      .locator(".opblock-section-request-body select")
      .first()
      .selectOption("text/csv");
    await operation.locator("[data-param-name=type] select").selectOption("location");
    const [response] = await Promise.all([
      page.waitForResponse("**/api/**"),
      operation.locator(".execute").click(),
    ]);
    expectEqual([response.status(), answers.at(-1)], [200, "POST /api/v1/practice-file: 200"]);
  });
}

/** The document without its responses, and what only they name: the page takes most of its time to resolve and draw them. */
async function withoutResponses(route: Route): Promise<void> {
  const response = await route.fetch();
  const document = (await response.json()) as Document;
  const { paths, components } = document;
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path)))
    operation.responses = { default: { description: "Left out." } };
  const schemas: Document["components"]["schemas"] = {};
  const parts: object[] = [paths, components.parameters];
  for (const part of parts)
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = components.schemas[name];
      if (schema === undefined || name in schemas) continue;
      schemas[name] = schema;
      parts.push(schema);
    }
  const { responses: _, headers: __, ...others } = components as Record<string, unknown>;
  const json = { ...document, components: { ...others, schemas } };
  await route.fulfill({ response, json });
}

const folder = mkdtempSync(join(tmpdir(), "caseload-browser-"));
const main = join(import.meta.dir, "../../../src/main.ts");
const server = Bun.spawn(
  [process.execPath, main, "serve", "--port", "0", "--database", join(folder, "caseload.db")],
  { stdout: "pipe", stderr: "ignore" },
);
const browser = await launchBrowser();
try {
  await checkPage(browser, await addressOf(server.stdout));
  await checkTryItOut(browser);
} finally {
  await browser.close();
  server.kill();
  await server.exited;
  rmSync(folder, { recursive: true, force: true });
}
printSum();

/** The address in the output of a started server. */
async function addressOf(printed: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of printed) {
    text += decoder.decode(chunk, { stream: true });
    const address = /http:\/\/\S+/.exec(text)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`The server stopped without an address: ${text}`);
}
