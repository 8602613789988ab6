import type { Browser } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { SMALL_ORGANIZATION, TOMORROW, YESTERDAY } from "./small-practice.ts";
import { expectAccessible, keyOf, type Practice, read, undo, visit } from "./visit.ts";

/** A technician's own day on a phone: what happened is written by one tap, and can be undone. */

const PHONE = 390;

export async function checkMyDay(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  const key = await keyOf(folder, "TECHNICIAN", SMALL_ORGANIZATION, { user: "usr_technician" });
  const admin = { ...practice, adminKey: await keyOf(folder, "ADMIN", SMALL_ORGANIZATION) };
  const at = `#/today?day=${YESTERDAY}`;
  const stored = () => read<{ status: string }>(admin, "sessions/apt_past");
  const encounters = async () =>
    (await read<{ data: { units: number }[] }>(admin, "encounters?sessionId=apt_past")).data;
  const opened = async (place: string) => {
    const { page } = await visit(browser, origin, { at: place, key, width: PHONE });
    return page;
  };

  await check("on a phone, one's own key opens one's own day", async () => {
    const page = await opened("");
    await page.getByRole("heading", { level: 1, name: "My day" }).waitFor();
    await page.close();
  });

  await check("a session is delivered with the units of its length by one tap", async () => {
    const page = await opened(at);
    await page.getByText("Leo Park").waitFor();
    await expectAccessible(page);
    expectEqual(await page.evaluate("document.documentElement.scrollWidth"), PHONE);
    await page.getByRole("button", { name: "Delivered: 8 units" }).click();
    await page.getByText("✓ Delivered").waitFor();
    expectEqual(
      (await encounters()).map(({ units }) => units),
      [8],
    );
    await undo(page);
    await page.getByRole("button", { name: "Delivered: 8 units" }).waitFor();
    expectEqual(await encounters(), []);
    await page.close();
  });

  await check("no-show and cancelled are one tap each, and undone by another", async () => {
    const page = await opened(at);
    for (const [name, status] of [
      ["No-show", "PATIENT_NO_SHOW"],
      ["Cancelled", "DECLINED"],
    ] as const) {
      await page.getByRole("button", { name }).click();
      await page.getByRole("button", { name: "It took place" }).waitFor();
      expectEqual((await stored()).status, status);
      await undo(page);
      await page.getByRole("button", { name }).waitFor();
      expectEqual((await stored()).status, "CONFIRMED");
    }
    await page.close();
  });

  await check("a day to come is shown, and not offered to be written", async () => {
    const page = await opened(`#/today?day=${TOMORROW}`);
    await page.getByText("Leo Park").waitFor();
    expectEqual(await page.getByRole("button", { name: "Cancelled" }).count(), 0);
    await page.getByText("Leo Park").click();
    await page.getByRole("dialog").getByText("Confirmed").waitFor();
    const offers = page
      .getByRole("dialog")
      .getByRole("button", { name: /Delete|Who is free|Change/ });
    expectEqual(await offers.count(), 0);
    await page.close();
  });
}
