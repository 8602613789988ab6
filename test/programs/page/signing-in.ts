import type { Browser, Page, Route } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { SMALL_ORGANIZATION } from "./small-practice.ts";
import {
  expectNothingKept,
  goTo,
  keyOf,
  newKey,
  type Practice,
  settled,
  signIn,
  visit,
} from "./visit.ts";
import { runProgram } from "../../support/commands/program.ts";

/** Signing in and out with a key, and keys that are refused. */

/** The time without input after which the page removes the key, in milliseconds. */
const UNTOUCHED_TIME = 15 * 60 * 1000;

export async function checkSigningIn(browser: Browser, practice: Practice): Promise<void> {
  const { origin, adminKey } = practice;

  await check("an unknown key shows the message of the API with the request id", async () => {
    const { page } = await visit(browser, origin, {});
    await page.getByLabel("API key").fill("caseload_nobody-made-this");
    await page.keyboard.press("Enter");
    const alert = page.getByRole("alert");
    await alert.waitFor();
    const text = await alert.innerText();
    if (!/Invalid API key\s+Request [0-9a-f-]{36}/.test(text)) throw new Error(text);
    await page.close();
  });

  await check("a key with characters that headers do not allow is refused", async () => {
    const { page } = await visit(browser, origin, {});
    await page.getByLabel("API key").fill("schlüssel – 钥匙");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await page.close();
  });

  await check("password managers recognize the form: a user name and a hidden key", async () => {
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
      requests.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`);
    });
    await page.getByLabel("Name", { exact: true }).fill("front-desk-name");
    await signIn(page, adminKey);
    await settled(page);
    expectEqual(
      requests.filter((request) => request.includes("front-desk-name")),
      [],
    );
    await page.close();
  });

  await check("the key is kept in memory only, and a reload removes it", async () => {
    const { page } = await visit(browser, origin, { key: adminKey });
    await expectNothingKept(page);
    if ((await page.content()).includes(adminKey)) throw new Error("The document holds the key");
    // As when it goes to the browser's cache of pages to come back to.
    await page.evaluate(`dispatchEvent(new Event("pagehide"))`);
    await page.getByText("You are signed out").waitFor();
    await signIn(page, adminKey);
    await page.reload();
    await page.getByLabel("API key").waitFor();
    await page.close();
  });

  await check("signing out removes the key and all data", async () => {
    const { page } = await visit(browser, origin, { at: "#/delivered", key: adminKey });
    const payors = page.getByLabel("Payor", { exact: true }).getByRole("option");
    await payors.nth(1).waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out").waitFor();
    expectEqual(await page.getByLabel("API key").inputValue(), "");
    expectEqual(await page.getByRole("table").count(), 0);
    // Of another practice, nothing is shown that was kept for the first one.
    await signIn(page, await keyOf(practice.folder, "ADMIN", SMALL_ORGANIZATION));
    await settled(page);
    expectEqual(await payors.allInnerTexts(), ["All"]);
    await page.close();
  });

  await check(
    "fifteen minutes without input remove the key, and input restarts the period",
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

  /** A page whose device's clock jumps by more than the period, without timers running, and what the server then says. */
  async function jumped(answer: (route: Route) => Promise<void>): Promise<Page> {
    const { page } = await visit(browser, origin, {});
    await page.clock.install();
    await page.reload();
    await signIn(page, adminKey);
    await page.route(/\/me$/, answer);
    await page.clock.setSystemTime(Date.now() + UNTOUCHED_TIME + 60_000);
    await page.mouse.move(300, 300);
    return page;
  }
  const SIGNED_OUT = "You were signed out after fifteen minutes";

  await check("after a longer sleep of the laptop, the first input removes the key", async () => {
    const page = await jumped(async (route) => {
      const response = await route.fetch();
      const date = new Date(Date.now() + UNTOUCHED_TIME + 60_000).toUTCString();
      await route.fulfill({ response, headers: { ...response.headers(), date } });
    });
    await page.getByText(SIGNED_OUT).waitFor();
    await page.close();
  });

  await check("so it does when the server cannot say how long it was", async () => {
    const page = await jumped((route) => route.abort());
    await page.getByText(SIGNED_OUT).waitFor();
    await page.close();
  });

  await check("a clock that jumps does not end the sign-in, and is said to be wrong", async () => {
    const page = await jumped((route) => route.continue());
    await page.getByText("The clock of this device is 16 minutes ahead of the server’s.").waitFor();
    expectEqual(await page.getByText(SIGNED_OUT).count(), 0);
    await page.getByRole("link", { name: "People" }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
    await page.close();
  });

  await check(
    "a key that is revoked while it is used is removed, and the page shows the reason",
    async () => {
      const key = await newKey(practice.folder, "ADMIN");
      const { page } = await visit(browser, origin, { at: "#/people?open=new-person", key });
      const firstName = page.getByRole("dialog").getByLabel("First name").first();
      await firstName.fill("Ida");
      const { stdout } = await runProgram(["keys", "list", "--json"], { cwd: practice.folder });
      const keys = JSON.parse(stdout) as { id: string }[];
      await runProgram(["keys", "revoke", keys.at(-1)?.id ?? ""], { cwd: practice.folder });
      await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
      await page.getByText("The key is no longer valid: Invalid API key").waitFor();
      // Whoever signs in now may be somebody else.
      await signIn(page, adminKey);
      expectEqual(await firstName.inputValue(), "");
      await page.close();
    },
  );

  await check("a file that is still read when somebody else signs in is not theirs", async () => {
    const { page } = await visit(browser, origin, { at: "#/import", key: adminKey });
    await page.evaluate(
      `File.prototype.arrayBuffer = () => new Promise((read) => (isRead = read))`,
    );
    await page.locator("input[type=file]").setInputFiles({
      ...{ name: "payors.csv", mimeType: "text/csv", buffer: Buffer.from("ID,Name") },
    });
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, await newKey(practice.folder, "ADMIN"));
    await goTo(page, "#/people");
    await page.evaluate(`isRead(new TextEncoder().encode("ID,Name").buffer)`);
    await goTo(page, "#/import");
    expectEqual(await page.getByRole("heading", { name: "payors.csv" }).count(), 0);
    await page.close();
  });

  await check("by keyboard, one can sign in, skip to the content, and move on in it", async () => {
    const { page } = await visit(browser, origin, {});
    await page.locator("input:focus").waitFor();
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
  });

  await check("an unknown address shows a message", async () => {
    const { page } = await visit(browser, origin, { at: "#/people", key: adminKey });
    for (const at of ["#/nonsense", "#/utilization/a/b", "#/%zz", "#/people/%E0%A4%A"]) {
      await goTo(page, at);
      await page.getByRole("heading", { name: "This view does not exist" }).waitFor();
      await goTo(page, "#/people");
      await page.getByRole("heading", { name: "People" }).waitFor();
    }
    await page.close();
  });
}
