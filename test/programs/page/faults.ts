import type { Browser, Page } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { SMALL_ORGANIZATION } from "./small-practice.ts";
import { goTo, keyOf, type Practice, read, undo, visit, writeRecord } from "./visit.ts";

/** What the page makes of answers that do not come, that come from something else, and of scripts that hang. */

const PATIENT = "usr_patient_1";

export async function checkFaults(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  const key = await keyOf(folder, "ADMIN", SMALL_ORGANIZATION);
  const admin = { ...practice, adminKey: key };
  const opened = async (at: string) => (await visit(browser, origin, { at, key })).page;
  const stored = () => read<{ lastName: string }>(admin, `users/${PATIENT}`);

  async function rename(page: Page, field: string, value: string): Promise<void> {
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(field).first().fill(value);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }

  await check("a write whose answer a proxy swallows is written once, and said to be", async () => {
    const page = await opened(`#/people/${PATIENT}`);
    const keys: (string | undefined)[] = [];
    await page.route(/practice-file\?/, async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      keys.push(route.request().headers()["idempotency-key"]);
      const response = await route.fetch();
      if (keys.length > 1) return route.fulfill({ response });
      return route.fulfill({ status: 504, contentType: "text/html", body: "<h1>504</h1>" });
    });
    await rename(page, "Last name", "Parker");
    await page.getByRole("heading", { name: "Leo Parker" }).waitFor();
    expectEqual([keys.length, new Set(keys).size], [2, 1]);
    await undo(page);
    expectEqual((await stored()).lastName, "Park");
    await page.close();
  });

  await check("two changes of a record are undone, the last one first", async () => {
    const page = await opened(`#/people/${PATIENT}`);
    await rename(page, "Last name", "Parks");
    await page.getByRole("heading", { name: "Leo Parks" }).waitFor();
    await rename(page, "Last name", "Parkman");
    await page.getByRole("heading", { name: "Leo Parkman" }).waitFor();
    await goTo(page, "#/done");
    const undoFirst = page.getByRole("main").getByRole("button", { name: "Undo" }).first();
    await undoFirst.click();
    await page.getByRole("listitem").nth(1).waitFor({ state: "detached" });
    expectEqual((await stored()).lastName, "Parks");
    await undoFirst.click();
    await page.getByText("Nothing yet.").waitFor();
    expectEqual((await stored()).lastName, "Park");
    await page.close();
  });

  for (const [at, fault, part] of [
    [`#/people/${PATIENT}`, /\/sessions\?/, "The next sessions could not be read"],
    [`#/people/${PATIENT}`, /\/authorization-utilization\?/, "Not everything here could be read"],
    ["#/billing", /\/checks\?/, "Not everything here could be read"],
  ] as const)
    await check(
      `at ${at}, what ${fault} does not answer is said, and asked for again`,
      async () => {
        const page = await opened("#/nobody");
        const error = { error: "Internal server error", statusCode: 500 };
        await page.route(fault, (route) => route.fulfill({ status: 500, json: error }));
        await goTo(page, at);
        await page.getByText(part).waitFor();
        await page.unroute(fault);
        await page.getByRole("button", { name: "Try again" }).first().click();
        await page.getByText(part).waitFor({ state: "detached" });
        await page.close();
      },
    );

  await check("a script that does not come is asked for again", async () => {
    const page = await opened("#/nobody");
    let count = 0;
    await page.route(/\/page\/part-/, (route) =>
      (count += 1) > 1 || route.request().method() === "HEAD" ? route.fallback() : route.abort(),
    );
    await page.evaluate("void (location.hash = '#/access')");
    await page.getByText("The page tries again every few seconds.").waitFor();
    await page.getByRole("heading", { name: "Access" }).waitFor();
    await page.close();
  });

  await check("after an update, a page that lacks a script says Reload", async () => {
    const page = await opened("#/nobody");
    const error = { error: "Not found", statusCode: 404 };
    await page.route(/\/page\/part-/, (route) => route.fulfill({ status: 404, json: error }));
    await page.evaluate("void (location.hash = '#/access')");
    await page.getByText("Caseload was updated since this page was opened.").waitFor();
    await page.getByRole("button", { name: "Reload" }).waitFor();
    expectEqual(await page.getByText("tries again").count(), 0);
    await page.close();
  });

  await check("the practice's zone changes below an open page", async () => {
    const page = await opened("#/schedule");
    const write = (timezone: string) =>
      writeRecord(admin, SMALL_ORGANIZATION, { type: "location", publicId: "loc_1" }, { timezone });
    await write("America/Denver");
    await page.clock.install();
    await page.clock.runFor(5 * 60_000);
    await page.mouse.move(10, 10);
    await page.getByText("Mountain Time").first().waitFor();
    await write("UTC");
    await page.close();
  });
}
