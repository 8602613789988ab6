import { afterAll, afterEach } from "bun:test";
import { Window } from "happy-dom";
import {
  billingRoles,
  creatableRoles,
  limitedRoles,
  permissions,
  practiceFileReach,
} from "../../../src/callers/permissions.ts";
import { recordDescriptions } from "../../../src/page/record-fields.ts";
import { MAX_SHORT_TEXT } from "../../../src/schema/fields.ts";

/**
 * A document without a browser, for tests of components. Files of tests share a process, so it is there for one of them at
 * a time; and it is the same one for all of them, since libraries keep it.
 */

const window = new Window({ url: "http://localhost/" });

/** Classes and values of the window that components and the library of these tests use. */
const CLASSES = /^([A-Z]\w*)?(Element|Event|Node|Fragment|Observer)$|^(Text|Comment|File|Blob)$/;
const VALUES = ["document", "location", "history", "navigator", "localStorage"] as const;
const FUNCTIONS = [
  "addEventListener",
  "removeEventListener",
  "dispatchEvent",
  "getComputedStyle",
  "requestAnimationFrame",
  "cancelAnimationFrame",
  "matchMedia",
] as const;

const globals: Record<string, unknown> = {
  window,
  ...Object.fromEntries(
    [...Object.getOwnPropertyNames(window).filter((name) => CLASSES.test(name)), ...VALUES].map(
      (name) => [name, Reflect.get(window, name)],
    ),
  ),
  ...Object.fromEntries(FUNCTIONS.map((name) => [name, Reflect.get(window, name).bind(window)])),
  // What `src/page/bundle.ts` tells the page.
  RECORD_DESCRIPTIONS: recordDescriptions(),
  MAX_SHORT_TEXT,
  CREATABLE_ROLES: creatableRoles,
  BILLING_ROLES: billingRoles,
  SUPPORT_ROLES: permissions.readBillingSupport.roles,
  GOAL_ROLES: permissions.writeGoals.roles,
  LIMITED_ROLES: limitedRoles,
  PRACTICE_FILE_REACH: practiceFileReach,
};

/** Has the document be there for the tests of a file, at the first place; the file then imports what it tests. */
export async function useDocument() {
  const before = Object.keys(globals).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  const library = await import("@testing-library/preact");
  const { goTo } = await import("../../../src/page/app/lib/base/place.ts");
  goTo("#/", "replace");
  afterEach(library.cleanup);
  afterAll(async () => {
    // Preact runs the last effects after the next frame, at the latest after 35 ms.
    await Bun.sleep(100);
    for (const [name, descriptor] of before)
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
  });
  return library;
}
