import type { Browser } from "playwright-core";
import { creatableRoles } from "../../../src/callers/permissions.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { SMALL_ORGANIZATION } from "./small-practice.ts";
import { expectAccessible, goTo, keyOf, undo, type Practice, visit } from "./visit.ts";
import { button, officeOf, type Person } from "./office.ts";

/** An office's errands on people, each with its clicks and with what is stored afterwards. */

export async function checkRecords(browser: Browser, practice: Practice): Promise<void> {
  const { key, write, person, search, opened } = await officeOf(browser, practice);

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

  await check("who may not delete people is offered no way back from a new one", async () => {
    const planner = await keyOf(practice.folder, "SCHEDULING_MANAGER", SMALL_ORGANIZATION);
    const { page } = await visit(browser, practice.origin, { at: "#/people", key: planner });
    await button(page, "New person").click();
    const form = page.getByRole("form", { name: "New person" });
    await form.getByLabel("First name").first().fill("Ida");
    await form.getByLabel("Last name").first().fill("Quist");
    await button(page, "Add").click();
    await page.getByText("The person was added.").waitFor();
    expectEqual(await button(page, "Undo").count(), 0);
    for (const { publicId } of await search("Quist"))
      await write({ type: "user", publicId, deleted: true });
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
    for (const leave of ways) {
      const question = page.waitForEvent("dialog");
      await leave();
      await question;
      await page.waitForURL(at);
      expectEqual(await city.inputValue(), "Alder Creek");
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
    await page.clock.install();
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
    await page.clock.runFor(20_000);
    await page.locator(".undo-bar").waitFor({ state: "hidden" });
    await goTo(page, "#/done");
    const list = page.getByRole("region", { name: "Done" }).getByRole("listitem");
    expectEqual(await list.count(), 3);
    await expectAccessible(page);
    // On the first change of the record there is another.
    await list.nth(2).getByRole("button", { name: "Undo" }).click();
    await list.nth(2).getByText("This record has been changed since.").waitFor();
    await list.nth(1).getByRole("button", { name: "Undo" }).click();
    await list.nth(2).waitFor({ state: "detached" });
    expectEqual((await person("usr_patient_1")).city, "Alder Creek");
    await list.nth(0).getByRole("button", { name: "Undo" }).click();
    await list.nth(1).waitFor({ state: "detached" });
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
    // Of several entries, the one goes that is removed.
    const entry = (number: number) => form.getByRole("group", { name: `Insurance ${number}` });
    await button(page, "Add insurance").click();
    for (const number of [1, 2]) await entry(number).getByLabel("Member").fill(`M-${number}`);
    await entry(2).getByRole("button", { name: "Remove" }).click();
    await entry(2).waitFor({ state: "detached" });
    expectEqual(await entry(1).getByLabel("Member").inputValue(), "M-1");
    const locations = form.getByRole("group", { name: "Locations" });
    await locations.getByLabel("Locations").selectOption({ label: "Clinic" });
    await locations.getByRole("button", { name: "Remove Clinic" }).click();
    await locations.getByRole("listitem").waitFor({ state: "detached" });
    // Who holds their own insurance has its holder's name, too.
    await entry(1).getByLabel("Holder is the patient’s").fill("SELF");
    expectEqual(await entry(1).getByLabel("Plan holder").inputValue(), "Ida");
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

  await check("what the API shows of nobody can be edited, too, and undone", async () => {
    const stored = async (): Promise<Record<string, unknown>> => {
      const path = "practice-file?types=user&ids=usr_other";
      const headers = { Authorization: `Bearer ${key}` };
      const text = await (await fetch(`${practice.origin}/api/v1/${path}`, { headers })).text();
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
        expiresAt,
        payorCredentialing: [{ publicId, ...credentialing }],
      },
    ] = credentials as [{ expiresAt: string; payorCredentialing: [Record<string, unknown>] }];
    // Until the end of the day, here in the zone of the browser: the practice has none.
    await page.getByText("Jan 31, 2030").waitFor();
    expectEqual(
      [expiresAt, npiNumber, String(publicId).length, credentialing],
      [
        "2030-01-31T23:59:59.999Z",
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
}
