import type { Browser, Page } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { importRecords, person, places } from "./imported-practices.ts";
import { countClicks } from "./clicks.ts";
import {
  expectAccessible,
  keyOf,
  practiceFileOf,
  type Practice,
  read,
  settled,
  signIn,
  undo,
  visit,
} from "./visit.ts";

/**
 * Goals: a technician records a session's data of four kinds on a phone, for a while without network; a clinician sees
 * what is met, advances it and takes it back; the graph is the table.
 */

const ORGANIZATION = "org_recorded";
const PHONE = 390;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const at = (time: number): string => new Date(time).toISOString();

const metric = (value: number): object => ({
  ...{ publicId: "metric_1", value, unit: "PERCENTAGE" },
  successCriteria: "GREATER_THAN_OR_EQUAL_TO",
});
const metrics = {
  baselineMetric: { publicId: "metric_0", value: 20, unit: "PERCENTAGE" },
  ...{ successMetric: metric(80), maintenanceMetric: metric(80) },
};

function recordsAt(now: number): object[] {
  const goal = (publicId: string, goalType: string, fields: object): object => ({
    ...{ type: "goal", publicId, treatmentPlanId: "tp_1", goalType, status: "IN_PROGRESS" },
    ...fields,
  });
  const skill = {
    ...{ goalStatement: "Washes hands.", skillAcquisitionGoalType: "SINGLE_TARGET_GOAL" },
    ...{ enabledOutcomes: ["SUCCESS", "FAILURE"], ...metrics },
  };
  const trials = [5, 4, 3, 2].flatMap((days) =>
    [0, 1, 2].map((place) => ({
      ...{ publicId: `rec_${days}_${place}`, outcome: "SUCCESS" },
      happenedAt: at(now - days * DAY + place * 60_000),
    })),
  );
  return [
    { type: "organization", publicId: ORGANIZATION, name: "Recorded", timezone: "UTC" },
    ...places,
    { type: "nonBillableCode", publicId: "nbc_care", name: "Care" },
    person("usr_technician", "TECHNICIAN", "Ana", "Ruiz"),
    person("usr_clinician", "CLINICIAN", "Bo", "Lind"),
    person("usr_kid", "PATIENT", "Leo", "Park"),
    {
      ...{ type: "session", publicId: "apt_now", title: "Care", status: "CONFIRMED" },
      ...{ startTime: at(now - HOUR / 2), endTime: at(now + 2 * HOUR), placeOfService: "HOME" },
      ...{ isSupervision: false, isClientPresent: true, locationId: "loc_1" },
      ...{ technicianId: "usr_technician", clientId: "usr_kid", isBillable: false },
      nonBillableCode: "nbc_care",
    },
    { type: "treatmentPlan", publicId: "tp_1", patientId: "usr_kid" },
    goal("goal_skill", "opportunity", { ...skill, shortDescription: "Hands" }),
    goal("goal_met", "opportunity", { ...skill, shortDescription: "Soap", skillTrials: trials }),
    goal("goal_lost", "opportunity", {
      ...{ ...skill, shortDescription: "Towel", status: "IN_MAINTENANCE" },
      skillTrials: trials.map((trial) => ({
        ...{ ...trial, publicId: trial.publicId.replace("rec", "lost"), outcome: "FAILURE" },
      })),
    }),
    goal("goal_behavior", "frequency_duration", {
      ...{ goalStatement: "Asks.", targetMaladaptiveBehaviorName: "Shouting", ...metrics },
    }),
    goal("goal_rating", "rating", { title: "Calm", targetAchievementDate: at(now - 9 * DAY) }),
    goal("goal_interval", "interval", {
      ...{ title: "On task", intervalDuration: 10, intervalQuantity: 3, sets: 1 },
      intervalRecordingType: "WHOLE",
    }),
  ];
}

/** What is recorded on a goal. */
async function recordedOn(practice: Practice, goal: string, list: string): Promise<object[]> {
  return (await read<Record<string, object[] | null>>(practice, `goals/${goal}`))[list] ?? [];
}

async function openCard(page: Page, name: string): Promise<void> {
  const card = page.getByRole("button", { name, exact: true });
  if ((await card.getAttribute("aria-expanded")) !== "true") await card.click();
}

const tap = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

const unsent = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith("caseload-outbox"));
    return keys.flatMap((key) => JSON.parse(localStorage.getItem(key) ?? "[]") as unknown[]).length;
  });

export async function checkGoals(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  await importRecords(folder, recordsAt(Date.now()));
  const admin = { ...practice, adminKey: await keyOf(folder, "ADMIN", ORGANIZATION) };
  const technician = await keyOf(folder, "TECHNICIAN", ORGANIZATION, { user: "usr_technician" });
  const clinician = await keyOf(folder, "CLINICIAN", ORGANIZATION, { user: "usr_clinician" });

  await check(
    "a session's data of four kinds is recorded, without network and over a reload",
    async () => {
      const recorded = async () => [
        await recordedOn(admin, "goal_skill", "skillTrials"),
        await recordedOn(admin, "goal_behavior", "behaviorInstances"),
        await recordedOn(admin, "goal_rating", "ratingInstances"),
        await recordedOn(admin, "goal_interval", "intervalSets"),
      ];
      const { page } = await visit(browser, origin, {
        ...{ at: "#/today", key: technician, width: PHONE, hasTouch: true, timezone: "UTC" },
      });
      await page.getByRole("link", { name: "Record", exact: true }).click();
      await openCard(page, "Hands");
      await expectAccessible(page);
      await tap(page, "Success");
      await tap(page, "Failure");
      await page.context().setOffline(true);
      await openCard(page, "Shouting");
      await tap(page, "+1");
      await tap(page, "+1");
      await tap(page, "Undo");
      await openCard(page, "Calm");
      await page.getByLabel("A number").fill("4");
      await tap(page, "Record");
      await openCard(page, "On task");
      await page.getByRole("button", { name: /^Start/ }).click();
      await tap(page, "Yes");
      await tap(page, "End here, the rest no");
      expectEqual(await unsent(page), 5);
      // Nothing of the page is kept in the browser, so that a reload without network fails, and loses nothing.
      await page.reload().catch(() => {});
      await page.waitForURL("chrome-error://**");
      await page.context().setOffline(false);
      // The browser's own page loads ours again by itself, which may come between.
      const open = () => page.goto(`${origin}/#/today`);
      await open().catch(open);
      await page.getByLabel("API key").waitFor();
      // The page that was left may still hear of the network, and send those of one goal.
      const kept = await unsent(page);
      expectEqual(kept + (await recorded()).flat().length >= 5, true);
      await signIn(page, technician);
      await page.waitForFunction(
        () =>
          !Object.keys(localStorage).some(
            (key) => key.startsWith("caseload-outbox") && localStorage.getItem(key) !== "[]",
          ),
      );
      expectEqual(
        (await recorded()).map((list) => list.length),
        [2, 1, 1, 1],
      );
      await page.close();
    },
  );

  const statusOf = async (id: string) =>
    (await read<{ status: string }>(admin, `goals/${id}`)).status;
  const isNow = async (id: string, status: string): Promise<void> => {
    for (let tries = 0; (await statusOf(id)) !== status && tries < 100; tries += 1)
      await Bun.sleep(50);
    expectEqual(await statusOf(id), status);
  };

  for (const [kind, act, id, status] of [
    ["GOAL_MET", "To maintenance", "goal_met", "IN_MAINTENANCE"],
    ["GOAL_NO_LONGER_MET", "Back to in progress", "goal_lost", "IN_PROGRESS"],
  ] as const)
    await check(`${kind} is mended in Attention by one press, and undone`, async () => {
      const { page } = await visit(browser, origin, {
        ...{ at: `#/attention?check=${kind}`, key: admin.adminKey, timezone: "UTC" },
      });
      const stored = await practiceFileOf(admin, "goal");
      const rows = page.locator(".inbox > li");
      const count = await rows.count();
      const clicks = await countClicks(page);
      await rows.first().getByRole("button", { name: act }).click();
      await isNow(id, status);
      await settled(page);
      expectEqual([await clicks(), await rows.count()], [1, count - 1]);
      await undo(page);
      expectEqual(await practiceFileOf(admin, "goal"), stored);
      await settled(page);
      expectEqual(await rows.count(), count);
      await page.close();
    });

  await check("what is met is advanced by a click, and taken back by another", async () => {
    const { page } = await visit(browser, origin, {
      ...{ at: "#/goals", key: clinician, timezone: "UTC" },
    });
    const row = page.getByRole("row", { name: /Soap/ });
    await row.getByRole("button", { name: "To maintenance" }).click();
    await isNow("goal_met", "IN_MAINTENANCE");
    await page.getByRole("button", { name: "Undo" }).click();
    await isNow("goal_met", "IN_PROGRESS");
    await page.close();
  });

  await check("a goal past its target date has another one: one press and a date", async () => {
    const lines = async () =>
      (await practiceFileOf(admin, "goal")).filter((line) => line.includes('"goal_rating"'));
    const before = await lines();
    const { page } = await visit(browser, origin, {
      ...{ at: "#/attention?check=GOAL_PAST", key: admin.adminKey, timezone: "UTC" },
    });
    const clicks = await countClicks(page);
    await page.getByRole("button", { name: "New target date…" }).click();
    const form = page.getByRole("dialog", { name: "Edit Calm" });
    await form.getByLabel("Target date").fill("2099-01-31");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await page.getByText("The goal’s target date is Jan 31, 2099.").waitFor();
    await page.getByText("Nothing is found in these days").waitFor();
    expectEqual(await clicks(), 1);
    expectEqual((await lines())[0]?.includes('"targetAchievementDate":"2099-01-31T'), true);
    await undo(page);
    expectEqual(await lines(), before);
    await page.close();
  });

  await check("a clinician says what a goal is called, and what it is", async () => {
    const { page } = await visit(browser, origin, {
      ...{ at: "#/goals/goal_met", key: clinician, timezone: "UTC" },
    });
    await page.getByRole("button", { name: "Edit…" }).click();
    const form = page.getByRole("dialog", { name: "Edit Soap" });
    await form.getByLabel("Name").fill("Soap and water");
    await form.getByLabel("Instructions").fill("Sleeves up first.");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Soap and water" }).waitFor();
    type Named = { shortDescription: string; instructions: string | null };
    const named = async () => {
      const goal = await read<Named>(admin, "goals/goal_met");
      return [goal.shortDescription, goal.instructions];
    };
    expectEqual(await named(), ["Soap and water", "Sleeves up first."]);
    await undo(page);
    expectEqual(await named(), ["Soap", null]);
    await page.close();
  });

  await check("the graph has a point for each row of its table", async () => {
    const { page } = await visit(browser, origin, {
      ...{ at: "#/goals/goal_met", key: clinician, timezone: "UTC" },
    });
    await page.locator(".goal-graph svg circle").first().waitFor();
    const dots = await page.locator(".goal-graph svg circle").count();
    expectEqual(
      dots,
      await page.getByRole("region", { name: "Points" }).locator("tbody tr").count(),
    );
    await expectAccessible(page);
    await page.close();
  });
}
