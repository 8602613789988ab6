import type { Browser, Page } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { LATER, SMALL_ORGANIZATION, TOMORROW, YESTERDAY } from "./small-practice.ts";
import {
  expectAccessible,
  holdBack,
  keyOf,
  type Practice,
  settled,
  undo,
  visit,
  writeRecord,
} from "./visit.ts";

/** What Attention finds is mended where it is found: what is stored after it, and after its undo. */

export async function checkMending(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  const key = await keyOf(folder, "BILLING_MANAGER", SMALL_ORGANIZATION);
  const planner = await keyOf(folder, "SCHEDULING_MANAGER", SMALL_ORGANIZATION);
  const admin = { ...practice, adminKey: await keyOf(folder, "ADMIN", SMALL_ORGANIZATION) };
  const write = (record: object) => writeRecord(admin, SMALL_ORGANIZATION, record);
  const stored = async (): Promise<Record<string, Record<string, unknown>>> => {
    const response = await fetch(
      `${origin}/api/v1/practice-file?types=authorization,session,encounter`,
      {
        headers: { Authorization: `Bearer ${admin.adminKey}` },
      },
    );
    const lines = (await response.text()).trimEnd().split("\n").slice(1);
    return Object.fromEntries(lines.map((line) => [JSON.parse(line).publicId, JSON.parse(line)]));
  };
  const opened = async (at: string, role = key): Promise<Page> => {
    const { page } = await visit(browser, origin, { at, key: role });
    await page.evaluate(`clicks = 0; addEventListener("click", () => clicks += 1, true)`);
    return page;
  };
  const clicksOn = (page: Page): Promise<number> => page.evaluate<number>("clicks");

  await check(
    "a session outside its authorization is put on the one that is in force",
    async () => {
      const before = await stored();
      const page = await opened(`#/schedule?date=${LATER}&session=apt_late`);
      await page.getByRole("button", { name: "Put on authorization…" }).click();
      const offers = page.getByRole("list", { name: "Authorizations" });
      await offers.getByText(/ left on /).waitFor();
      await expectAccessible(page);
      await offers.getByRole("button", { name: "Therapy, A-2" }).click();
      await page.getByRole("dialog").getByText("1 session put on A-2.").waitFor();
      expectEqual(await clicksOn(page), 2);
      const { apt_late: late = {} } = await stored();
      expectEqual(late, { ...before.apt_late, authorizationId: "auth_2" });
      await undo(page);
      expectEqual(await stored(), before);
      await page.close();
    },
  );

  await check("and is not, if somebody else has changed it meanwhile", async () => {
    const page = await opened(`#/schedule?date=${LATER}&session=apt_late`);
    // Also while what is shown is still being read.
    const release = await holdBack(page, /\/encounters\?/);
    const read = page.waitForResponse(/practice-file\?types=session/);
    await page.getByRole("button", { name: "Put on authorization…" }).click();
    await read;
    await write({ type: "session", publicId: "apt_late", title: "Changed" });
    release();
    const offers = page.getByRole("list", { name: "Authorizations" });
    await offers.getByRole("button", { name: "Therapy, A-2" }).click();
    const said = /^Somebody else has changed .* meanwhile\. Nothing was written\.$/;
    await page.getByRole("alert").getByText(said).waitFor();
    expectEqual((await stored()).apt_late?.authorizationId, "auth_3");
    await write({ type: "session", publicId: "apt_late", title: "Therapy of 2" });
    await page.close();
  });

  await check("all sessions of a cause at once, with their encounters: two clicks", async () => {
    const { apt_late: late } = await stored();
    await write({
      ...late,
      publicId: "apt_late_2",
      startTime: `${LATER}T09:00:00.000Z`,
      endTime: `${LATER}T10:00:00.000Z`,
    });
    const encounter = { type: "encounter", publicId: "enc_late", authorizationId: "auth_3" };
    await write({
      ...encounter,
      sessionId: "apt_late_2",
      startTime: `${LATER}T09:00:00.000Z`,
      units: 4,
    });
    const before = await stored();
    const page = await opened("#/attention");
    const cause = page.locator(".causes li").filter({ hasText: "Outside the authorization" });
    await cause.getByText("2 sessions outside").waitFor();
    await cause.getByRole("button", { name: "Put on authorization…" }).click();
    const dialog = page.getByRole("dialog", { name: "Put on authorization" });
    await dialog.getByText("for all 2").waitFor();
    await dialog.getByRole("button", { name: "Therapy, A-2" }).click();
    await page.getByText("2 sessions put on A-2.").waitFor();
    expectEqual(await clicksOn(page), 2);
    const moved = { authorizationId: "auth_2" };
    expectEqual(await stored(), {
      ...before,
      apt_late: { ...before.apt_late, ...moved },
      apt_late_2: { ...before.apt_late_2, ...moved },
      enc_late: { ...before.enc_late, ...moved },
    });
    await cause.waitFor({ state: "detached" });
    await undo(page);
    expectEqual(await stored(), before);
    await page.close();

    // Who may not send encounters is offered what is not documented.
    const planning = await opened("#/attention", planner);
    await planning.getByRole("button", { name: "Put on authorization…" }).first().click();
    await planning.getByRole("dialog").getByText("for 1 of 2").waitFor();
    await planning.close();
    await write({ type: "encounter", publicId: "enc_late", deleted: true });
    await write({ type: "session", publicId: "apt_late_2", deleted: true });
  });

  await check("an encounter is corrected and removed for as long as it is stored", async () => {
    const encounters = ["enc_past_1", "enc_past_2"].map((publicId) => ({
      ...{ type: "encounter", publicId, authorizationId: "auth_1", sessionId: "apt_past" },
      ...{ startTime: `${YESTERDAY}T09:00:00.000Z`, units: 8 },
    }));
    for (const encounter of encounters) await write(encounter);
    const before = await stored();
    const page = await opened(`#/schedule?date=${YESTERDAY}&session=apt_past`);
    const lines = page.getByRole("list", { name: "Encounters" }).getByRole("listitem");
    await lines.nth(1).waitFor();
    await lines.nth(0).getByRole("button", { name: "Correct" }).click();
    await lines.nth(0).getByLabel("Units").fill("6.5");
    await lines.nth(0).getByRole("button", { name: "Save: 6.5 units" }).click();
    await lines.nth(0).getByText("✓ Delivered: 6.5 units").waitFor();
    expectEqual(await clicksOn(page), 2);
    expectEqual(await stored(), { ...before, enc_past_1: { ...before.enc_past_1, units: 6.5 } });
    await undo(page);
    expectEqual(await stored(), before);
    await lines.nth(1).getByRole("button", { name: "Remove" }).click();
    await lines.nth(1).waitFor({ state: "detached" });
    const { enc_past_2: _, ...rest } = before;
    expectEqual(await stored(), rest);
    await undo(page);
    expectEqual(await stored(), before);
    await page.close();
    const planning = await opened(`#/schedule?date=${YESTERDAY}&session=apt_past`, planner);
    await planning.getByText("✓ Delivered: 8 units").first().waitFor();
    expectEqual(await planning.getByRole("button", { name: "Correct" }).count(), 0);
    // Its authorization changes together with that of its encounters alone.
    await planning.getByRole("button", { name: "Change time or people" }).click();
    await planning.getByText("It is documented: Put on authorization changes").waitFor();
    expectEqual(await planning.getByLabel("What", { exact: true }).count(), 0);
    await planning.close();
    for (const { publicId } of encounters)
      await write({ type: "encounter", publicId, deleted: true });
  });

  await check(
    "an authorization has other units from a day on, with what starts behind it",
    async () => {
      const before = await stored();
      const page = await opened("#/utilization/auth_1");
      await page.getByRole("button", { name: "Edit" }).click();
      const form = page.getByRole("form", { name: "Edit" });
      await form.getByLabel("Units").fill("8");
      await form.getByLabel("From which day").selectOption({ label: "From a later day" });
      await form.getByLabel("Day", { exact: true }).fill(TOMORROW);
      await form.getByText(/16 units daily, as it was\. From .*: 8 units daily\./).waitFor();
      await expectAccessible(page);
      await form.getByRole("button", { name: "Save" }).click();
      await page
        .getByText(/^The authorization was changed from .* on\. 1 session went along\.$/)
        .waitFor();
      const after = await stored();
      const [made = ""] = Object.keys(after).filter((id) => before[id] === undefined);
      const lastDay = String(Temporal.PlainDate.from(TOMORROW).subtract({ days: 1 }));
      expectEqual(after, {
        ...before,
        auth_1: { ...before.auth_1, authorizationExpirationDate: lastDay },
        [made]: {
          ...{ ...before.auth_1, publicId: made },
          ...{ authorizedUnitsQuantity: 8, authorizationDate: TOMORROW },
        },
        apt_first: { ...before.apt_first, authorizationId: made },
      });
      await undo(page);
      expectEqual(await stored(), before);
      await page.close();
    },
  );

  await check("everything else of a session: two clicks and typing", async () => {
    const before = await stored();
    const page = await opened(`#/schedule?date=${TOMORROW}&session=apt_first`, planner);
    await page.getByRole("button", { name: "Change time or people" }).click();
    const form = page.getByRole("form", { name: "Change time or people" });
    await form.getByLabel("Title").fill("By video");
    await form.getByLabel("Place").selectOption("TELEHEALTH_PROVIDED_ELSEWHERE");
    await form.getByLabel("What").selectOption({ label: "Therapy, without an authorization" });
    await form.getByLabel("Supervision").check();
    await settled(page);
    await expectAccessible(page);
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByText("The session was changed.").waitFor();
    const { apt_first: changed = {} } = await stored();
    expectEqual(
      [changed.title, changed.authorizationId, changed.isSupervision, changed.services],
      ["By video", null, true, "svc_1"],
    );
    expectEqual(
      [changed.placeOfService, changed.isTelehealth],
      ["TELEHEALTH_PROVIDED_ELSEWHERE", true],
    );
    await undo(page);
    expectEqual(await stored(), before);
    await page.close();
  });

  await check("of a supervision without a technician it is said whom it supervises", async () => {
    const { apt_first: first } = await stored();
    await write({ ...first, publicId: "apt_meanwhile", technicianId: "usr_other" });
    const page = await opened(`#/schedule?date=${TOMORROW}&session=apt_first`, planner);
    await page.getByRole("button", { name: "Change time or people" }).click();
    const form = page.getByRole("form", { name: "Change time or people" });
    await form.getByLabel("Technician").selectOption({ label: "Nobody" });
    await form.getByLabel("Supervision").check();
    await form.getByText("Supervises: Bo Lind", { exact: true }).waitFor();
    await form.getByLabel("From").fill("12:00");
    await form
      .getByText(/^Supervises nobody: no technician is with the patient .* 12:00 – /)
      .waitFor();
    await page.close();
    await write({ type: "session", publicId: "apt_meanwhile", deleted: true });
  });
}
