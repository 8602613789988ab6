import type { Browser } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { countClicks } from "./clicks.ts";
import {
  expectAccessible,
  goTo,
  keyOf,
  type Practice,
  read,
  settled,
  undo,
  visit,
} from "./visit.ts";

/** Own patients only: an administrator says who is limited, and every view works for them. */

const SETTING = "See own patients only";

interface People {
  data: { publicId: string; role: string }[];
  pagination: { totalCount: number };
}

export async function checkOwnPatients(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder, adminKey } = practice;
  const send = async (query: string, body?: object): Promise<string> => {
    const headers = { Authorization: `Bearer ${adminKey}`, "Content-Type": "application/x-ndjson" };
    const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${origin}/api/v1/practice-file${query}`, { headers, ...request });
    if (!response.ok) throw new Error(await response.text());
    return response.text();
  };
  const setting = async (): Promise<unknown> => {
    const [line = ""] = (await send("?types=location")).split("\n");
    return JSON.parse(line).ownPatientsOnly;
  };
  const limit = (ownPatientsOnly: string | null): Promise<string> =>
    send("", { type: "organization", publicId: "org_maple", ownPatientsOnly });
  const administrator = await visit(browser, origin, { at: "#/access", key: adminKey });

  await check("an administrator limits staff in Access, by one choice", async () => {
    const { page } = administrator;
    const clicks = await countClicks(page);
    expectEqual(await page.getByText("Own patients only", { exact: true }).count(), 0);
    await page.getByLabel(SETTING).selectOption("Technicians and clinicians");
    await page.getByText("Own patients only", { exact: true }).first().waitFor();
    expectEqual([await clicks(), await setting()], [0, "TECHNICIANS_AND_CLINICIANS"]);
    await expectAccessible(page);
  });

  await check("what was set is undone, and everybody sees every patient again", async () => {
    const { page } = administrator;
    await undo(page);
    expectEqual(await setting(), null);
    for (const choice of ["Technicians", "Technicians and clinicians"]) {
      await settled(page);
      await page.getByLabel(SETTING).selectOption(choice);
    }
    await settled(page);
    await undo(page);
    expectEqual(await setting(), "TECHNICIANS");
    // The same choice, made again after somebody else has taken it back, is written again.
    for (const _ of ["first", "again"]) {
      await limit(null);
      await goTo(page, "#/people");
      await goTo(page, "#/access");
      await page.getByLabel(SETTING).selectOption("Technicians");
      await settled(page);
      expectEqual(await setting(), "TECHNICIANS");
    }
    await page.close();
  });

  await limit("TECHNICIANS_AND_CLINICIANS");
  for (const role of ["TECHNICIAN", "CLINICIAN"]) {
    const { data: staff } = await read<People>(practice, `users?role=${role}&isActive=true`);
    const user = staff[0]?.publicId ?? "";
    const key = await keyOf(folder, role, "org_maple", { user });

    await check(
      `every view works for a limited ${role.toLowerCase()}, and says whose patients it has`,
      async () => {
        const { page } = await visit(browser, origin, { at: "#/people", key });
        const refused: string[] = [];
        page.on("response", (response) => {
          if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
        });
        for (const view of ["people", "attention", "utilization", "delivered"]) {
          await goTo(page, `#/${view}`);
          expectEqual(
            [view, await page.getByText("Your patients", { exact: true }).count()],
            [view, 1],
          );
        }
        for (const view of ["schedule", "today", "supervision", "me"])
          await goTo(page, `#/${view}`);
        await goTo(page, `#/schedule?whose=${role.toLowerCase()}&person=${user}`);
        const slot = page.locator(".slot button").first();
        if ((await slot.count()) > 0) {
          await slot.click();
          await settled(page);
          expectEqual(await page.getByRole("button", { name: "Who is free" }).count(), 0);
        }
        expectEqual(refused, []);
        await page.close();
      },
    );
  }
  await limit(null);
}
