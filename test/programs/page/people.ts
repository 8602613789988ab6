import type { Browser } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { SMALL_ORGANIZATION } from "./small-practice.ts";
import {
  expectAccessible,
  goTo,
  holdBack,
  keyOf,
  leave,
  type Practice,
  read,
  settled,
  visit,
} from "./visit.ts";

/** The view People: the search and a person's record. */

export async function checkPeople(browser: Browser, practice: Practice): Promise<void> {
  const { origin, adminKey: key, patientKey } = practice;
  const search = "Search";

  await check("the search finds people while typing, and no URL contains the text", async () => {
    const { page } = await visit(browser, origin, { at: "#/people?role=PATIENT", key });
    expectEqual(await page.locator("tbody tr").count(), 25);
    await page.getByLabel(search).pressSequentially("carver");
    await page.getByRole("row", { name: "Carver, Lucy" }).waitFor();
    await settled(page);
    expectEqual(page.url(), `${origin}/#/people?role=PATIENT`);
    await page.getByLabel(search).fill("nobody is called that");
    await page.getByText("Nobody is found for “nobody is called that”").waitFor();
    await leave(page);
  });

  await check("what is wrong with a patient is one click from where it is mended", async () => {
    const { data } = await read<{ data: { patientId: string }[] }>(
      practice,
      "checks?check=NO_AUTHORIZATION&pageSize=1",
    );
    const patientId = data[0]?.patientId;
    const { page } = await visit(browser, origin, { at: `#/people/${patientId}`, key });
    await page.getByRole("heading", { name: "Attention" }).getByRole("link").click();
    await page.getByRole("button", { name: "Put on authorization…" }).first().waitFor();
    expectEqual(page.url(), `${origin}/#/attention?patientId=${patientId}`);
    await leave(page);
  });

  await check("a late response never replaces a newer one", async () => {
    const { page } = await visit(browser, origin, { at: "#/people", key });
    // The response to the first text arrives last.
    const release = await holdBack(page, /search=lucy/);
    await page.getByLabel(search).fill("lucy");
    await page.waitForRequest(/search=lucy/);
    await page.getByLabel(search).fill("miles whitlock");
    await page.getByRole("row", { name: "Whitlock, Miles" }).waitFor();
    release();
    await settled(page);
    expectEqual(await page.getByRole("row", { name: "Whitlock, Miles" }).count(), 1);
    expectEqual(await page.getByRole("row", { name: "Lucy" }).count(), 0);
    await page.close();
  });

  await check(
    "paging works in both directions, and a new search begins at the first page",
    async () => {
      const { page } = await visit(browser, origin, { at: "#/people", key });
      const shown = (): Promise<(string | null)[]> =>
        page
          .getByRole("row")
          .getByRole("link")
          .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("href")));
      const first = await shown();
      await page.getByRole("link", { name: "Next" }).first().click();
      await page.waitForURL(/page=2/);
      await settled(page);
      const second = await shown();
      expectEqual([first.length, second.length, new Set([...first, ...second]).size], [25, 25, 50]);
      await page.goBack();
      await settled(page);
      expectEqual(await shown(), first);
      await page.goForward();
      await page.getByLabel(search).fill("a");
      await page.waitForURL(`${origin}/#/people`);
      await leave(page);
    },
  );

  await check(
    "a record shows the data of the API, and links authorizations to their utilization",
    async () => {
      const { page } = await visit(browser, origin, { at: "#/people?role=PATIENT", key });
      await page.getByLabel(search).fill("lucy carver");
      await page.getByRole("link", { name: "Carver, Lucy" }).click();
      await page.getByRole("heading", { name: "Lucy Carver" }).waitFor();
      await settled(page);
      const text = await page.locator("main").innerText();
      for (const part of [
        "usr_patient_000012",
        "MRN-000012",
        "Riverbend Family Coverage",
        "397 Orchard Avenue",
      ])
        if (!text.includes(part)) throw new Error(`The record does not show ${part}`);
      const links = await page
        .getByRole("region", { name: "Authorizations" })
        .getByRole("link")
        .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("href") ?? ""));
      const { data } = await read<{ data: { primaryClinicianId: string }[] }>(
        practice,
        "users?search=lucy+carver&role=PATIENT",
      );
      const ids = JSON.stringify(data).match(/"(auth_|apool_)\w+"/g) ?? [];
      expectEqual(links.toSorted(), ids.map((id) => `#/utilization/${id.slice(1, -1)}`).toSorted());
      // People to whom a record refers are shown by name if the name is known.
      const clinician = page.locator(`a[href="#/people/${data[0]?.primaryClinicianId}"]`).first();
      await clinician.filter({ hasText: /^\p{L}+ \p{L}+/u }).waitFor();
      if ((await page.title()).includes("Lucy")) throw new Error("The title names a patient");
      await leave(page);
    },
  );

  await check(
    "an unknown id, or one of another organization, shows the message of the API",
    async () => {
      for (const id of ["usr_none", "usr_busy_1", "no%20id"]) {
        const { page } = await visit(browser, origin, { at: `#/people/${id}`, key });
        await page
          .getByRole("alert")
          .filter({ hasText: /User not found|userId:/ })
          .waitFor();
        await leave(page);
      }
    },
  );

  await check(
    "an ended authorization is marked as ended, and empty fields are hidden",
    async () => {
      const small = await keyOf(practice.folder, "ADMIN", SMALL_ORGANIZATION);
      const { page } = await visit(browser, origin, { at: "#/people/usr_patient_2", key: small });
      const row = page.getByRole("row").filter({ hasText: "A-3" });
      await row.getByText(/^ended /).waitFor();
      expectEqual(await page.locator(".fields dt").allInnerTexts(), ["ID"]);
      await leave(page);
    },
  );

  await check("an answer that was cut off can be asked for again", async () => {
    const { page } = await visit(browser, origin, { at: "#/nobody", key });
    const isList = ({ pathname }: URL) => pathname === "/api/v1/users";
    await page.route(isList, (route) => route.fulfill({ status: 200, body: '{"data": [' }));
    await goTo(page, "#/people");
    await page.getByText("The answer was cut off.").waitFor();
    await page.unroute(isList);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("row").nth(1).waitFor();
    await page.close();
  });

  await check("a role without views is told so, and gets none", async () => {
    const { page } = await visit(browser, origin, { at: "#/people", key: patientKey });
    await page.getByRole("heading", { name: "This page is for the staff" }).waitFor();
    expectEqual(await page.getByRole("navigation").getByRole("link").allInnerTexts(), []);
    await expectAccessible(page);
    await leave(page);
  });
}
