import type { Browser } from "playwright-core";
import type { PageOf } from "../../../src/page/app/lib/base/wire.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { TOMORROW } from "./small-practice.ts";
import { expectAccessible, goTo, read, settled, undo, type Practice } from "./visit.ts";
import { button, officeOf } from "./office.ts";

/** An office's errands when somebody leaves, and on who has access. */

export async function checkLeaving(browser: Browser, practice: Practice): Promise<void> {
  const { admin, person, opened, write } = await officeOf(browser, practice);

  await check("an employee leaves: four clicks, with their coming sessions shown", async () => {
    const { page, expectClicks } = await opened(`#/schedule?date=${TOMORROW}&whose=technician`);
    const technicians = page.getByLabel("Technician").getByRole("option");
    const offered = async (): Promise<boolean> =>
      (await technicians.allTextContents()).includes("Ana Ruiz");
    expectEqual(await offered(), true);
    await goTo(page, "#/people");
    await page.getByRole("link", { name: "Ruiz, Ana" }).click();
    await page.getByRole("button", { name: "More ▾" }).click();
    await button(page, "Has left…").click();
    const dialog = page.getByRole("dialog", { name: "Ana Ruiz has left" });
    await dialog.getByText(/\d sessions from now on/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Has left" }).click();
    await page.getByText("Technician · has left").waitFor();
    await expectClicks(4);
    expectEqual((await person("usr_technician")).isActive, false);
    // What was kept of choices goes with every write.
    await goTo(page, `#/schedule?date=${TOMORROW}&whose=technician`);
    expectEqual(await offered(), false);
    await undo(page);
    expectEqual((await person("usr_technician")).isActive, true);
    await page.close();
  });

  await check("access that could not be ended is an error, with a way to try again", async () => {
    const { page } = await opened("#/people/usr_other");
    const isAccess = ({ pathname }: URL) => pathname.endsWith("/access");
    await page.route(isAccess, (route) => route.abort());
    await page.getByRole("button", { name: "More ▾" }).click();
    await button(page, "Has left…").click();
    const dialog = page.getByRole("dialog", { name: "Bo Lind has left" });
    await dialog.getByRole("button", { name: "Has left" }).click();
    await dialog.getByText("Has left, but can still be signed in:").waitFor();
    await dialog.getByText("Undo does not bring back").waitFor();
    expectEqual((await person("usr_other")).isActive, false);
    await page.unroute(isAccess);
    const ended = page.waitForResponse((each) => isAccess(new URL(each.url())));
    await dialog.getByRole("button", { name: "End their access" }).click();
    expectEqual((await ended).status(), 200);
    await dialog.waitFor({ state: "detached" });
    await undo(page);
    expectEqual((await person("usr_other")).isActive, true);
    await page.close();
  });

  await check("a patient is discharged with all sessions to come: one act, one undo", async () => {
    const sessions = async () =>
      (await read<PageOf<unknown>>(admin, "sessions?clientId=usr_patient_2&pageSize=100")).data;
    const before = [await person("usr_patient_2"), await sessions()] as const;
    const { page, expectClicks } = await opened("#/people/usr_patient_2");
    for (const [choice, said] of [
      ["Delete them", "3 sessions are deleted."],
      ["Cancel them", "3 sessions are cancelled."],
      ["Leave them: Attention finds them", "3 sessions are left, and found under Attention."],
    ] as const) {
      await page.getByRole("button", { name: "More ▾" }).click();
      await button(page, "Is discharged…").click();
      const dialog = page.getByRole("dialog", { name: "Mia Wu is discharged" });
      await dialog.getByText("3 sessions from now on.").waitFor();
      await expectAccessible(page);
      await dialog.getByLabel("These sessions").selectOption({ label: choice });
      await dialog.getByRole("button", { name: "Is discharged" }).click();
      await page.getByText(said).waitFor();
      const { isActive, userStatus } = await person("usr_patient_2");
      expectEqual([isActive, userStatus], [false, "DISCHARGED"]);
      const stored = await sessions();
      expectEqual(
        stored.filter((each) => (each as { status: string }).status === "CONFIRMED").length,
        choice.startsWith("Leave") ? 3 : 0,
      );
      await undo(page);
      expectEqual([await person("usr_patient_2"), await sessions()], before);
    }
    await expectClicks(12);
    // Whoever comes back is no longer discharged.
    await write({
      type: "user",
      publicId: "usr_patient_2",
      isActive: false,
      userStatus: "DISCHARGED",
    });
    await goTo(page, "#/people");
    await goTo(page, "#/people/usr_patient_2");
    await button(page, "Is back").click();
    await page.getByText("The person is active again.").waitFor();
    const { isActive, userStatus } = await person("usr_patient_2");
    expectEqual([isActive, userStatus], [true, "ACTIVE"]);
    await write({ type: "user", publicId: "usr_patient_2", userStatus: before[0]?.userStatus });
    await page.close();
  });

  await check(
    "a calendar for a phone: its address is shown once, and it can be revoked",
    async () => {
      const { page } = await opened("#/people/usr_technician");
      const device = page.getByRole("form", { name: "New calendar" }).getByLabel("Device");
      const revoke = button(page, "Revoke Ana's phone");
      const create = async (count: number): Promise<void> => {
        await device.fill("Ana's phone");
        await button(page, "New calendar").click();
        await revoke.nth(count - 1).waitFor();
      };
      await create(1);
      const address = await page.locator(".calendars code").innerText();
      const feed = await fetch(address);
      await settled(page);
      expectEqual(
        [feed.status, feed.headers.get("content-type")?.split(";")[0]],
        [200, "text/calendar"],
      );
      await expectAccessible(page);
      // A second phone of the same name is another calendar, and neither is somebody else's.
      await create(2);
      await goTo(page, "#/people/usr_other");
      expectEqual([await device.count(), await revoke.count()], [1, 0]);
      await goTo(page, "#/people/usr_technician");
      for (const left of [1, 0]) {
        await revoke.nth(left).click();
        await revoke.nth(left).waitFor({ state: "detached" });
      }
      expectEqual((await fetch(address)).status, 404);
      await page.close();
    },
  );
}
