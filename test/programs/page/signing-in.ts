import type { Browser } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { expectAccessible, newKey, type Practice, settled, signIn, visit } from "./visit.ts";
import { runProgram } from "../../support/commands/program.ts";

/** Keys: how one signs in and out, and what becomes of a key that is not taken. */

const STORES = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])";

/** What the page keeps an untouched key for, in milliseconds. */
const UNTOUCHED_TIME = 15 * 60 * 1000;

export async function checkSigningIn(browser: Browser, practice: Practice): Promise<void> {
  const { origin, adminKey } = practice;

  await check(
    "a key that nobody made is refused in the API's own sentence, with the request's id",
    async () => {
      const { page } = await visit(browser, origin, {});
      await page.getByLabel("API key").fill("caseload_nobody-made-this");
      await page.keyboard.press("Enter");
      const alert = page.getByRole("alert");
      await alert.waitFor();
      const text = await alert.innerText();
      if (!/Invalid API key\s+Request [0-9a-f-]{36}/.test(text)) throw new Error(text);
      await page.close();
    },
  );

  await check("a key that cannot be in a header is refused, too", async () => {
    const { page } = await visit(browser, origin, {});
    await page.getByLabel("API key").fill("schlüssel – 钥匙");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await page.close();
  });

  await check(
    "the form is one that password managers know: a name, and the key hidden",
    async () => {
      const { page } = await visit(browser, origin, {});
      const fields = await page
        .locator("form input")
        .evaluateAll((inputs) =>
          inputs.map((input) => [input.getAttribute("type"), input.getAttribute("autocomplete")]),
        );
      expectEqual(fields, [
        ["text", "username"],
        ["password", "current-password"],
      ]);
      const requests: string[] = [];
      page.on("request", (request) => {
        requests.push(
          `${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`,
        );
      });
      await page.getByLabel("Name", { exact: true }).fill("front-desk-name");
      await signIn(page, adminKey);
      await settled(page);
      expectEqual(
        requests.filter((request) => request.includes("front-desk-name")),
        [],
      );
      await page.close();
    },
  );

  await check("a key is kept in memory alone, and a reload forgets it", async () => {
    const { page } = await visit(browser, origin, { key: adminKey });
    await settled(page);
    const kept = await page.evaluate<string>(STORES);
    const databases = await page.evaluate<unknown[]>("indexedDB.databases()");
    expectEqual([kept, databases], ['[{},{},""]', []]);
    if ((await page.content()).includes(adminKey)) throw new Error("The document holds the key");
    await page.reload();
    await page.getByLabel("API key").waitFor();
    await page.close();
  });

  await check("signing out forgets the key, and shows no data any more", async () => {
    const { page } = await visit(browser, origin, { key: adminKey });
    await settled(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out").waitFor();
    expectEqual(await page.getByLabel("API key").inputValue(), "");
    expectEqual(await page.getByRole("table").count(), 0);
    await page.close();
  });

  await check(
    "fifteen minutes without a touch forget the key, and a touch begins them anew",
    async () => {
      const { page } = await visit(browser, origin, {});
      await page.clock.install();
      await page.reload();
      await signIn(page, adminKey);
      await page.clock.runFor(UNTOUCHED_TIME - 60_000);
      await page.mouse.move(300, 300);
      await page.clock.runFor(UNTOUCHED_TIME - 60_000);
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      await page.clock.runFor(2 * 60_000);
      await page.getByText("You were signed out after fifteen minutes").waitFor();
      await page.close();
    },
  );

  await check("a laptop that slept longer finds the key forgotten at the first touch", async () => {
    const { page } = await visit(browser, origin, {});
    await page.clock.install();
    await page.reload();
    await signIn(page, adminKey);
    // Time passes, and no timer runs.
    await page.clock.setSystemTime(Date.now() + UNTOUCHED_TIME + 60_000);
    await page.mouse.move(300, 300);
    await page.getByText("You were signed out after fifteen minutes").waitFor();
    await page.close();
  });

  await check("a key that dies while it is used is forgotten, and the page says why", async () => {
    const key = await newKey(practice.folder, "ADMIN");
    const { page } = await visit(browser, origin, { at: "#/utilization", key });
    await settled(page);
    const { stdout } = await runProgram(["keys", "list", "--json"], { cwd: practice.folder });
    const keys = JSON.parse(stdout) as { id: string }[];
    await runProgram(["keys", "revoke", keys.at(-1)?.id ?? ""], { cwd: practice.folder });
    await page.getByRole("link", { name: "Table" }).waitFor();
    await page.getByLabel("Day").fill("2026-01-01");
    await page.getByText("The key is no longer valid: Invalid API key").waitFor();
    await page.close();
  });

  for (const theme of ["light", "dark"] as const)
    await check(`signing in has no violation by axe-core (${theme})`, async () => {
      const { page } = await visit(browser, origin, { theme });
      await page.getByLabel("API key").waitFor();
      await expectAccessible(page);
      await page.close();
    });

  await check(
    "a keyboard signs in, skips to the content, and goes on to what is in it",
    async () => {
      const { page } = await visit(browser, origin, {});
      await page.keyboard.type(adminKey);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      await settled(page);
      await page.locator("main h1:focus").waitFor();
      await page.getByRole("link", { name: "Caseload" }).focus();
      await page.keyboard.press("Shift+Tab");
      await page.getByRole("button", { name: "Skip to content" }).press("Enter");
      await page.locator("main h1:focus").waitFor();
      await page.keyboard.press("Tab");
      expectEqual(await page.evaluate("document.activeElement.closest('main') !== null"), true);
      await page.close();
    },
  );

  await check("a place that is no view says so", async () => {
    for (const at of ["#/nonsense", "#/utilization/a/b", "#/%zz", "#/people/%E0%A4%A"]) {
      const { page } = await visit(browser, origin, { at, key: adminKey });
      await page.getByRole("heading", { name: "This view does not exist" }).waitFor();
      await page.close();
    }
  });
}
