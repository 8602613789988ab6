import type { Browser, Page } from "playwright-core";
import type { PageOf, User } from "../../../src/page/app/lib/base/wire.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { importRecords, person } from "./imported-practices.ts";
import { type Device, invite, lendAuthenticator, newDevice, register } from "./passkeys.ts";
import { keyOf, type Practice, read, settled } from "./visit.ts";

/** Two practices of one server whose administrators have equal ids, in one browser. */

const OTHER = "org_twin";
const NEW_PERSON = "#/people?open=new-person&open.role=PATIENT";

export async function checkTwoPractices(browser: Browser, practice: Practice): Promise<void> {
  const origin = practice.origin.replace("127.0.0.1", "localhost");
  const { data } = await read<PageOf<User>>(practice, "users?role=ADMIN&isActive=true");
  const id = data[0]?.publicId ?? "";
  await importRecords(practice.folder, [
    { type: "organization", publicId: OTHER, name: "Twin Practice", timezone: "UTC" },
    person(id, "ADMIN", "Twin", "Admin"),
  ]);
  const otherKey = await keyOf(practice.folder, "ADMIN", OTHER);
  const of = async (key: string): Promise<number> =>
    (await read<PageOf<User>>({ ...practice, adminKey: key }, "users?search=Typed")).pagination
      .totalCount;
  const written = async () => [await of(practice.adminKey), await of(otherKey)];

  /** Has the administrator of the other practice sign in in another tab of the browser. */
  async function signInOther(device: Device): Promise<Page> {
    const tab = await device.context.newPage();
    await lendAuthenticator(device, tab);
    await tab.goto(`${origin}/${await invite(practice, id, origin, OTHER)}`);
    await register(tab);
    return tab;
  }
  async function typeName({ page }: Device): Promise<void> {
    await page.goto(`${origin}/${NEW_PERSON}`);
    await settled(page);
    await page.getByLabel("First name").first().fill("Typed");
    await page.getByLabel("Last name").first().fill("Typed");
  }

  await check("a tab of one goes with its data when the other signs in", async () => {
    const device = await newDevice(browser, origin, await invite(practice, id, origin));
    const { context, page } = device;
    await register(page);
    await typeName(device);
    const tab = await signInOther(device);
    await page.getByText("Somebody else has signed in on this browser").waitFor();
    // Nothing that was typed for one stands in a form of the other.
    await tab.goto(`${origin}/${NEW_PERSON}`);
    expectEqual(await tab.getByLabel("First name").first().inputValue(), "");
    await context.close();
  });

  await check("a tab that has heard nothing writes nothing into the other practice", async () => {
    const device = await newDevice(browser, origin);
    const { context, page } = device;
    await page.addInitScript("BroadcastChannel.prototype.addEventListener = () => {}");
    await page.goto("about:blank");
    await page.goto(`${origin}/${await invite(practice, id, origin)}`);
    await register(page);
    await typeName(device);
    await signInOther(device);
    await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Sign-in has ended").waitFor();
    expectEqual(await written(), [0, 0]);
    // Who unlocks that tab is the other one, with an empty form.
    await page.reload();
    await page.locator(".who").getByText("Twin Practice").waitFor();
    await page.goto(`${origin}/${NEW_PERSON}`);
    expectEqual(await page.getByLabel("First name").first().inputValue(), "");
    await context.close();
  });
}
