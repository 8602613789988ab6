import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { PageOf } from "../../../src/page/app/lib/wire.ts";
import { creatableRoles } from "../../../src/access/permissions.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { SMALL_ORGANIZATION, TOMORROW } from "./small-practice.ts";
import {
  expectAccessible,
  goTo,
  keyOf,
  type Practice,
  read,
  settled,
  signIn,
  undo,
  visit,
  writeRecord,
} from "./visit.ts";

/** An office's errands on records, each with its clicks and with what is stored afterwards. */

interface Person {
  publicId: string;
  firstName: string;
  lastName: string;
  email: string;
  city: string | null;
  phoneNumber: string;
  role: string;
  userStatus: string | null;
  isActive: boolean;
  caregiverId: string | null;
  authorizations: Record<string, unknown>[];
  authorizationPools: { publicId: string; authorizations: unknown[] }[];
  sex?: string | null;
  state?: string | null;
  primaryClinicianId?: string | null;
}

export async function checkRecords(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  const key = await keyOf(folder, "ADMIN", SMALL_ORGANIZATION);
  const admin = { ...practice, adminKey: key };
  const person = (id: string): Promise<Person> => read<Person>(admin, `users/${id}`);
  const search = async (text: string): Promise<Person[]> =>
    (await read<PageOf<Person>>(admin, `users?search=${encodeURIComponent(text)}`)).data;

  /** A view, and the number of clicks on it so far. */
  const opened = async (at: string) => {
    const { page, observed } = await visit(browser, origin, { at, key });
    await page.evaluate(
      "clicks = 0; addEventListener('pointerdown', () => { clicks += 1; }, true)",
    );
    const expectClicks = async (count: number): Promise<void> =>
      expectEqual(await page.evaluate("clicks"), count);
    return { page, observed, expectClicks };
  };
  const button = (page: Page, name: string | RegExp) =>
    page.getByRole("button", { name, exact: typeof name === "string" });
  const write = (record: object) => writeRecord(admin, SMALL_ORGANIZATION, record);

  await write({ type: "payor", publicId: "pay_1", name: "Fairwind" });
  await write({ type: "intakeStage", publicId: "stage_call", name: "First call", position: 1 });

  await check("a new patient with a new caregiver: two clicks, and undo removes both", async () => {
    const { page, observed, expectClicks } = await opened("#/people");
    await button(page, "New person").click();
    const form = page.getByRole("form", { name: "New person" });
    await form.getByLabel("First name").first().fill("Ida");
    await form.getByLabel("Last name").first().fill("Quist");
    await form.getByLabel("Birth date").fill("2020-02-29");
    const caregiver = form.getByRole("group", { name: "Or a new caregiver" });
    await caregiver.getByLabel("First name").fill("Eva");
    await caregiver.getByLabel("Last name").fill("Quist");
    await caregiver.getByLabel("Phone").fill("212 555 0123");
    await expectAccessible(page);
    await button(page, "Add").click();
    await page.getByRole("heading", { name: "Ida Quist" }).waitFor();
    await expectClicks(2);
    await page.getByText("Eva Quist").waitFor();
    const [child] = await search("Ida Quist");
    const [parent] = await search("Eva Quist");
    expectEqual(
      [child?.userStatus, child?.caregiverId, parent?.phoneNumber],
      ["ACTIVE", parent?.publicId, "+12125550123"],
    );
    await undo(page);
    expectEqual(await search("Quist"), []);
    expectEqual(observed.outside, []);
    await page.close();
  });

  await check("somebody new of each role, from each filter of the list", async () => {
    const { page } = await opened("#/people");
    const roleField = page.getByRole("dialog").getByLabel("Role");
    const roles = creatableRoles.ADMIN;
    for (const [index, filter] of ["", ...roles].entries()) {
      await goTo(page, filter === "" ? "#/people" : `#/people?role=${filter}`);
      await button(page, "New person").click();
      expectEqual(await roleField.inputValue(), filter || "PATIENT");
      const form = page.getByRole("form", { name: "New person" });
      await form.getByLabel("First name").first().fill(`Number ${index}`);
      // Through all of them to another one each time.
      for (const turn of roles.keys())
        await roleField.selectOption(roles[(index + turn) % roles.length] ?? "");
      await form.getByLabel("Last name").first().fill("Newcomer");
      await button(page, "Add").click();
      await page.getByRole("heading", { name: `Number ${index} Newcomer` }).waitFor();
    }
    const stored = await search("Newcomer");
    expectEqual(
      stored
        .toSorted((a, b) => a.firstName.localeCompare(b.firstName, "en", { numeric: true }))
        .map(({ role, userStatus }) => [role, userStatus]),
      ["", ...roles].map((_, index) => {
        const role = roles[(index + roles.length - 1) % roles.length] ?? "";
        return [role, role === "PATIENT" ? "ACTIVE" : null];
      }),
    );
    for (const { publicId } of stored) await write({ type: "user", publicId, deleted: true });
    await page.close();
  });

  await check("what was typed is asked about before it is thrown away", async () => {
    const { page } = await opened("#/people");
    await goTo(page, "#/people/usr_patient_1");
    await button(page, "Edit").click();
    const dialog = page.getByRole("dialog");
    const city = dialog.getByLabel("City").first();
    const at = page.url();
    page.removeAllListeners("dialog");
    let asked = 0;
    page.on("dialog", (question) => {
      asked += 1;
      void question.dismiss();
    });
    const ways: (() => Promise<unknown>)[] = [
      () => dialog.getByRole("button", { name: "Close" }).click(),
      () => page.keyboard.press("Escape"),
      () => page.goBack(),
      () => page.evaluate(`location.hash = "#/leads"`),
    ];
    await city.fill("Alder Creek");
    for (const [index, leave] of ways.entries()) {
      await leave();
      while (asked <= index) await Bun.sleep(20);
      await page.waitForURL(at);
      expectEqual([asked, await city.inputValue()], [index + 1, "Alder Creek"]);
    }
    const reload = page.waitForEvent("dialog");
    await page.evaluate("setTimeout(() => location.reload())");
    expectEqual((await reload).type(), "beforeunload");
    expectEqual(await city.inputValue(), "Alder Creek");
    // Nothing is asked where nothing would be lost.
    await city.fill("");
    await button(page, "Cancel").click();
    await dialog.waitFor({ state: "detached" });
    await button(page, "Edit").click();
    await city.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
    expectEqual(asked, 5);
    await page.close();
  });

  await check("acts are undone in their own view, also not the last one", async () => {
    const before = await person("usr_patient_1");
    const { page } = await opened("#/people/usr_patient_1");
    for (const city of ["Alder Creek", "Fern"]) {
      await button(page, "Edit").click();
      // The bar of what was done before goes.
      await page.getByRole("dialog").waitFor();
      await page.getByText("The record was changed.").waitFor({ state: "hidden" });
      await page.getByRole("dialog").getByLabel("City").first().fill(city);
      await button(page, "Save").click();
      await page.getByText("The record was changed.").waitFor();
    }
    await goTo(page, "#/people/usr_patient_2");
    await button(page, "Edit").click();
    await page.getByRole("dialog").getByLabel("City").first().fill("Elsewhere");
    await button(page, "Save").click();
    await page.getByText("The record was changed.").waitFor();
    await goTo(page, "#/done");
    const list = page.getByRole("region", { name: "Done" }).getByRole("listitem");
    expectEqual(await list.count(), 3);
    await expectAccessible(page);
    // On the first change of the record there is another.
    await list.nth(2).getByRole("button", { name: "Undo" }).click();
    await list.nth(2).getByText("This record has been changed since.").waitFor();
    await list.nth(1).getByRole("button", { name: "Undo" }).click();
    while ((await list.count()) > 2) await Bun.sleep(20);
    expectEqual((await person("usr_patient_1")).city, "Alder Creek");
    await list.nth(0).getByRole("button", { name: "Undo" }).click();
    while ((await list.count()) > 1) await Bun.sleep(20);
    await write({ type: "user", publicId: "usr_patient_1", city: null });
    expectEqual(await person("usr_patient_1"), before);
    await page.close();
  });

  await check("what is wrong stands at its field, and nothing that was typed is lost", async () => {
    const { page } = await opened("#/people");
    await button(page, "New person").click();
    const form = page.getByRole("form", { name: "New person" });
    // The form is loaded when it is first opened.
    await form.getByLabel("First name").first().waitFor();
    const markOf = (label: string) =>
      page.evaluate<string>(`getComputedStyle([...document.querySelectorAll("form label")].find(
        ({ innerText }) => innerText === "${label}"), "::after").content`);
    expectEqual(
      [(await markOf("First name")).includes("*"), (await markOf("City")).includes("*")],
      [true, false],
    );
    await form.getByLabel("First name").first().fill("Ida");
    await form.getByLabel("City").fill("Alder Creek");
    await button(page, "Add insurance").click();
    await button(page, "Add").click();
    await page.getByText("Nothing was written yet. 8 fields are marked above.").waitFor();
    const lastName = form.getByLabel("Last name").first();
    expectEqual(
      [
        await lastName.getAttribute("aria-invalid"),
        await lastName.evaluate((node) => node === node.ownerDocument.activeElement),
        await form.getByLabel("City").first().inputValue(),
        await form.getByText("Please fill this in.").count(),
      ],
      ["true", true, "Alder Creek", 8],
    );
    await expectAccessible(page);
    expectEqual(await search("Ida"), []);
    await page.close();
  });

  await check("a changed phone number: two clicks, and undo", async () => {
    const before = await person("usr_patient_1");
    const { page, expectClicks } = await opened("#/people/usr_patient_1");
    await button(page, "Edit").click();
    const form = page.getByRole("form", { name: "Edit" });
    await form.getByLabel("Phone").fill("(212) 555-0199");
    await button(page, "Save").click();
    await page.getByText("The record was changed.").waitFor();
    await expectClicks(2);
    expectEqual(await person("usr_patient_1"), { ...before, phoneNumber: "+12125550199" });
    await undo(page);
    expectEqual(await person("usr_patient_1"), before);
    await page.close();
  });

  await check("another's change is shown, and one's own can be saved on top of it", async () => {
    const before = await person("usr_patient_1");
    const { page } = await opened("#/people/usr_patient_1");
    await button(page, "Edit").click();
    const form = page.getByRole("form", { name: "Edit" });
    await form.getByLabel("City").first().fill("Alder Creek");
    await write({ type: "user", publicId: "usr_patient_1", email: "leo@park.example" });
    await button(page, "Save").click();
    await form.getByText("Somebody else has changed this record meanwhile.").waitFor();
    await form.getByText("Email: none → leo@park.example").waitFor();
    await form.getByText("By ADMIN:").waitFor();
    expectEqual(await form.getByRole("alert").getByRole("listitem").count(), 1);
    const isInView = await page.evaluate(`(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(
      document.querySelector("form [role=alert]").getBoundingClientRect())`);
    expectEqual(isInView, true);
    expectEqual((await search("Leo Park"))[0]?.email, "leo@park.example");
    expectEqual(await form.getByLabel("City").first().inputValue(), "Alder Creek");
    await button(page, "Save mine on top").click();
    await page.getByText("The record was changed.").waitFor();
    const after = await person("usr_patient_1");
    expectEqual(after, { ...before, email: "leo@park.example", city: "Alder Creek" } as Person);
    await write({ type: "user", publicId: "usr_patient_1", email: null, city: null });
    await page.close();
  });

  await check("a lead from a phone call: two clicks; then it is made active", async () => {
    const { page, expectClicks } = await opened("#/leads");
    await button(page, "New lead").click();
    const form = page.getByRole("form", { name: "New lead" });
    const child = form.getByRole("group", { name: "Child" });
    const caregiver = form.getByRole("group", { name: "Caregiver" });
    await child.getByLabel("First name").fill("Noa");
    await child.getByLabel("Last name").fill("Berg");
    await child.getByLabel("Birth date").fill("2021-05-05");
    await caregiver.getByLabel("First name").fill("Tom");
    await caregiver.getByLabel("Last name").fill("Berg");
    await caregiver.getByLabel("Relationship").selectOption({ label: "Father" });
    await caregiver.getByLabel("Email").fill("tom@berg.example");
    await caregiver.getByLabel("Phone").fill("415 555 2671");
    await form.getByLabel("How they heard of the practice").fill("friend");
    await expectAccessible(page);
    await button(page, "Add").click();
    await page.getByRole("heading", { name: "Noa Berg" }).waitFor();
    await expectClicks(2);
    expectEqual(
      (await search("Noa Berg")).map(({ userStatus }) => userStatus),
      ["LEAD"],
    );
    await page.getByRole("link", { name: "Leads" }).click();
    const row = page.getByRole("row").filter({ hasText: "Noa Berg" });
    await row.getByText("friend").waitFor();
    await button(page, "Edit the lead of Noa Berg").click();
    await page
      .getByRole("form", { name: "Edit" })
      .getByLabel("Stage")
      .selectOption({ label: "First call" });
    await expectAccessible(page);
    await button(page, "Save").click();
    await row.getByText("First call").waitFor();
    await button(page, "Make active").click();
    await page.getByText("The patient is active now.").waitFor();
    expectEqual(
      (await search("Noa Berg")).map(({ userStatus }) => userStatus),
      ["ACTIVE"],
    );
    await page.close();
  });

  await check(
    "the status of a lead's child is that of now, and another's change is not overwritten",
    async () => {
      const [child] = await search("Noa Berg");
      const change = (userStatus: string) =>
        write({ type: "user", publicId: child?.publicId ?? "", userStatus });
      await change("LEAD");
      const { page } = await opened("#/leads");
      const row = page.getByRole("row").filter({ hasText: "Noa Berg" });
      await row.getByRole("button", { name: "Make active" }).waitFor();
      await page.getByRole("link", { name: "People" }).click();
      await change("WAITLIST");
      await page.getByRole("link", { name: "Leads" }).click();
      await row.getByText("Waitlist").waitFor();
      await change("DISCHARGED");
      await row.getByRole("button", { name: "Make active" }).click();
      await row.getByText("Somebody else has changed this record meanwhile.").waitFor();
      await row.getByText("Discharged").waitFor();
      await row.getByRole("button", { name: "Make active" }).click();
      await page.getByText("The patient is active now.").waitFor();
      await row.getByText("Active", { exact: true }).waitFor();
      expectEqual(await row.getByRole("button", { name: "Make active" }).count(), 0);
      await page.close();
    },
  );

  await check("undo removes a new lead with the child and the caregiver", async () => {
    const { page } = await opened("#/leads");
    await button(page, "New lead").click();
    const form = page.getByRole("form", { name: "New lead" });
    for (const [name, first] of [
      ["Child", "Ove"],
      ["Caregiver", "Liv"],
    ] as const) {
      const group = form.getByRole("group", { name });
      await group.getByLabel("First name").fill(first);
      await group.getByLabel("Last name").fill("Strand");
    }
    await form.getByLabel("Birth date").fill("2021-05-05");
    await form.getByLabel("Relationship").selectOption({ label: "Mother" });
    await form.getByLabel("Email").fill("liv@strand.example");
    await form.getByLabel("Phone").fill("415 555 2671");
    await button(page, "Add").click();
    await page.getByText("The lead was added.").waitFor();
    expectEqual((await search("Strand")).length, 2);
    await undo(page);
    expectEqual(await search("Strand"), []);
    await page.close();
  });

  await check("what the API shows of nobody can be edited, too, and undone", async () => {
    const stored = async (): Promise<Record<string, unknown>> => {
      const path = "practice-file?types=user&ids=usr_other";
      const headers = { Authorization: `Bearer ${key}` };
      const text = await (await fetch(`${origin}/api/v1/${path}`, { headers })).text();
      return JSON.parse(text.split("\n")[1] ?? "");
    };
    const { updatedAt: _, ...before } = await stored();
    const { page } = await opened("#/people/usr_other");
    await button(page, "Edit").click();
    const form = page.getByRole("form", { name: "Edit" });
    await form.getByLabel("NPI").fill("1234567893");
    await button(page, "Add credentials").click();
    await form.getByLabel("Credential", { exact: true }).fill("RBT");
    await form.getByLabel("Practice area").fill("ABA");
    await form.getByLabel("Number").fill("R-1");
    await form.getByLabel("Expires").fill("2030-01-31");
    await form.getByLabel("Status").first().fill("active");
    await button(page, "Add payor credentialing").click();
    const entry = form.getByRole("group", { name: "Payor credentialing 1" });
    await entry.getByLabel("Payor").selectOption({ label: "Fairwind" });
    await entry.getByLabel("Status").fill("APPROVED");
    await entry.getByLabel("Start date").fill("2026-01-01");
    await expectAccessible(page);
    await button(page, "Save").click();
    await page.getByText("The record was changed.").waitFor();
    const { npiNumber, credentials } = await stored();
    const [
      {
        payorCredentialing: [{ publicId, ...credentialing }],
      },
    ] = credentials as [{ payorCredentialing: [Record<string, unknown>] }];
    expectEqual(
      [npiNumber, String(publicId).length, credentialing],
      [
        "1234567893",
        26,
        {
          payorId: "pay_1",
          status: "APPROVED",
          startDate: "2026-01-01",
          endDate: null,
          notes: null,
        },
      ],
    );
    await button(page, "Edit").click();
    await form.getByLabel("Role").selectOption({ label: "Scheduling manager" });
    await button(page, "Save").click();
    await page.locator("header").getByText("Scheduling manager").waitFor();
    expectEqual((await stored()).credentials, undefined);
    await undo(page);
    expectEqual([(await stored()).role, (await stored()).credentials], ["TECHNICIAN", credentials]);
    await write({ type: "user", publicId: "usr_other", npiNumber: null, credentials: [] });
    const { updatedAt: __, ...after } = await stored();
    expectEqual(after, before);
    await page.close();
  });

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
    await undo(page);
    expectEqual(await person("usr_patient_1"), before);
    // And leaves one again, with a payor and units of its own.
    await write({ type: "authorization", publicId: "auth_1", authorizationPoolId: "apool_stored" });
    await page.reload();
    await signIn(page, key);
    await button(page, "Edit Therapy A-1").click();
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

  await check("an employee leaves: three clicks, with their coming sessions shown", async () => {
    const { page, expectClicks } = await opened(`#/schedule?date=${TOMORROW}&whose=technician`);
    const technicians = page.getByLabel("Technician").getByRole("option");
    const offered = async (): Promise<boolean> =>
      (await technicians.allTextContents()).includes("Ana Ruiz");
    expectEqual(await offered(), true);
    await goTo(page, "#/people");
    await page.getByRole("link", { name: "Ruiz, Ana" }).click();
    await button(page, "Has left…").click();
    const dialog = page.getByRole("dialog", { name: "Ana Ruiz has left" });
    await dialog.getByText(/\d sessions from now on/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Has left" }).click();
    await page.getByText("Technician · has left").waitFor();
    await expectClicks(3);
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
    const before = [await person("usr_patient_2"), await sessions()];
    const { page, expectClicks } = await opened("#/people/usr_patient_2");
    for (const [choice, said] of [
      ["Delete them", "3 sessions are deleted."],
      ["Cancel them", "3 sessions are cancelled."],
      ["Leave them: Attention finds them", "3 sessions are left, and found under Attention."],
    ] as const) {
      await button(page, "Is discharged…").click();
      const dialog = page.getByRole("dialog", { name: "Mia Wu is discharged" });
      await dialog.getByText("3 sessions to come.").waitFor();
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
    await expectClicks(9);
    await page.close();
  });

  await check(
    "a spreadsheet with an office's own headings, after a look at what changes",
    async () => {
      const before = await person("usr_patient_1");
      const { page, observed, expectClicks } = await opened("#/import");
      const choose = (name: string, rows: string[]): Promise<void> =>
        page
          .locator("input[type=file]")
          .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(rows.join("\r\n")) });
      await choose("list.csv", [
        "ID,First name,Last name,Role,DOB,Mobile,Shoe size",
        "usr_patient_1,Leonard,Park,patient,,212-555-0101,5",
        'usr_sheet,"Ida, Jr.",Quist,Patient,2/29/2020,,3',
      ]);
      await page.getByText("1 new, 1 changed, 0 unchanged.").waitFor();
      await page.getByText("7 columns, left out: Shoe size").waitFor();
      const change = page.getByRole("region", { name: "What changes" }).getByRole("row");
      await change.filter({ hasText: "First name" }).getByText("Leo", { exact: true }).waitFor();
      await change.filter({ hasText: "First name" }).getByText("Leonard").waitFor();
      await expectAccessible(page);
      expectEqual(await search("Quist"), []);
      await button(page, "Import 2 records").click();
      await page.getByText("list.csv was imported.").waitFor();
      await expectClicks(1);
      expectEqual(
        (await search("Quist")).map(({ firstName }) => firstName),
        ["Ida, Jr."],
      );
      expectEqual((await person("usr_patient_1")).firstName, "Leonard");

      // With an id and a name alone, the name of the file says what it has.
      await choose("payors.csv", ["ID,Name", "pay_1,Fairwind Health"]);
      await change.filter({ hasText: "pay_1" }).getByText("Fairwind", { exact: true }).waitFor();
      await change.filter({ hasText: "pay_1" }).getByText("Fairwind Health").waitFor();
      await button(page, "Import 1 record").click();
      await page.getByText("payors.csv was imported.").waitFor();

      await choose("bad.csv", [
        "ID,First name,Last name,Role,DOB",
        "usr_bad,Bo,,patient,2/30/2020",
      ]);
      const mistakes = page.getByRole("region", { name: "Mistakes" }).getByRole("row");
      await mistakes.nth(2).waitFor();
      const saved = page.waitForEvent("download");
      await button(page, "Save the mistakes").click();
      expectEqual((await saved).suggestedFilename(), "mistakes-in-bad.csv");
      expectEqual(await search("usr_bad"), []);
      // A refused request is an error in the browser's console.
      expectEqual([observed.outside, observed.complaints.length], [[], 1]);

      await page.evaluate("clicks = 0");
      await page.getByRole("link", { name: "Changes" }).click();
      const changeOf = (text: string) => page.getByRole("listitem").filter({ hasText: text });
      const patient = changeOf("Ida, Jr. Quist, patient");
      await patient.getByText("New", { exact: true }).waitFor();
      await patient.getByText(/^ADMIN, /).waitFor();
      await changeOf("Fairwind Health").waitFor();
      await expectClicks(1);
      await expectAccessible(page);
      await page.getByLabel("Since").fill(TOMORROW);
      await page.getByLabel("Since").press("Tab");
      await page.getByText(/^Nothing has changed since /).waitFor();
      await write({ type: "user", publicId: "usr_sheet", deleted: true });
      const { firstName, phoneNumber } = before;
      await write({ type: "user", publicId: "usr_patient_1", firstName, phoneNumber });
      await page.close();
    },
  );

  await check(
    "an office's own list of clients: six clicks to the records, and one to undo them",
    async () => {
      const { page, expectClicks } = await opened("#/import");
      const rows = [
        "Client First Name,Client Last Name,DOB,Gender,Status,ST,BCBA,Guardian Name,Guardian Phone,Guardian Email,Relationship",
        "Ida,Quist,2/29/2020,F,Active,NY,RBT Bo Lind,Maria Quist,(212) 555-0101,maria@quist.example,Mother",
        "Ola,Quist,3/1/2021,M,Gone,NY,Bo Lind,Maria Quist,,Maria@quist.example,Mother",
      ];
      const choose = (): Promise<void> =>
        page.locator("input[type=file]").setInputFiles({
          ...{ name: "Our clients.csv", mimeType: "text/csv" },
          buffer: Buffer.from(rows.join("\n")),
        });
      await choose();
      await page.getByText("11 columns, left out: Relationship").waitFor();
      expectEqual(
        await page.getByLabel("These are").locator("option:checked").innerText(),
        "Patients",
      );
      await page.getByText("3 new, 0 changed, 0 unchanged.").waitFor();
      await page.getByText("Status: 2 words, not matched: Gone").waitFor();
      await page.getByLabel("“Gone”, 1 row").selectOption("DISCHARGED");
      await page.getByText("Status: 2 words, all matched").waitFor();
      const first = page.getByRole("region", { name: "First rows" }).getByRole("row");
      await first.nth(2).getByText("Discharged").waitFor();
      expectEqual((await first.nth(1).innerText()).split("\t").filter(Boolean), [
        "Patient",
        "Ida",
        "Quist",
        "2/29/2020",
        "Female",
        "Active",
        "NY",
        "Bo Lind",
        "Maria Quist",
      ]);
      await expectAccessible(page);
      await button(page, "Import 3 records").click();
      await page.getByText("People: 3 new, 0 changed.").waitFor();
      const quists = await search("Quist");
      const found = new Map(quists.map((each) => [each.firstName, each]));
      const [ida, ola, maria] = ["Ida", "Ola", "Maria"].map((name) => found.get(name));
      expectEqual(
        [ida?.sex, ida?.userStatus, ola?.sex, ola?.userStatus, ida?.primaryClinicianId, ida?.state],
        ["FEMALE", "ACTIVE", "MALE", "DISCHARGED", "usr_other", "NY"],
      );
      expectEqual(
        [ida?.caregiverId, ola?.caregiverId, maria?.phoneNumber],
        [maria?.publicId, maria?.publicId, "+12125550101"],
      );
      await page.getByRole("link", { name: "Ida Quist" }).click();
      await page.getByRole("heading", { level: 1, name: "Ida Quist" }).waitFor();
      // Besides the choice of the file and that of a value.
      await expectClicks(2);
      const kept = await page.evaluate<string>("JSON.stringify({ ...localStorage })");
      expectEqual([kept.includes("DISCHARGED"), /Quist|Lind|Maria/i.test(kept)], [true, false]);
      await undo(page);
      expectEqual(await search("Quist"), []);
      // The same headings: what was chosen is chosen again.
      await page.evaluate(`location.hash = "#/import"`);
      await choose();
      await page.getByText("Status: 2 words, all matched").waitFor();
      await page.close();
    },
  );

  await check("mistakes are grouped, under the office's headings", async () => {
    const { page } = await opened("#/import");
    const rows = ["ID,First,Last,DOB", ...[1, 2, 3, 4, 5].map((at) => `usr_x${at},Ida,,2/30/2020`)];
    await page.locator("input[type=file]").setInputFiles({
      ...{ name: "clients.csv", mimeType: "text/csv" },
      buffer: Buffer.from(rows.join("\n")),
    });
    const mistakes = page.getByRole("region", { name: "Mistakes" }).getByRole("row");
    await mistakes.nth(2).waitFor();
    expectEqual(
      (await mistakes.allInnerTexts())
        .slice(1)
        .map((text) => text.split("\t"))
        .sort(),
      [
        ["2, 3, 4 and 2 more", "DOB", "Please enter a date."],
        ["2, 3, 4 and 2 more", "Last", "Please fill this in."],
      ],
    );
    await page.close();
  });

  await check("files that are dropped on the view are imported, people first", async () => {
    const { page } = await opened("#/import");
    const files = [
      ["sessions.csv", "ID,Title\napt_first,Dropped"],
      ["people.csv", "ID,First name,Last name,Role\nusr_dropped,Ida,Quist,patient"],
    ] as const;
    for (const [name, text] of files) await Bun.write(join(folder, name), text);
    // Dropped by the browser itself, as from a folder of the desktop.
    const client = await page.context().newCDPSession(page);
    const box = await page.locator(".drop").boundingBox();
    if (box === null) throw new Error("There is no place to drop files");
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await client.send("Input.dispatchDragEvent", {
        type,
        x: box.x + box.width / 2,
        y: box.y + box.height - 4,
        data: {
          items: [],
          files: files.map(([name]) => join(folder, name)),
          dragOperationsMask: 1,
        },
      });
    await button(page, "Import 1 record").waitFor();
    expectEqual(await page.getByRole("main").getByRole("heading", { level: 2 }).allInnerTexts(), [
      "people.csv 1 row",
      "sessions.csv 1 row",
    ]);
    await button(page, "Import 1 record").click();
    await page.getByText("people.csv was imported.").waitFor();
    await page.getByText("0 new, 1 changed, 0 unchanged.").waitFor();
    await button(page, "Import 1 record").click();
    await page.getByText("sessions.csv was imported.").waitFor();
    expectEqual(
      (await search("Quist")).map(({ firstName }) => firstName),
      ["Ida"],
    );
    const { title } = await read<{ title: string }>(admin, "sessions/apt_first");
    expectEqual(title, "Dropped");
    await write({ type: "user", publicId: "usr_dropped", deleted: true });
    await write({ type: "session", publicId: "apt_first", title: "Therapy of 1" });
    await page.close();
  });

  await check(
    "a calendar for a phone: its address is shown once, and it can be revoked",
    async () => {
      const { page } = await opened("#/people/usr_technician");
      await page
        .getByRole("form", { name: "New calendar" })
        .getByLabel("Device")
        .fill("Ana's phone");
      await button(page, "New calendar").click();
      const address = await page.locator(".calendars code").innerText();
      const feed = await fetch(address);
      await settled(page);
      expectEqual(
        [feed.status, feed.headers.get("content-type")?.split(";")[0]],
        [200, "text/calendar"],
      );
      await expectAccessible(page);
      await button(page, "Revoke Ana's phone").click();
      await button(page, "Revoke Ana's phone").waitFor({ state: "detached" });
      expectEqual((await fetch(address)).status, 404);
      await page.close();
    },
  );
}
