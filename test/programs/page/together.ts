import type { Browser, Locator, Page } from "playwright-core";

import { check, expectEqual } from "../../support/checks.ts";
import { at, dayOf, importSlotPractice, SLOT_ORGANIZATION } from "./slot-practice.ts";
import {
  expectAccessible,
  keyOf,
  type Practice,
  read,
  settled,
  undo,
  visit,
  writeRecord,
} from "./visit.ts";

/** What is compared. */
const TYPES = "user,authorizationPool,authorization,session";

/** This and the following: each errand with its clicks, and with what is stored after it and after its undo. */

export async function checkTogether(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  await importSlotPractice(folder);
  const key = await keyOf(folder, "SCHEDULING_MANAGER", SLOT_ORGANIZATION);
  const admin = { ...practice, adminKey: await keyOf(folder, "ADMIN", SLOT_ORGANIZATION) };

  /** All that the errands may change, as it is stored. */
  const stored = async (): Promise<Map<string, Record<string, unknown>>> => {
    const response = await fetch(`${origin}/api/v1/practice-file?types=${TYPES}`, {
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
      const fields = Object.entries(own ?? {}).filter(
        ([name, value]) =>
          name !== "updatedAt" && JSON.stringify(old[name]) !== JSON.stringify(value),
      );
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
        .getByText(/Cy Dole: A session on .* overlaps/);
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
    // Nobody fails to show up to what is to come.
    expectEqual(await dialog.getByRole("button", { name: "No-show" }).isDisabled(), true);
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

  await check("a slot goes on to the end of its authorization", async () => {
    const [page, dialog] = await ofLeo();
    await dialog.getByRole("button", { name: "Repeat until…" }).click();
    await dialog.getByRole("button", { name: "To the end of the authorization" }).click();
    await dialog.getByText(/Therapy, .* left, AUTH_LEO/).waitFor();
    await settled(page);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Book 5 sessions" }).click();
    await dialog.getByText("5 sessions booked (").waitFor();
    expectEqual(await clicksOn(page), 4);
    const { publicId: _, ...first } = before.get("apt_leo_0") ?? {};
    expectEqual(
      Object.values(await changes())
        .map((made) => ({ ...made, publicId: undefined }))
        .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
      [12, 13, 14, 15, 16].map((week) => ({
        ...first,
        startTime: at(dayOf(week), "15:30"),
        endTime: at(dayOf(week), "17:30"),
        publicId: undefined,
      })),
    );
    await undo(page);
    expectEqual(await changes(), {});

    // Days without an authorization are named, and left out unless asked for.
    await dialog.getByRole("button", { name: "Repeat until…" }).click();
    await dialog.getByLabel("Repeat until").fill(dayOf(18));
    await dialog.getByText(/^Without an authorization: .*; /).waitFor();
    await dialog.getByRole("button", { name: "Book 5 sessions" }).waitFor();
    await dialog.getByLabel("Book these, too").check();
    await dialog.getByRole("button", { name: "Book 7 sessions" }).waitFor();
    await page.close();
  });

  const biller = await keyOf(folder, "BILLING_MANAGER", SLOT_ORGANIZATION);
  const outside = async (): Promise<number> => {
    const window = `startDate=${dayOf(0)}&endDate=${dayOf(12)}`;
    const { totals } = await read<{ totals: Record<string, number> }>(
      admin,
      `checks?check=OUTSIDE_AUTHORIZATION&${window}`,
    );
    return totals.OUTSIDE_AUTHORIZATION ?? -1;
  };
  /** The authorizations that were made, by their service, and the sessions that have them. */
  const renewed = async (): Promise<Record<string, string[]>> => {
    const now = Object.entries(await changes());
    const made = now.filter(([id]) => id.startsWith("auth_"));
    return Object.fromEntries(
      made.map(([id, record]) => [
        (record as { serviceLineId: string }).serviceLineId,
        now.flatMap(([other, fields]) =>
          JSON.stringify(fields) === JSON.stringify({ authorizationId: id }) ? [other] : [],
        ),
      ]),
    );
  };

  await check(
    "a biller renews an authorization with its sessions: two clicks and typing",
    async () => {
      const found = await outside();
      const page = await opened("#/utilization/auth_mia", biller);
      await page.getByRole("button", { name: "Renew" }).click();
      const form = page.getByRole("form", { name: "New authorization" });
      await form.getByLabel(/^3 sessions behind .* move to it$/).waitFor();
      await form.getByLabel("Number").fill("A-NEXT");
      // Sessions that the new dates do not cover stay.
      await form.getByLabel("Last day").fill(dayOf(4));
      await form.getByText(/^Not covered, and stay where they are: /).waitFor();
      await form.getByLabel("Last day").fill(dayOf(20));
      await form.getByLabel(/^3 sessions behind .* move to it$/).waitFor();
      await expectAccessible(page);
      await form.getByRole("button", { name: "Add" }).click();
      await page.getByText("The authorization was added. 3 sessions moved to it.").waitFor();
      expectEqual(await clicksOn(page), 2);
      expectEqual(await renewed(), { svc_1: ["apt_mia_3", "apt_mia_4", "apt_mia_5"] });
      expectEqual(await outside(), found - 3);
      await undo(page);
      expectEqual([await changes(), await outside()], [{}, found]);
      await page.close();
    },
  );

  await check("and a pool, by service", async () => {
    const page = await opened("#/utilization/apool_noa", biller);
    await page.getByRole("button", { name: "Renew" }).click();
    const form = page.getByRole("form", { name: "New pool" });
    await form.getByLabel(/^3 sessions behind .* move to it$/).waitFor();
    await form.getByLabel("Number").nth(0).fill("P-1");
    await form.getByLabel("Number").nth(1).fill("P-2");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("The pool was added. 3 sessions moved to it.").waitFor();
    expectEqual(await renewed(), {
      svc_1: ["apt_noa_a_3", "apt_noa_a_4"],
      svc_2: ["apt_noa_b_3"],
    });
    await expectUndone(page);
  });

  await check("without its sessions, which another act takes over", async () => {
    const page = await opened("#/utilization/auth_mia", biller);
    await page.getByRole("button", { name: "Renew" }).click();
    const form = page.getByRole("form", { name: "New authorization" });
    await form.getByLabel(/^3 sessions behind .* move to it$/).uncheck();
    await form.getByLabel("Number").fill("A-NEXT");
    await form.getByRole("button", { name: "Add" }).click();
    await page.getByText("The authorization was added.", { exact: true }).waitFor();
    expectEqual(await renewed(), { svc_1: [] });
    const [[made = ""] = []] = Object.entries(await changes());
    await page.getByRole("button", { name: "Take over sessions" }).click();
    const dialog = page.getByRole("dialog", { name: "Take over sessions" });
    await dialog.getByRole("button", { name: "Take over 3 sessions" }).click();
    await dialog.getByText("3 sessions moved.").waitFor();
    expectEqual(await renewed(), { svc_1: ["apt_mia_3", "apt_mia_4", "apt_mia_5"] });
    await undo(page);
    expectEqual(await renewed(), { svc_1: [] });
    await writeRecord(admin, SLOT_ORGANIZATION, {
      ...{ type: "authorization", publicId: made, deleted: true },
    });
    expectEqual(await changes(), {});
    await page.close();
  });

  await check(
    "all authorizations that end on one day in one form: two clicks and typing",
    async () => {
      const page = await opened("#/people/usr_mia", biller);
      await page.getByRole("button", { name: /^Renew 2 authorizations, / }).click();
      const form = page.getByRole("form", { name: "Renew" });
      await form.getByLabel(/^3 sessions behind .* move to them$/).waitFor();
      await form.getByLabel("Number").nth(0).fill("N-1");
      // What is missing is said at its field.
      await page.evaluate("document.querySelector('dialog form').requestSubmit()");
      const second = form.getByRole("group", { name: "Authorizations 2" });
      await second.getByText("Please fill this in.").waitFor();
      await form.getByLabel("Number").nth(1).fill("N-2");
      await settled(page);
      await expectAccessible(page);
      await form.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByText("2 authorizations added. 3 sessions moved to them.").waitFor();
      expectEqual(await clicksOn(page), 2);
      expectEqual(await renewed(), { svc_1: ["apt_mia_3", "apt_mia_4", "apt_mia_5"], svc_2: [] });
      await expectUndone(page);
    },
  );

  await check("days off are one session, and what it hits is given to others", async () => {
    const page = await opened("#/people/usr_dana");
    await page.getByRole("button", { name: "More ▾" }).click();
    await page.getByRole("button", { name: "Time off…" }).click();
    const form = page.getByRole("form", { name: "Time off" });
    await form.getByLabel("First day").fill(dayOf(0));
    await form.getByLabel("Last day").fill(dayOf(0, 4));
    await form.getByLabel("To", { exact: true }).fill("09:30");
    await form.getByText("9 sessions at this time").waitFor();
    await settled(page);
    await expectAccessible(page);
    const first = form.getByRole("listitem").filter({ hasText: "8:00" }).first();
    await first.getByRole("button", { name: "Who is free" }).click();
    await first.getByRole("button", { name: "Bo Lind" }).click();
    await form.getByText("8 sessions at this time").waitFor();
    expectEqual(Object.values(await changes()), [{ technicianId: "usr_bo" }]);
    await undo(page);
    await form.getByText("9 sessions at this time").waitFor();
    await form.getByRole("button", { name: "Book time off" }).click();
    await page.getByText("The time off was booked.").waitFor();
    const [off] = Object.values(await changes()) as Record<string, unknown>[];
    expectEqual(
      [off?.title, off?.startTime, off?.endTime, off?.clientId, off?.technicianId],
      ["Time off", at(dayOf(0), "00:00"), at(dayOf(0, 4), "09:30"), null, "usr_dana"],
    );
    await expectUndone(page);
  });

  await check("who may not plan is not offered it", async () => {
    for (const role of ["BILLING_MANAGER", "CLINICIAN"]) {
      const [page, dialog] = await ofLeo(await keyOf(folder, role, SLOT_ORGANIZATION));
      expectEqual(await like(dialog).count(), 0);
      await page.close();
    }
  });

  await check(
    "a new child's week: several days at once, and who is free for all of them",
    async () => {
      const page = await opened(`#/schedule?date=${dayOf(0)}`);
      await page.getByRole("button", { name: "New session" }).click();
      const form = page.getByRole("form", { name: "New session" });
      await form.getByRole("combobox", { name: "Patient" }).pressSequentially("noa");
      await page.getByRole("option", { name: "Noa Berg" }).waitFor();
      await page.keyboard.press("Enter");
      await form.getByLabel("From").fill("14:30");
      const weekday = Temporal.PlainDate.from(dayOf(0, 2)).toLocaleString("en-US", {
        weekday: "long",
      });
      await form.getByRole("group", { name: "Also on" }).getByLabel(weekday).check();
      await form.getByLabel("Repeat weekly until").fill(dayOf(4, 2));
      const technicians = form.getByLabel("Technician").getByRole("option");
      // Bo has Noa in all weeks, and Cy another child in one.
      await technicians
        .filter({ hasText: /^Bo Lind: free for all 10; / })
        .waitFor({ state: "attached" });
      const cy = technicians.filter({ hasText: /^Cy Dole: for 9 of 10, not / });
      await cy.waitFor({ state: "attached" });
      await form.getByLabel("Technician").selectOption("usr_bo");
      await settled(page);
      await expectAccessible(page);
      await form.getByRole("button", { name: "Book 10 sessions" }).click();
      await page.getByText("10 sessions booked (").waitFor();
      const made = Object.values(await changes()) as Record<string, unknown>[];
      expectEqual(
        made.map(({ startTime }) => String(startTime)).toSorted(),
        [0, 1, 2, 3, 4].flatMap((week) => [0, 2].map((days) => at(dayOf(week, days), "14:30"))),
      );
      expectEqual(new Set(made.map(({ technicianId }) => technicianId)).size, 1);
      // With the patient's own clinician, at their own location.
      expectEqual(
        [...new Set(made.map((each) => `${each.clinicianId} ${each.locationId}`))],
        ["usr_lee loc_2"],
      );
      await expectUndone(page);
    },
  );

  await check("of a clinician who leaves, sessions get another clinician", async () => {
    const page = await opened("#/people/usr_lee");
    await page.getByRole("button", { name: "More ▾" }).click();
    await page.getByRole("button", { name: "Has left…" }).click();
    const slot = page.getByRole("dialog").getByRole("listitem").first();
    await slot.getByRole("button", { name: "Who is free" }).click();
    await slot.getByRole("button", { name: "Kim Vale" }).click();
    await page.getByText("Kim Vale takes 4 sessions over.").first().waitFor();
    expectEqual(
      await changes(),
      Object.fromEntries(
        [0, 1, 2, 3].map((week) => [`apt_noa_b_${week}`, { clinicianId: "usr_kim" }]),
      ),
    );
    await expectUndone(page);
  });

  // The last one: only its last act is undone.
  await check("somebody with twelve slots leaves: four clicks, and two a slot", async () => {
    const page = await opened("#/people?role=TECHNICIAN");
    await page.getByRole("link", { name: "Fox, Dana" }).click();
    await page.getByRole("button", { name: "More ▾" }).click();
    await page.getByRole("button", { name: "Has left…" }).click();
    const dialog = page.getByRole("dialog", { name: "Dana Fox has left" });
    await dialog.getByText("24 sessions from now on.").waitFor();
    const day = dialog.getByLabel("From which day on");
    const today = await day.inputValue();
    await day.fill(dayOf(1));
    await dialog.getByText(/^12 sessions from /).waitFor();
    await day.fill(today);
    await dialog.getByText("24 sessions from now on.").waitFor();
    const slots = dialog.locator(".record-list > li");
    for (let left = 12; left > 0; left -= 1) {
      expectEqual(await slots.count(), left);
      await slots.first().getByRole("button", { name: "Who is free" }).click();
      const bo = slots.first().getByRole("listitem").filter({ hasText: "Bo Lind" });
      await bo.getByText("free for all").waitFor();
      await bo.getByRole("button").click();
      await slots.nth(left - 1).waitFor({ state: "detached" });
      await settled(page);
    }
    await dialog.getByRole("button", { name: "Has left" }).click();
    await page.getByText("Dana Fox has left.").waitFor();
    expectEqual(await clicksOn(page), 4 + 2 * 12);
    const changed = Object.entries(await changes());
    expectEqual(changed.find(([id]) => id === "usr_dana")?.[1], { isActive: false });
    expectEqual(
      changed.filter(([id]) => id.startsWith("apt_dana")).map(([, fields]) => fields),
      Array.from({ length: 24 }, () => ({ technicianId: "usr_bo" })),
    );
    await page.close();
  });
}
