import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser, Observed } from "../../support/browser.ts";
import { check, expectEqual, printSum } from "../../support/checks.ts";

/**
 * The documentation page in a browser that can reach only this machine: `bun run test:browser`.
 * Requires Debian's chromium, and is therefore not part of `bun run test`.
 */

/** An invalid key in the format of one. */
const TYPED_KEY = "caseload_typed-into-the-page";

interface Document {
  paths: Record<string, Record<string, unknown>>;
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

const folder = mkdtempSync(join(tmpdir(), "caseload-browser-"));
const main = join(import.meta.dir, "../../../src/main.ts");
const server = Bun.spawn(
  [process.execPath, main, "serve", "--port", "0", "--database", join(folder, "caseload.db")],
  { stdout: "pipe", stderr: "ignore" },
);
const browser = await launchBrowser();
try {
  await checkPage(browser, await addressOf(server.stdout));
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
