import type { Browser, Page } from "playwright-core";
import type { PageOf } from "../../../src/page/app/lib/base/wire.ts";
import { expectEqual } from "../../support/checks.ts";
import { SMALL_ORGANIZATION } from "./small-practice.ts";
import { keyOf, type Practice, read, visit, writeRecord } from "./visit.ts";

/** What the errands of an office have in common: they are done by an administrator of the small practice. */

export interface Person {
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
  internalRecordId?: string | null;
  primaryClinicianId?: string | null;
}

/** The views and records of the small practice for its administrator. */
export async function officeOf(browser: Browser, practice: Practice) {
  const { origin, folder } = practice;
  const key = await keyOf(folder, "ADMIN", SMALL_ORGANIZATION);
  const admin = { ...practice, adminKey: key };
  const write = (record: object) => writeRecord(admin, SMALL_ORGANIZATION, record);
  await write({ type: "payor", publicId: "pay_1", name: "Fairwind" });
  await write({ type: "intakeStage", publicId: "stage_call", name: "First call", position: 1 });
  return {
    ...{ folder, key, admin, write },
    person: (id: string): Promise<Person> => read<Person>(admin, `users/${id}`),
    search: async (text: string): Promise<Person[]> =>
      (await read<PageOf<Person>>(admin, `users?search=${encodeURIComponent(text)}`)).data,
    /** A view, and the number of clicks on it so far. */
    opened: async (at: string) => {
      const { page, observed } = await visit(browser, origin, { at, key });
      await page.evaluate(
        "clicks = 0; addEventListener('pointerdown', () => { clicks += 1; }, true)",
      );
      const expectClicks = async (count: number): Promise<void> =>
        expectEqual(await page.evaluate("clicks"), count);
      return { page, observed, expectClicks };
    },
  };
}

export function button(page: Page, name: string | RegExp) {
  return page.getByRole("button", { name, exact: typeof name === "string" });
}
