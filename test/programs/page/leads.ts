import type { Browser } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { expectAccessible, undo, type Practice } from "./visit.ts";
import { button, officeOf } from "./office.ts";

/** An office's errands on leads. */

export async function checkLeads(browser: Browser, practice: Practice): Promise<void> {
  const { write, search, opened } = await officeOf(browser, practice);

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

  await check("a lead sent twice is added once, and undone with child and caregiver", async () => {
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
    await form.getByLabel("Phone").fill("415 555 2671");
    // Somebody else's email is a mistake at its field.
    const email = form.getByLabel("Email");
    await email.fill("tom@berg.example");
    await button(page, "Add").click();
    await page.getByText("Nothing was written yet. One field is marked above.").waitFor();
    expectEqual(await email.getAttribute("aria-invalid"), "true");
    await email.fill("liv@strand.example");
    // Its answer is lost; the same, sent again, is no second lead.
    await page.route(
      /intake-leads$/,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      // By itself, the page sends it twice.
      { times: 2 },
    );
    await button(page, "Add").click();
    await page.getByText("It is not known whether this was written.").waitFor();
    await button(page, "Add").click();
    await page.getByText("The lead was added.").waitFor();
    expectEqual((await search("Strand")).length, 2);
    await undo(page);
    expectEqual(await search("Strand"), []);
    await page.close();
  });
}
