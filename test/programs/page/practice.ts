import type { Browser, Page } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { countClicks } from "./clicks.ts";
import { SMALL_ORGANIZATION } from "./small-practice.ts";
import {
  expectAccessible,
  keyOf,
  leave,
  type Practice,
  settled,
  undo,
  visit,
  writeRecord,
} from "./visit.ts";

/** The view Practice: what an administrator sets up, and what a biller may. */

type Row = Record<string, unknown>;

export async function checkPractice(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  const at = "#/practice";
  const key = await keyOf(folder, "ADMIN", SMALL_ORGANIZATION);
  const opened = async (width = 1280, theme: "light" | "dark" = "light") =>
    (await visit(browser, origin, { at, key, width, theme })).page;
  const stored = async (types: string): Promise<Row[]> => {
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${origin}/api/v1/practice-file?types=${types}`, { headers });
    const lines = (await response.text()).split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Row);
  };
  const list = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

  await check(
    "it has the lists that one may write, one request, and fits every width",
    async () => {
      for (const [width, theme] of [
        [390, "dark"],
        [1280, "light"],
      ] as const) {
        const page = await opened(width, theme);
        expectEqual(await page.locator(".practice h2").allInnerTexts(), [
          ...["The practice", "Locations 1", "Payors 0", "Services 1"],
          ...["Codes of what is not billed 0", "Stages of leads 0", "Specializations 0"],
          "Labels of leads 0",
        ]);
        expectEqual(await page.evaluate("document.documentElement.scrollWidth"), width);
        await expectAccessible(page);
        await leave(page);
      }
    },
  );

  await check(
    "a service is added with minutes, code, modifiers and group by three clicks, and undone",
    async () => {
      const page = await opened();
      const clicks = await countClicks(page);
      await list(page, "Services").getByRole("button", { name: "Add" }).click();
      const form = page.getByRole("form", { name: "New service" });
      await form.getByLabel("Name").fill("Group therapy");
      await form.getByLabel("Minutes of a unit").fill("30");
      await form.getByLabel("Code").fill("97154");
      await form.getByLabel("Modifiers").fill("hq, u1");
      await form.getByLabel("Held as a group").check();
      await form.getByRole("button", { name: "Add" }).click();
      const details = "30 minutes a unit, 97154 HQ U1, held as a group";
      await list(page, "Services").getByText(details).waitFor();
      expectEqual(await clicks(), 3);
      const added = (await stored("serviceLine")).find(({ name }) => name === "Group therapy");
      expectEqual(
        [added?.billingUnitMinutes, added?.code, added?.modifiers, added?.isGroup],
        [30, "97154", ["HQ", "U1"], true],
      );
      await undo(page);
      expectEqual((await stored("serviceLine")).length, 2);
      await page.close();
    },
  );

  await check("what is in use stays, and says by whom", async () => {
    const page = await opened();
    const payors = list(page, "Services");
    await payors.getByRole("button", { name: /^Remove / }).click();
    await payors.getByText(/^In use: an authorization and \d+ others name it\.$/).waitFor();
    const way = await payors.getByRole("link").getAttribute("href");
    expectEqual(/^#\/utilization\/auth_\d$/.test(way ?? ""), true);
    expectEqual((await stored("serviceLine")).length, 2);
    await page.close();
  });

  await check("a payor is changed and removed again; a mistake stands at its field", async () => {
    const page = await opened();
    await list(page, "Payors").getByRole("button", { name: "Add" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
    await page.getByText("Please fill this in.").waitFor();
    await page.getByLabel("Name").fill("Northgate");
    await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
    await list(page, "Payors").getByText("Northgate").waitFor();
    await page.getByRole("button", { name: "Edit Northgate" }).click();
    await page.getByLabel("Name").fill("Northgate Health");
    const { publicId } = (await stored("payor")).find(({ name }) => name === "Northgate") ?? {};
    await writeRecord({ origin, adminKey: key }, SMALL_ORGANIZATION, {
      ...{ type: "payor", publicId, name: "Northgate of another" },
    });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Name: Northgate → Northgate of another").waitFor();
    await page.getByRole("button", { name: "Save mine on top" }).click();
    await list(page, "Payors").getByText("Northgate Health").waitFor();
    await page.getByRole("button", { name: "Remove Northgate Health" }).click();
    await list(page, "Payors").getByText("Northgate Health").waitFor({ state: "detached" });
    await undo(page);
    const names = (await stored("payor")).slice(1).map(({ name }) => name);
    expectEqual(names.includes("Northgate Health"), true);
    await page.close();
  });

  await check("stages are put in order", async () => {
    const page = await opened();
    const stages = list(page, "Stages of leads");
    for (const name of ["First call", "Waiting"]) {
      await stages.getByRole("button", { name: "Add" }).click();
      await page.getByLabel("Name").fill(name);
      await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
      await stages.getByText(name).waitFor();
    }
    await page.getByRole("button", { name: "Waiting up" }).click();
    await settled(page);
    expectEqual(await stages.locator("bdi").allInnerTexts(), ["Waiting", "First call"]);
    expectEqual(
      (await stored("intakeStage"))
        .slice(1)
        .map(({ name, position }) => [name, position])
        .sort(),
      [
        ["First call", 2],
        ["Waiting", 1],
      ],
    );
    await undo(page);
    await settled(page);
    expectEqual(await stages.locator("bdi").allInnerTexts(), ["First call", "Waiting"]);
    await page.close();
  });

  await check(
    "the practice's own name, zone and week are changed, and the page follows",
    async () => {
      const page = await opened();
      const clicks = await countClicks(page);
      await list(page, "The practice").getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Name").fill("Small Practice Downtown");
      await page.getByLabel("Time zone").fill("America/Chicago");
      await page.getByLabel("Weeks start on").selectOption("MONDAY");
      await page.getByLabel("Days in a row that meet a goal").fill("5");
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator(".who").getByText("Small Practice Downtown").waitFor();
      // A choice is a click of its own.
      expectEqual((await clicks()) <= 3, true);
      const { name, timezone, weekStartsOn, goalDaysInARow } = (await stored("location"))[0] ?? {};
      expectEqual(
        [name, timezone, weekStartsOn, goalDaysInARow],
        ["Small Practice Downtown", "America/Chicago", "MONDAY", 5],
      );
      await undo(page);
      await page.locator(".who").getByText("Small Practice", { exact: true }).waitFor();
      const before = (await stored("location"))[0];
      expectEqual([before?.timezone, before?.goalDaysInARow ?? null], ["UTC", null]);
      await page.close();
    },
  );

  await check("a biller sees payors and services alone, a technician nothing", async () => {
    const biller = await keyOf(folder, "BILLING_MANAGER", SMALL_ORGANIZATION);
    const { page } = await visit(browser, origin, { at, key: biller });
    expectEqual(await page.locator(".practice h2").allInnerTexts(), ["Payors 1", "Services 1"]);
    await leave(page);
    const technician = await keyOf(folder, "TECHNICIAN", SMALL_ORGANIZATION);
    const other = await visit(browser, origin, { at, key: technician });
    await other.page.getByText("This view does not exist").waitFor();
    expectEqual(await other.page.getByRole("link", { name: "Practice", exact: true }).count(), 0);
    await leave(other.page);
  });
}
