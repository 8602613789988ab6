import type { Browser } from "playwright-core";
import type { Encounter, PageOf } from "../../../src/page/app/lib/base/wire.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { SMALL_ORGANIZATION, YESTERDAY } from "./small-practice.ts";
import { keyOf, type Practice, read, settled, undo, visit } from "./visit.ts";

/** A biller's morning: undocumented sessions are found, documented and billed. */

export async function checkBiller(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  const key = await keyOf(folder, "BILLING_MANAGER", SMALL_ORGANIZATION);
  const admin = { ...practice, adminKey: key };
  const encounters = async (): Promise<Encounter[]> =>
    (await read<PageOf<Encounter>>(admin, "encounters?sessionId=apt_past")).data;

  await check(
    "an undocumented session is found, documented, and counted in the month and the authorization",
    async () => {
      const { page } = await visit(browser, origin, { key });
      const finding = page.locator(".causes li").filter({ hasText: "Not documented" });
      await finding.getByText("has ended, and is not documented.").waitFor();
      await finding.getByText("has ended, and is not documented.").click();
      await finding.getByRole("link", { name: "Session" }).click();
      const dialog = page.getByRole("dialog", { name: "Therapy of 1" });
      await dialog.getByRole("button", { name: "Delivered: 8 units" }).click();
      await dialog.getByText("✓ Delivered: 8 units").waitFor();
      const [encounter] = await encounters();
      expectEqual(
        [encounter?.units, encounter?.startTime, encounter?.authorizationId, encounter?.sessionId],
        [8, `${YESTERDAY}T09:00:00.000Z`, "auth_1", "apt_past"],
      );
      await dialog.getByRole("button", { name: "Close" }).click();
      await finding.waitFor({ state: "detached" });

      await page.getByRole("link", { name: "Delivered", exact: true }).click();
      await page.getByLabel("Month").selectOption(YESTERDAY.slice(0, 7));
      const sums = page.locator("tfoot tr", { hasText: "All payors" });
      await sums.waitFor();
      // One encounter of two hours, and no visits.
      expectEqual(await sums.locator("td").allInnerTexts(), ["1", "2", "0"]);
      await page.getByRole("link", { name: "A-1" }).click();
      await page.getByRole("heading", { name: "Leo Park" }).waitFor();
      await page.getByRole("link", { name: "Attention" }).click();
      await settled(page);
      await undo(page);
      await finding.waitFor();
      expectEqual(await encounters(), []);
      await page.close();
    },
  );

  await check(
    "units other than those of the duration can be entered, but no invalid number",
    async () => {
      const { page } = await visit(browser, origin, { at: `#/schedule?date=${YESTERDAY}`, key });
      await page.locator(".slot button").click();
      const form = page.getByRole("form", { name: "Delivered" });
      await form.getByLabel("Units").fill("eight");
      expectEqual(await form.getByRole("button").isDisabled(), true);
      await form.getByLabel("Units").fill("6.5");
      await form.getByRole("button", { name: "Delivered: 6.5 units" }).click();
      await page.getByText("✓ Delivered: 6.5 units").waitFor();
      expectEqual(
        (await encounters()).map(({ units }) => units),
        [6.5],
      );
      await undo(page);
      await form.waitFor();
      expectEqual(await encounters(), []);
      await page.close();
    },
  );

  await check("a read-only key gets no controls to write, and a message", async () => {
    const reading = await keyOf(folder, "ADMIN", SMALL_ORGANIZATION, { isReadOnly: true });
    const { page } = await visit(browser, origin, {
      at: `#/schedule?date=${YESTERDAY}`,
      key: reading,
    });
    await page.getByText("reads only").waitFor();
    await settled(page);
    await page.locator(".slot button").click();
    await page.getByRole("dialog").getByText("Status").waitFor();
    await settled(page);
    expectEqual(await page.getByRole("dialog").getByRole("button").allInnerTexts(), ["Close"]);
    await page.close();
  });
}
