import type { Browser, Page } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { SMALL_ORGANIZATION, TOMORROW, YESTERDAY } from "./small-practice.ts";
import {
  expectAccessible,
  goTo,
  holdBack,
  keyOf,
  type Practice,
  read,
  settled,
  visit,
  writeRecord,
} from "./visit.ts";

/** A technician's own day on a phone: what happened is written by one tap, and can be undone. */

const PHONE = 390;

/** When somebody may tap a second time, in milliseconds. */
const DELAYS = [20, 120, 250, 600, 990];

/** When the answer comes: with the last of these. */
const ANSWERED = 990;

const WAYS: Record<string, (page: Page, button: string) => Promise<void>> = {
  finger: async (page, button) => {
    const { x, y } = await centerOf(page, button);
    await page.touchscreen.tap(x, y);
  },
  mouse: async (page, button) => {
    const { x, y } = await centerOf(page, button);
    await page.mouse.click(x, y);
  },
  key: async (page, button) => {
    await page.getByRole("button", { name: button, exact: true }).focus();
    await page.keyboard.press("Enter");
  },
};

async function centerOf(page: Page, button: string): Promise<{ x: number; y: number }> {
  const box = await page.getByRole("button", { name: button, exact: true }).boundingBox();
  if (box === null) throw new Error(`${button} is not shown`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export async function checkMyDay(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  const key = await keyOf(folder, "TECHNICIAN", SMALL_ORGANIZATION, { user: "usr_technician" });
  const admin = { ...practice, adminKey: await keyOf(folder, "ADMIN", SMALL_ORGANIZATION) };
  const at = `#/today?date=${YESTERDAY}`;
  const statusOf = async () => (await read<{ status: string }>(admin, "sessions/apt_past")).status;
  const encounters = async () =>
    (await read<{ data: { units: number }[] }>(admin, "encounters?sessionId=apt_past")).data;
  const opened = async (place: string) => {
    const visited = { at: place, key, width: PHONE, hasTouch: true };
    return (await visit(browser, origin, visited)).page;
  };
  /** Presses `Undo`, as soon as presses count again. */
  const undo = async (page: Page, back: string): Promise<void> => {
    await settled(page);
    await page.waitForTimeout(1_200);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: back }).waitFor();
    await settled(page);
  };

  await check("on a phone, one's own key opens one's own day", async () => {
    const page = await opened("");
    await page.getByRole("heading", { level: 1, name: "My day" }).waitFor();
    await page.close();
  });

  await check(
    "one's own record has calendars for a phone, and a colleague's has none",
    async () => {
      const page = await opened("#/people/usr_technician");
      const calendars = page.getByRole("heading", { name: "Calendar on a phone" });
      await calendars.waitFor();
      await goTo(page, "#/people/usr_other");
      await page.getByRole("heading", { name: "Bo Lind" }).waitFor();
      expectEqual(await calendars.count(), 0);
      await page.close();
    },
  );

  await check("name, street and the caregiver's phone are links", async () => {
    await writeRecord(admin, SMALL_ORGANIZATION, {
      ...{ type: "user", publicId: "usr_caregiver", role: "CAREGIVER" },
      ...{ firstName: "Maria", lastName: "Park", phoneNumber: "+12125550123" },
    });
    await writeRecord(admin, SMALL_ORGANIZATION, {
      ...{ type: "user", publicId: "usr_patient_1", caregiverId: "usr_caregiver" },
      ...{ addressLine1: "4 Elm Street", city: "Springfield", state: "NY", postalCode: "10001" },
    });
    const page = await opened("#/nobody");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await goTo(page, at);
    // However many they are.
    expectEqual(asked.filter((url) => /types=user&ids=/.test(url)).length, 2);
    expectEqual(
      asked.filter((url) => /\/users\//.test(url)),
      [],
    );
    const addressOf = (name: string) => page.getByRole("link", { name }).getAttribute("href");
    expectEqual(await addressOf("Leo Park"), "#/people/usr_patient_1");
    expectEqual(
      await addressOf("4 Elm Street, Springfield, NY 10001"),
      "geo:0,0?q=4%20Elm%20Street%2C%20Springfield%2C%20NY%2010001",
    );
    expectEqual(await addressOf("Maria Park (212) 555-0123"), "tel:+12125550123");
    await page.close();
  });

  await check("a session is delivered with the units of its length by one tap", async () => {
    const page = await opened(at);
    await page.getByText("Leo Park").waitFor();
    await expectAccessible(page);
    expectEqual(await page.evaluate("document.documentElement.scrollWidth"), PHONE);
    await page.getByRole("button", { name: "Delivered: 8 units" }).click();
    await page.getByText("✓ Delivered, 8 units · Undo").waitFor();
    expectEqual(
      (await encounters()).map(({ units }) => units),
      [8],
    );
    // One line, without the buttons of the opposite.
    expectEqual(await page.locator(".my-day").getByRole("button").allInnerTexts(), ["Undo"]);
    await undo(page, "Delivered: 8 units");
    expectEqual(await encounters(), []);
    await page.close();
  });

  await check(
    "what was delivered twice is its sum, and no tap takes one of them back",
    async () => {
      const twice = [8, 4.5].map((units, index) => ({
        ...{ type: "encounter", publicId: `enc_twice_${index}`, authorizationId: "auth_1" },
        ...{ sessionId: "apt_past", startTime: `${YESTERDAY}T09:00:00.000Z`, units },
      }));
      // Nobody fails to show up at what is without a patient.
      const meeting = {
        ...{ type: "session", publicId: "apt_meeting", title: "Meeting", status: "CONFIRMED" },
        ...{ isSupervision: false, isClientPresent: false, placeOfService: "OFFICE" },
        ...{ locationId: "loc_1", isBillable: true, isTelehealth: false, services: "svc_1" },
        ...{ technicianId: "usr_technician", startTime: `${YESTERDAY}T14:00:00.000Z` },
        endTime: `${YESTERDAY}T15:00:00.000Z`,
      };
      const made = [...twice, meeting];
      for (const record of made) await writeRecord(admin, SMALL_ORGANIZATION, record);
      const page = await opened(at);
      await page.getByText("✓ Delivered, 12.5 units").waitFor();
      await settled(page);
      expectEqual(await page.locator(".my-day").getByRole("button").allInnerTexts(), ["Cancelled"]);
      await page.close();
      for (const { type, publicId } of made)
        await writeRecord(admin, SMALL_ORGANIZATION, { type, publicId, deleted: true });
    },
  );

  await check("no-show and cancelled are one tap each, and undone by another", async () => {
    const session = { type: "session", publicId: "apt_past" };
    await writeRecord(admin, SMALL_ORGANIZATION, { ...session, status: "UNCONFIRMED" });
    const page = await opened(at);
    for (const [name, status] of [
      ["No-show", "PATIENT_NO_SHOW"],
      ["Cancelled", "DECLINED"],
    ] as const) {
      await page.waitForTimeout(1_200);
      await page.getByRole("button", { name }).click();
      await page.getByText(`${name} · Undo`).waitFor();
      expectEqual(await statusOf(), status);
      await undo(page, name);
      expectEqual(await statusOf(), "UNCONFIRMED");
    }
    await page.close();
    await writeRecord(admin, SMALL_ORGANIZATION, { ...session, status: "CONFIRMED" });
  });

  for (const [way, press] of Object.entries(WAYS))
    await check(
      `by ${way}, a second press is without effect until a second after the answer is drawn`,
      async () => {
        const page = await opened(at);
        const start = Date.now();
        // The page's clock moves when it is told to.
        const goTo = (time: number) => page.clock.setFixedTime(start + time);
        await goTo(0);
        const release = await holdBack(page, /practice-file/);
        const back = await centerOf(page, "No-show");
        await press(page, "No-show");
        for (const delay of DELAYS) {
          await goTo(delay);
          // What is there now: the same button, waiting.
          await (way === "key" ? page.keyboard.press("Enter") : page.mouse.click(back.x, back.y));
        }
        release();
        await page.getByText("No-show · Undo").waitFor();
        await settled(page);
        for (const delay of DELAYS) {
          await goTo(ANSWERED + delay);
          await press(page, "Undo");
          await page.mouse.click(back.x, back.y);
        }
        await settled(page);
        expectEqual([await statusOf(), await encounters()], ["PATIENT_NO_SHOW", []]);
        // Links and scrolling work.
        await page.mouse.wheel(0, 10);
        await page.getByRole("link", { name: "Leo Park" }).click();
        await page.waitForURL(/people\/usr_patient_1/);
        await page.goBack();
        await settled(page);
        await goTo(10_000);
        await press(page, "Undo");
        await page.getByRole("button", { name: "No-show" }).waitFor();
        expectEqual(await statusOf(), "CONFIRMED");
        await page.close();
      },
    );

  await check("a day to come is shown, and not offered to be written", async () => {
    const page = await opened(`#/today?date=${TOMORROW}`);
    await page.getByText("Leo Park").waitFor();
    expectEqual(await page.getByRole("button", { name: "Cancelled" }).count(), 0);
    await page.getByRole("link", { name: "9:00 – 11:00 AM" }).click();
    await page.getByRole("dialog").getByText("Confirmed").waitFor();
    const offers = page
      .getByRole("dialog")
      .getByRole("button", { name: /Delete|Who is free|Change/ });
    expectEqual(await offers.count(), 0);
    await page.close();
  });
}
