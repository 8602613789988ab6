import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import type { User } from "../../../src/page/app/lib/base/wire.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { runProgram } from "../../support/commands/program.ts";
import {
  expectAccessible,
  expectNothingKept,
  type Practice,
  read,
  settled,
  WAITING_TIME,
  watchRequests,
  writeRecord,
} from "./visit.ts";

/** Invitations, passkeys, the lock, several tabs and who has access, with Chromium's virtual authenticators. */

const ORGANIZATION = "org_maple";
const LOCKING_TIME = 15 * 60 * 1000;

export interface Device {
  context: BrowserContext;
  page: Page;
  client: CDPSession;
  authenticatorId: string;
}

const AUTHENTICATOR = {
  protocol: "ctap2",
  ctap2Version: "ctap2_1",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

/** A browser of its own with an authenticator. */
export async function newDevice(browser: Browser, origin: string, at = ""): Promise<Device> {
  const context = await browser.newContext({ locale: "en-US", timezoneId: "America/New_York" });
  context.setDefaultTimeout(WAITING_TIME);
  context.on("page", watchRequests);
  // A question that its page leaves is gone.
  context.on("dialog", (question) => void question.accept().catch(() => {}));
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("WebAuthn.enable");
  const { authenticatorId } = await client.send("WebAuthn.addVirtualAuthenticator", {
    options: AUTHENTICATOR,
  });
  await page.goto(`${origin}/${at}`);
  return { context, page, client, authenticatorId };
}

/**
 * Gives the passkeys of a device to another tab, as if it were used there.
 *
 * @returns gives them back, with their counters.
 */
export async function lendAuthenticator(
  { client, authenticatorId }: Device,
  tab: Page,
): Promise<() => Promise<void>> {
  const other = await tab.context().newCDPSession(tab);
  await other.send("WebAuthn.enable");
  const lent = await other.send("WebAuthn.addVirtualAuthenticator", { options: AUTHENTICATOR });
  const move = async (
    [from, fromId]: [CDPSession, string],
    [to, toId]: [CDPSession, string],
  ): Promise<void> => {
    const { credentials } = await from.send("WebAuthn.getCredentials", { authenticatorId: fromId });
    await to.send("WebAuthn.clearCredentials", { authenticatorId: toId });
    for (const credential of credentials)
      await to.send("WebAuthn.addCredential", { authenticatorId: toId, credential });
  };
  await move([client, authenticatorId], [other, lent.authenticatorId]);
  return () => move([other, lent.authenticatorId], [client, authenticatorId]);
}

export async function invite(
  { folder }: Practice,
  userId: string,
  origin: string,
  organization = ORGANIZATION,
): Promise<string> {
  const command = ["invite", userId, "--organization", organization, "--origin", origin];
  const { stdout } = await runProgram(command, { cwd: folder });
  return stdout.trim().slice(origin.length + 1);
}

export async function register(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Register a passkey" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
}

async function requestAs(page: Page, path: string): Promise<unknown> {
  return page.evaluate(`fetch("api/v1/${path}").then((response) => response.json())`);
}

export async function checkPasskeys(browser: Browser, practice: Practice): Promise<void> {
  const origin = practice.origin.replace("127.0.0.1", "localhost");
  const people = async (role: string) =>
    (await read<{ data: User[] }>(practice, `users?role=${role}&isActive=true`)).data;
  const [administrator] = (await people("ADMIN")) as [User];
  const [technician, second] = (await people("TECHNICIAN")) as [User, User];
  const fullName = ({ firstName, lastName }: User) => `${firstName} ${lastName}`;

  await check("at 127.0.0.1 a key comes first, and a link leads to localhost", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${practice.origin}/${await invite(practice, technician.publicId, origin)}`);
    await page.getByLabel("API key").waitFor();
    expectEqual(page.url(), `${practice.origin}/#/`);
    await page.getByRole("link", { name: "localhost" }).click();
    await page.getByText(`Welcome, ${fullName(technician)}`).waitFor();
    expectEqual(page.url(), `${origin}/#/`);
    await context.close();
  });

  const device = await newDevice(
    browser,
    origin,
    await invite(practice, administrator.publicId, origin),
  );
  const { page, context } = device;

  await check("an invitation leaves the address bar at once, and greets its person", async () => {
    await page.getByText(`Welcome, ${fullName(administrator)}`).waitFor();
    expectEqual(page.url(), `${origin}/#/`);
    expectEqual(await page.getByLabel("Name of this device").inputValue(), "Linux");
    await expectAccessible(page);
    await page.getByLabel("Name of this device").fill("Office laptop");
  });

  await check(
    "registering a passkey signs in, with a cookie that scripts cannot read",
    async () => {
      await register(page);
      await settled(page);
      const [cookie] = await context.cookies();
      expectEqual(
        [cookie?.name, cookie?.httpOnly, cookie?.secure, cookie?.sameSite, cookie?.path],
        ["__Host-caseload", true, true, "Strict", "/"],
      );
      await expectNothingKept(page);
      await page.locator(".who").getByText(fullName(administrator)).waitFor();
      const me = (await requestAs(page, "me")) as { key: { kind: string; userId: string } };
      expectEqual([me.key.kind, me.key.userId], ["SIGN_IN", administrator.publicId]);
    },
  );

  await check("a used invitation names no one", async () => {
    const link = await invite(practice, technician.publicId, origin);
    await invite(practice, technician.publicId, origin);
    const other = await newDevice(browser, origin, link);
    await other.page.getByText("This invitation is no longer valid").waitFor();
    expectEqual(await other.page.getByText(fullName(technician)).count(), 0);
    await other.page.getByRole("button", { name: "Sign in with a passkey" }).waitFor();
    await expectAccessible(other.page);
    await other.context.close();
  });

  await check("a reload and a second tab stay signed in, where the address says", async () => {
    await page.goto(`${origin}/#/people`);
    await page.reload();
    await page.getByRole("heading", { name: "People" }).waitFor();
    const tab = await context.newPage();
    await tab.goto(`${origin}/#/schedule`);
    await tab.getByRole("button", { name: "Sign out" }).waitFor();
    await tab.close();
  });

  await check("another passkey is added after using the first, and removed", async () => {
    await page.getByRole("button", { name: "Your passkeys" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Office laptop").waitFor();
    await expectAccessible(page);
    // The authenticator refuses a second passkey of the same person; another device does not.
    await dialog.getByRole("button", { name: "Add a passkey" }).click();
    await dialog.getByText("already has a passkey of yours").waitFor();
    const { authenticatorId } = await device.client.send("WebAuthn.addVirtualAuthenticator", {
      options: { ...AUTHENTICATOR, transport: "usb" },
    });
    await dialog.getByLabel("Name of the device").fill("Security key");
    await dialog.getByRole("button", { name: "Add a passkey" }).click();
    const added = dialog.getByRole("listitem").filter({ hasText: "Security key" });
    await added.getByRole("button", { name: "Remove" }).click();
    await added.getByRole("button", { name: "Remove it" }).click();
    await added.waitFor({ state: "detached" });
    await device.client.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  await check("an administrator invites from the list of who has access", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("link", { name: "Access" }).click();
    const row = page.getByRole("row").filter({ hasText: fullName(second) });
    await row.getByRole("button", { name: "Invite" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Make a link" }).click();
    const link = await dialog.getByLabel("Link").inputValue();
    expectEqual(link.startsWith(`${origin}/#/invitation/${ORGANIZATION}.`), true);
    await dialog.getByRole("button", { name: "Copy" }).click();
    await dialog.getByText("Copied").waitFor();
    expectEqual(await page.evaluate("navigator.clipboard.readText()"), link);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close" }).click();
    await row.getByText("invited until").waitFor();
  });

  await check("the question says whose access is the last administrator's", async () => {
    const row = page.getByRole("row").filter({ hasText: fullName(administrator) });
    await row.getByRole("button", { name: "Revoke" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("last administrator with access").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  await check("fifteen minutes without input lock the page; unlocking goes on there", async () => {
    const tab = await context.newPage();
    const giveBack = await lendAuthenticator(device, tab);
    await tab.clock.install();
    await tab.goto(`${origin}/#/people`);
    await tab.getByRole("heading", { name: "People" }).waitFor();
    await tab.clock.runFor(LOCKING_TIME + 10_000);
    await tab.getByRole("button", { name: "Unlock with your passkey" }).waitFor();
    expectEqual(await tab.getByRole("table").count(), 0);
    await expectAccessible(tab);
    await tab.getByRole("button", { name: "Unlock with your passkey" }).click();
    await tab.getByRole("heading", { name: "People" }).waitFor();
    await giveBack();
    await tab.close();
  });

  await check("input in one tab keeps the others unlocked", async () => {
    const tab = await context.newPage();
    await tab.clock.install();
    await tab.goto(`${origin}/#/people`);
    await tab.getByRole("heading", { name: "People" }).waitFor();
    // The clock is that of all tabs: the other one has been locked with the tab of the check before, and unlocked by it.
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await settled(page);
    // Its last input may be some time ago.
    await page.mouse.move(100, 100);
    await tab.clock.runFor(LOCKING_TIME - 60_000);
    await tab.evaluate(`void (told = new Promise((resolve) => {
      new BroadcastChannel("caseload").onmessage = () => resolve();
    }))`);
    const told = tab.evaluate("told").then(() => true);
    let isTold = false;
    // Input is told at most once a second, so that a single move may be too early.
    for (let move = 0; move < 40 && !isTold; move += 1) {
      await page.mouse.move(200 + 10 * (move % 20), 200);
      isTold = await Promise.race([told, Bun.sleep(250).then(() => false)]);
    }
    // What the tab shows that was to tell it says why it did not.
    if (!isTold) throw new Error(`Not told by: ${await page.locator("body").innerText()}`);
    await tab.clock.runFor(2 * 60_000);
    await tab.getByRole("heading", { name: "People" }).waitFor();
    expectEqual(await tab.getByRole("button", { name: "Unlock with your passkey" }).count(), 0);
    await tab.close();
  });

  await check("with input, the page asks something at least every five minutes", async () => {
    const tab = await context.newPage();
    await tab.clock.install();
    await tab.goto(`${origin}/#/people`);
    await settled(tab);
    let requests = 0;
    tab.on("request", () => (requests += 1));
    const asked = tab.waitForRequest(/./);
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await tab.clock.runFor(60_000);
      await tab.mouse.move(100 + minutes, 100);
    }
    // Another person may have signed in in a tab that this one has not heard of: a request says whose it is.
    const person = `${ORGANIZATION}.${administrator.publicId}`;
    expectEqual((await asked).headers()["caseload-user"], person);
    await settled(tab);
    expectEqual(requests, 1);
    await tab.close();
  });

  await check("what was typed is there again after a lock, until the form is closed", async () => {
    await page.goto(`${origin}/#/people`);
    await page.reload();
    const newPerson = page.getByRole("button", { name: "New person" });
    const firstName = page.getByRole("dialog").getByLabel("First name").first();
    await newPerson.click();
    await firstName.fill("Ida");
    await page.clock.runFor(LOCKING_TIME + 10_000);
    await page.getByRole("button", { name: "Unlock with your passkey" }).click();
    // The dialog is part of the place, which stays.
    expectEqual(await firstName.inputValue(), "Ida");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await newPerson.click();
    expectEqual(await firstName.inputValue(), "");
    await page.goto(`${origin}/#/access`);
    await page.reload();
  });

  await check(
    "what was typed outlasts a change by somebody else, and the end of the sign-in",
    async () => {
      await page.goto(`${origin}/#/people/${second.publicId}`);
      await page.reload();
      await page.getByRole("button", { name: "Edit" }).click();
      const number = page.getByRole("dialog").getByLabel("NPI");
      await number.fill("1234567890");
      await page.clock.runFor(LOCKING_TIME + 10_000);
      await page.getByRole("button", { name: "Unlock with your passkey" }).waitFor();
      const { publicId, email } = second;
      const other = "somebody.else@maple.example";
      await writeRecord(practice, ORGANIZATION, { type: "user", publicId, email: other });
      await page.getByRole("button", { name: "Unlock with your passkey" }).click();
      expectEqual(await number.inputValue(), "1234567890");
      // As after twelve hours.
      const isWrite = ({ pathname }: URL) => pathname === "/api/v1/practice-file";
      await page.route(isWrite, (route) =>
        route.fulfill({ status: 401, json: { error: "Sign-in has ended" } }),
      );
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Sign-in has ended").waitFor();
      await page.unroute(isWrite);
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      expectEqual(await number.inputValue(), "1234567890");
      // What somebody else has written meanwhile is not overwritten unseen.
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText(`→ ${other}`).waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.goto(`${origin}/#/access`);
      await page.reload();
      await writeRecord(practice, ORGANIZATION, { type: "user", publicId, email });
    },
  );

  await check(
    "a session, a plan and a file are there again after a lock, for nobody after signing out",
    async () => {
      const unlock = page.getByRole("button", { name: "Unlock with your passkey" });
      const lock = () => page.clock.runFor(LOCKING_TIME + 10_000);
      const at = async (place: string): Promise<void> => {
        // Not by the fragment alone: the page would ask what becomes of what was typed while it is loaded again.
        await page.goto("about:blank");
        await page.goto(`${origin}/${place}`);
      };

      const query = "status=CONFIRMED&pageSize=1&sort=startTime_desc";
      const { data: sessions } = await read<{ data: { publicId: string; clientId: string }[] }>(
        practice,
        `sessions?${query}`,
      );
      await at(`#/people/${sessions[0]?.clientId}`);
      const change = page.getByRole("button", { name: "Change time or people" });
      const from = page.getByRole("dialog").getByLabel("From");
      const openSession = async (): Promise<void> => {
        await page
          .locator(".panel", { hasText: "Next sessions" })
          .getByRole("link")
          .first()
          .click();
        await change.click();
      };
      await openSession();
      await from.fill("05:10");
      await lock();
      await unlock.click();
      await change.click();
      expectEqual(await from.inputValue(), "05:10");

      const { data: current } = await read<{ data: { publicId: string }[] }>(
        practice,
        "authorization-utilization?pageSize=1",
      );
      await at(`#/utilization/${current[0]?.publicId}`);
      const start = page.getByRole("form", { name: "Add a session" }).getByLabel("From");
      await start.fill("05:20");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("button", { name: "Book 1 session…" }).waitFor();
      await lock();
      await unlock.click();
      await page.getByRole("button", { name: "Book 1 session…" }).waitFor();
      expectEqual(await start.inputValue(), "05:20");

      await at("#/import");
      const buffer = Buffer.from("Kind,Nickname\nx,y\n");
      const file = page.getByRole("heading", { name: "payors.csv" });
      const heading = page.getByLabel("Nickname");
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "payors.csv", mimeType: "text/csv", buffer });
      await heading.selectOption("name");
      await lock();
      expectEqual(await file.count(), 0);
      await unlock.click();
      expectEqual(await heading.inputValue(), "name");
      await lock();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      await page.getByText("Drop files here").waitFor();
      expectEqual(await file.count(), 0);
      await at("#/access");
    },
  );

  await check("another person in a second tab: the first one forgets all data", async () => {
    const tab = await context.newPage();
    await lendAuthenticator(device, tab);
    await tab.goto(`${origin}/${await invite(practice, technician.publicId, origin)}`);
    await register(tab);
    await page.getByText("Somebody else has signed in on this browser").waitFor();
    expectEqual(await page.getByRole("table").count(), 0);
    await tab.locator(".who").getByText(fullName(technician)).waitFor();
    expectEqual(await tab.getByRole("link", { name: "Access" }).count(), 0);
    await tab.close();
  });

  await check("signing in with a passkey asks for no name, and signs out all tabs", async () => {
    await page.reload();
    // The page shows at once that nobody is signed in; the response takes the cookie away.
    const response = page.waitForResponse((each) => each.request().method() === "DELETE");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out").waitFor();
    await response;
    expectEqual(await context.cookies(), []);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    const tab = await context.newPage();
    await tab.goto(`${origin}/#/people`);
    await tab.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out").waitFor();
    await tab.close();
  });

  await check(
    "a sign-out is repeated until the server has heard it, after a reload too",
    async () => {
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      const isSignOut = ({ pathname }: URL) => pathname === "/api/sign-in";
      await page.route(isSignOut, (route) => route.abort());
      await page.getByRole("button", { name: "Sign out" }).click();
      const unheard = page.getByText("The server has not heard yet that you sign out.");
      await unheard.waitFor();
      await expectAccessible(page);
      await page.reload();
      await unheard.waitFor();
      expectEqual(
        [await page.getByRole("navigation").count(), (await context.cookies()).length],
        [0, 1],
      );
      await page.getByRole("button", { name: "Sign out again" }).waitFor();
      await page.unroute(isSignOut);
      await page.getByRole("button", { name: "Sign in with a passkey" }).waitFor();
      expectEqual(await context.cookies(), []);
      expectEqual(await page.evaluate(`"caseload-signing-out" in localStorage`), false);
    },
  );

  await check("an invitation that is no longer valid says so to whoever is signed in", async () => {
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await page.evaluate(`location.hash = "#/invitation/${ORGANIZATION}.0000000000000000"`);
    await page.getByText("This invitation is no longer valid").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).waitFor();
  });

  await check("access that is revoked ends what the person is doing", async () => {
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    const { key } = (await requestAs(page, "me")) as { key: { userId: string } };
    const revoke = ["access", "revoke", key.userId, "--organization", ORGANIZATION];
    await runProgram(revoke, { cwd: practice.folder });
    // The page may have asked for something by itself, and be gone.
    const people = page.getByRole("link", { name: "People" });
    await people.click({ timeout: 2_000 }).catch(() => {});
    await page.getByText("Sign-in has ended").waitFor();
    await page.evaluate(`PublicKeyCredential.signalUnknownCredential = async (passkey) => {
      document.title = Object.keys(passkey) + " of " + passkey.rpId;
    }`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("Passkey not accepted").waitFor();
    // The browser need not offer it any more.
    expectEqual(await page.title(), "rpId,credentialId of localhost");
  });

  await check(
    "a refusal for anything but an unknown passkey lets the browser keep it",
    async () => {
      const [person] = (await people("CLINICIAN")) as [User];
      const link = await invite(practice, person.publicId, origin);
      const other = await newDevice(browser, origin, link);
      await register(other.page);
      await other.page.getByRole("button", { name: "Sign out" }).click();
      const again = other.page.getByRole("button", { name: "Sign in with a passkey" });
      await again.waitFor();
      await other.page.evaluate(`window.forgotten = 0;
      PublicKeyCredential.signalUnknownCredential = async () => { window.forgotten += 1; };`);
      // On leave.
      const { publicId } = person;
      await writeRecord(practice, ORGANIZATION, { type: "user", publicId, isActive: false });
      await again.click();
      await other.page.getByText("Passkey not accepted").waitFor();
      expectEqual(await other.page.evaluate("window.forgotten"), 0);
      await writeRecord(practice, ORGANIZATION, { type: "user", publicId, isActive: true });
      await again.click();
      await other.page.getByRole("button", { name: "Sign out" }).waitFor();
      await other.context.close();
    },
  );

  await check(
    "a password manager registers without the browser's own JSON, or with half of it",
    async () => {
      const halves = ["undefined", "() => ({})", "() => ({ response: { clientDataJSON: null } })"];
      for (const toJSON of halves) {
        const other = await newDevice(browser, origin);
        await other.page.evaluate(`for (const act of ["create", "get"]) {
        const real = navigator.credentials[act].bind(navigator.credentials);
        navigator.credentials[act] = async (options) => {
          const { id, response } = await real(options);
          const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = response;
          const fields = { clientDataJSON, attestationObject, authenticatorData, signature, userHandle };
          return { id, response: fields, toJSON: ${toJSON} };
        };
      }`);
        const link = await invite(practice, technician.publicId, origin);
        await other.page.evaluate(`location.hash = "${link}"`);
        await register(other.page);
        await other.page.getByRole("button", { name: "Sign out" }).click();
        await other.page.getByRole("button", { name: "Sign in with a passkey" }).click();
        await other.page.getByRole("button", { name: "Sign out" }).waitFor();
        await other.context.close();
      }
    },
  );

  await check(
    "a browser that keeps no cookie is told so, and the invitation is not used",
    async () => {
      const link = await invite(practice, technician.publicId, origin);
      const other = await newDevice(browser, origin);
      await other.page.addInitScript(`Object.defineProperty(document, "cookie", {
      get: () => "", set: () => {}, configurable: true })`);
      await other.page.goto(`${origin}/?${Date.now()}${link}`);
      await other.page.getByText("Your invitation is not used yet.").waitFor();
      await other.page.getByLabel("API key").waitFor();
      await expectAccessible(other.page);
      await other.context.close();
      const kept = await newDevice(browser, origin, link);
      await register(kept.page);
      await kept.context.close();
    },
  );

  await check("a cancelled dialog, and no passkey at all, are told", async () => {
    const other = await newDevice(browser, origin);
    await other.client.send("WebAuthn.setUserVerified", {
      authenticatorId: other.authenticatorId,
      isUserVerified: false,
    });
    await other.page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await other.page.getByText("No passkey was used").waitFor();
    await other.context.close();
  });

  await check("another page of this machine cannot use the cookie", async () => {
    const link = await invite(practice, technician.publicId, origin);
    const other = await newDevice(browser, origin, link);
    await register(other.page);
    const sister = Bun.serve({
      port: 0,
      fetch: () => new Response("<p>sister", { headers: { "Content-Type": "text/html" } }),
    });
    const tab = await other.context.newPage();
    await tab.goto(`http://localhost:${sister.port}/`);
    // The same site, so the browser sends the cookie; only its word that the page is another keeps it from counting.
    const statuses = await tab.evaluate(`Promise.all(["api/v1/me", "api/sign-in"].map((path) =>
      fetch("${origin}/" + path, { mode: "no-cors", credentials: "include", method: "POST" })
        .then(({ type }) => type)))`);
    expectEqual(statuses, ["opaque", "opaque"]);
    const me = (await requestAs(other.page, "me")) as { key: { userId: string } };
    expectEqual(me.key.userId, technician.publicId);
    await sister.stop(true);
    await other.context.close();
  });

  await context.close();
}
