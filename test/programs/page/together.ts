import type { Browser, Locator, Page } from "playwright-core";

import { check, expectEqual } from "../../support/checks.ts";
import { at, dayOf, importSlotPractice, SLOT_ORGANIZATION } from "./slot-practice.ts";
import {
  expectAccessible,
  keyOf,
  type Practice,
  settled,
  undo,
  visit,
  writeRecord,
} from "./visit.ts";

/** This and the following: each errand with its clicks, and with what is stored after it and after its undo. */

export async function checkTogether(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  await importSlotPractice(folder);
  const key = await keyOf(folder, "SCHEDULING_MANAGER", SLOT_ORGANIZATION);
  const admin = { ...practice, adminKey: await keyOf(folder, "ADMIN", SLOT_ORGANIZATION) };

  /** All sessions and authorizations, as they are stored. */
  const stored = async (): Promise<Map<string, Record<string, unknown>>> => {
    const response = await fetch(`${origin}/api/v1/practice-file?types=session,authorization`, {
      headers: { Authorization: `Bearer ${admin.adminKey}` },
    });
    const lines = (await response.text()).trimEnd().split("\n").slice(1);
    return new Map(lines.map((line) => [JSON.parse(line).publicId, JSON.parse(line)]));
  };
  const before = await stored();
  /** What differs from the beginning, by id; null for what is gone. */
  const changes = async (): Promise<Record<string, object | null>> => {
    const now = await stored();
    const changed: Record<string, object | null> = {};
    for (const id of new Set([...before.keys(), ...now.keys()])) {
      const [old = {}, own] = [before.get(id), now.get(id)];
      const fields = Object.entries(own ?? {}).filter(([name, value]) => old[name] !== value);
      if (own === undefined) changed[id] = null;
      else if (fields.length > 0) changed[id] = Object.fromEntries(fields);
    }
    return changed;
  };
  const expectUndone = async (page: Page): Promise<void> => {
    await undo(page);
    expectEqual(await changes(), {});
    await page.close();
  };

  const opened = async (place: string, role = key): Promise<Page> => {
    const { page } = await visit(browser, origin, { at: place, key: role });
    await page.evaluate(`clicks = 0; addEventListener("click", () => clicks += 1, true)`);
    return page;
  };
  const clicksOn = (page: Page): Promise<number> => page.evaluate<number>("clicks");
  /** The dialog of Leo's first session, from the schedule. */
  const ofLeo = async (role = key): Promise<[Page, Locator]> => {
    const page = await opened(`#/schedule?date=${dayOf(0)}`, role);
    const place = page
      .getByRole("region", { name: "Ana Ruiz" })
      .locator(".slot", { hasText: "3:30" });
    await place.getByRole("button").or(place.getByRole("link")).first().click();
    const dialog = page.getByRole("dialog", { name: "Therapy" });
    await settled(page);
    return [page, dialog];
  };
  const like = (page: Locator) => page.getByLabel(/^And the 8 sessions like it, until /);
  /** The weeks of Leo's slot that Ana has. */
  const same = [0, 1, 2, 4, 6, 8, 9, 10, 11];

  await check(
    "a slot is moved for good with four clicks; what stays is named; one undo",
    async () => {
      const [page, dialog] = await ofLeo();
      await dialog.getByRole("button", { name: "Change time or people" }).click();
      await like(dialog).check();
      await dialog.getByLabel("From").fill("16:30");
      const staying = dialog.locator(".staying li");
      expectEqual(
        (await staying.allInnerTexts()).map((text) => text.replace(/^\w+, \w+ \d+: /, "")),
        [
          "with Bo Lind",
          "cancelled",
          `${new Date(`${dayOf(7, 1)}T12:00Z`).toLocaleDateString("en-US", { weekday: "short", month: "short", day: "numeric", timeZone: "UTC" })}, 4:30 – 6:30 PM instead`,
        ],
      );
      const save = dialog.getByRole("button", { name: "Save 9 sessions" });
      await settled(page);
      await expectAccessible(page);
      await save.click();
      await dialog.getByText("9 sessions were changed.").waitFor();
      expectEqual(await clicksOn(page), 4);
      expectEqual(
        await changes(),
        Object.fromEntries(
          same.map((week) => [
            `apt_leo_${week}`,
            { startTime: at(dayOf(week), "16:30"), endTime: at(dayOf(week), "18:30") },
          ]),
        ),
      );
      await expectUndone(page);
    },
  );

  await check(
    "another technician for good, and the substitute along; warnings name each day",
    async () => {
      const [page, dialog] = await ofLeo();
      await dialog.getByRole("button", { name: "Change time or people" }).click();
      await like(dialog).check();
      await dialog.getByLabel("Also 1 session with other people").check();
      await dialog.getByLabel("Technician").selectOption({ label: "Cy Dole" });
      const warnings = dialog
        .getByRole("list", { name: "Warnings" })
        .getByText(/Cy Dole has another session/);
      // One within the slot, and one that began two days before.
      await warnings.nth(1).waitFor();
      expectEqual(await warnings.count(), 2);
      await dialog.getByRole("button", { name: "Save 10 sessions" }).click();
      await dialog.getByText("10 sessions were changed.").waitFor();
      expectEqual(
        await changes(),
        Object.fromEntries(
          [...same, 3].map((week) => [`apt_leo_${week}`, { technicianId: "usr_cy" }]),
        ),
      );
      await expectUndone(page);
    },
  );

  await check("cancelled from a day on", async () => {
    const [page, dialog] = await ofLeo();
    await like(dialog).check();
    await settled(page);
    await dialog.getByRole("button", { name: "Cancelled", exact: true }).click();
    await dialog.getByText("9 sessions are now: Cancelled.").waitFor();
    expectEqual(await clicksOn(page), 3);
    expectEqual(
      await changes(),
      Object.fromEntries(same.map((week) => [`apt_leo_${week}`, { status: "DECLINED" }])),
    );
    await expectUndone(page);
  });

  await check("deleted from a day on, and back with their authorizations", async () => {
    const [page, dialog] = await ofLeo();
    await like(dialog).check();
    await settled(page);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByText("Delete 9 sessions?").waitFor();
    await dialog.getByRole("button", { name: "Yes, delete 9" }).click();
    await page.getByText("9 sessions were deleted.").waitFor();
    expectEqual(await changes(), Object.fromEntries(same.map((week) => [`apt_leo_${week}`, null])));
    await expectUndone(page);
  });

  await check("who is free for all, and who for some of them", async () => {
    const [page, dialog] = await ofLeo();
    await like(dialog).check();
    await dialog.getByRole("button", { name: "Who is free" }).click();
    const list = dialog.getByRole("list", { name: "Who is free" });
    await list
      .getByRole("listitem")
      .filter({ hasText: "Bo Lind" })
      .getByText("free for all")
      .waitFor();
    const cy = list.getByRole("listitem").filter({ hasText: "Cy Dole" });
    await cy.getByText("for 7 of 9, not").waitFor();
    await settled(page);
    await expectAccessible(page);
    await cy.getByRole("button").click();
    await dialog.getByText("Cy Dole takes 7 sessions over.").waitFor();
    expectEqual(
      await changes(),
      Object.fromEntries(
        same
          .filter((week) => week !== 4 && week !== 8)
          .map((week) => [`apt_leo_${week}`, { technicianId: "usr_cy" }]),
      ),
    );
    await expectUndone(page);
  });

  await check("what somebody else changes in between refuses all of it, and is named", async () => {
    const [page, dialog] = await ofLeo();
    await dialog.getByRole("button", { name: "Change time or people" }).click();
    await like(dialog).check();
    await dialog.getByLabel("From").fill("16:30");
    await settled(page);
    const other = { type: "session", publicId: "apt_leo_2" };
    await writeRecord(admin, SLOT_ORGANIZATION, { ...other, title: "Changed" });
    await dialog.getByRole("button", { name: "Save 9 sessions" }).click();
    const said = dialog
      .getByRole("alert")
      .getByText(/Somebody else has changed the session of .* meanwhile/);
    await said.waitFor();
    expectEqual(await changes(), { apt_leo_2: { title: "Changed" } });
    await writeRecord(admin, SLOT_ORGANIZATION, { ...other, title: "Therapy" });
    await page.close();
  });

  await check("who may not plan is not offered it", async () => {
    for (const role of ["BILLING_MANAGER", "CLINICIAN"]) {
      const [page, dialog] = await ofLeo(await keyOf(folder, role, SLOT_ORGANIZATION));
      expectEqual(await like(dialog).count(), 0);
      await page.close();
    }
  });
}
