import type { Browser } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { signIn, undo, type Practice } from "./visit.ts";
import { button, officeOf } from "./office.ts";

/** An office's errands on authorizations and pools. */

export async function checkAuthorizations(browser: Browser, practice: Practice): Promise<void> {
  const { key, write, person, opened } = await officeOf(browser, practice);

  await check("a new authorization, and the next one: two clicks each", async () => {
    const { page, expectClicks } = await opened("#/people/usr_patient_1");
    await button(page, "New authorization").click();
    const form = page.getByRole("form", { name: "New authorization" });
    await form.getByLabel("Service").selectOption({ label: "Therapy" });
    await form.getByLabel("Payor").selectOption({ label: "Fairwind" });
    await form.getByLabel("Number").fill("N-1");
    await form.getByLabel("Units").fill("1,200");
    await form.getByLabel("Per").selectOption({ label: "Weekly" });
    await form.getByLabel("First day").fill("2027-01-04");
    await form.getByLabel("Last day").fill("2027-03-31");
    await button(page, "Add").click();
    await page.getByText("N-1").waitFor();
    await expectClicks(2);
    await button(page, "Renew").click();
    await form.getByLabel("Number").fill("N-2");
    await form.getByRole("button", { name: "Add" }).click();
    await page.getByText("N-2").waitFor();
    await expectClicks(4);
    const stored = (await person("usr_patient_1")).authorizations.filter((each) =>
      String(each.authorizationNumber).startsWith("N-"),
    );
    expectEqual(
      stored
        .map((each) => [
          each.authorizationNumber,
          each.authorizedUnitsQuantity,
          each.authorizedUnitFrequency,
          each.authorizationDate,
          each.authorizationExpirationDate,
        ])
        .toSorted(),
      [
        ["N-1", 1200, "WEEKLY", "2027-01-04", "2027-03-31"],
        ["N-2", 1200, "WEEKLY", "2027-04-01", "2027-06-26"],
      ],
    );
    await page.close();
  });

  await check("a pool with two members, whose mistakes stand at their fields", async () => {
    const { page } = await opened("#/people/usr_patient_1");
    await button(page, "New pool").click();
    const form = page.getByRole("form", { name: "New pool" });
    await form.getByLabel("Payor").selectOption({ label: "Fairwind" });
    await form.getByLabel("Units").fill("40");
    await form.getByLabel("Per").selectOption({ label: "Weekly" });
    await button(page, "Add authorizations").click();
    for (const [index, number] of ["P-1", "P-2"].entries()) {
      await form.getByLabel("Service").nth(index).selectOption({ label: "Therapy" });
      await form.getByLabel("Number").nth(index).fill(number);
      await form.getByLabel("First day").nth(index).fill("2027-01-04");
    }
    await form.getByLabel("Last day").first().fill("2027-06-30");
    await form.getByLabel("Status").nth(1).fill("AUTHORIZED");
    await button(page, "Add").click();
    await form.getByText("Please fill this in.").waitFor();
    const second = form.getByRole("group", { name: "Authorizations 2" });
    await second.getByText("Please fill this in.").waitFor();
    await second.getByLabel("Last day").fill("2027-06-30");
    await button(page, "Add").click();
    await page.getByRole("link", { name: "Whole pool" }).waitFor();
    const { authorizationPools } = await person("usr_patient_1");
    expectEqual(
      authorizationPools.map(({ authorizations }) => authorizations.length),
      [2],
    );
    await undo(page);
    expectEqual((await person("usr_patient_1")).authorizationPools, []);
    await page.close();
  });

  await check("a pool without a limit needs no units", async () => {
    const { page } = await opened("#/people/usr_patient_1");
    await button(page, "New pool").click();
    const form = page.getByRole("form", { name: "New pool" });
    await form.getByLabel("Payor").selectOption({ label: "Fairwind" });
    await form.getByLabel("Per").selectOption({ label: "Weekly" });
    await form.getByLabel("No limit").check();
    await form.getByRole("button", { name: "Remove" }).click();
    await button(page, "Add").click();
    await page.getByText("The pool was added.").waitFor();
    await undo(page);
    expectEqual((await person("usr_patient_1")).authorizationPools, []);
    await page.close();
  });

  await check(
    "a new authorization in a stored pool: three clicks, and undo removes it",
    async () => {
      const pool = { type: "authorizationPool", publicId: "apool_stored" };
      await write({
        ...{ ...pool, patientId: "usr_patient_1", payorId: "pay_1" },
        ...{ totalUnits: 40, unitFrequency: "WEEKLY", isUnlimited: false },
      });
      const members = async () =>
        (await person("usr_patient_1")).authorizationPools.map(({ authorizations }) =>
          (authorizations as { authorizationNumber: string }[]).map(
            ({ authorizationNumber }) => authorizationNumber,
          ),
        );
      const { page, expectClicks } = await opened("#/people/usr_patient_1");
      await button(page, /^Edit Shared pool/).click();
      await button(page, "Add new authorizations").click();
      const member = page.getByRole("group", { name: "New authorizations 1" });
      await member.getByLabel("Service").selectOption({ label: "Therapy" });
      await member.getByLabel("Number").fill("P-3");
      await member.getByLabel("Status").fill("AUTHORIZED");
      await member.getByLabel("First day").fill("2027-01-04");
      await button(page, "Save").click();
      await member.getByText("Please fill this in.").waitFor();
      await member.getByLabel("Last day").fill("2027-06-30");
      await page.getByRole("form", { name: "Edit" }).getByLabel("Units").fill("50");
      await button(page, "Save").click();
      await page.getByText("P-3").waitFor();
      await expectClicks(4);
      expectEqual(await members(), [["P-3"]]);
      await undo(page);
      expectEqual(await members(), [[]]);
      await write({ ...pool, deleted: true });
      await page.close();
    },
  );

  await check("an authorization moves into a pool: two clicks and a choice", async () => {
    const pool = { type: "authorizationPool", publicId: "apool_stored" };
    await write({
      ...{ ...pool, patientId: "usr_patient_1", payorId: "pay_1" },
      ...{ totalUnits: 40, unitFrequency: "WEEKLY", isUnlimited: false },
    });
    const before = await person("usr_patient_1");
    const { page, expectClicks } = await opened("#/people/usr_patient_1");
    await button(page, "Edit Therapy A-1").click();
    const form = page.getByRole("form", { name: "Edit" });
    await form.getByLabel("Pool").selectOption({ label: "Shared pool, Fairwind, 40 weekly" });
    await button(page, "Save").click();
    await form.waitFor({ state: "detached" });
    await expectClicks(2);
    const { authorizations, authorizationPools } = await person("usr_patient_1");
    const numbersOf = (list: unknown) =>
      (list as Record<string, unknown>[]).map(({ authorizationNumber }) => authorizationNumber);
    expectEqual(numbersOf(authorizations).includes("A-1"), false);
    expectEqual(numbersOf(authorizationPools[0]?.authorizations), ["A-1"]);
    await page
      .getByRole("row", { name: /^Shared pool/ })
      .getByText(/^\d+ left$/)
      .waitFor();
    await undo(page);
    expectEqual(await person("usr_patient_1"), before);
    // And leaves one again, with a payor and units of its own.
    await write({ type: "authorization", publicId: "auth_1", authorizationPoolId: "apool_stored" });
    await page.reload();
    await signIn(page, key);
    await button(page, "Edit Therapy A-1").click();
    await form.getByLabel("Pool").waitFor();
    expectEqual(await form.getByLabel("Units").count(), 0);
    await form.getByLabel("Pool").selectOption({ label: "–" });
    await form.getByLabel("Payor").selectOption({ label: "Fairwind" });
    await button(page, "Save").click();
    await form.waitFor({ state: "detached" });
    expectEqual(numbersOf((await person("usr_patient_1")).authorizations).includes("A-1"), true);
    await undo(page);
    await write({ type: "authorization", publicId: "auth_1", authorizationPoolId: null });
    expectEqual(await person("usr_patient_1"), before);
    await write({ ...pool, deleted: true });
    await page.close();
  });
}
