import { expect } from "bun:test";
import type { Database } from "../../../db/database.ts";
import type { Role } from "../../../src/callers/roles.ts";
import { newToken } from "../../../src/callers/tokens.ts";
import type { Instant } from "../../../src/lib/instant.ts";
import { plant } from "../canaries.ts";
import { insert, newPasskeyRow, newUser } from "../factories.ts";
import { type Answer, type CallOptions, NOW, ORIGIN, type TestService } from "../harness.ts";
import {
  type CreateOptions,
  type GetOptions,
  type Said,
  SoftwarePasskey,
} from "./authenticator.ts";

/** What a browser gets to know before a ceremony. */
export interface Options {
  signIn: "NONE" | "LOCKED" | "ACTIVE";
  get: GetOptions & { allowCredentials: { id: string }[] };
  create?: CreateOptions & { excludeCredentials: { id: string }[]; user: { displayName: string } };
}

/** The page in a browser: it keeps the cookie, and sends the headers that a browser does. */
export class PageBrowser {
  /** The pair of name and value; undefined without a cookie. */
  cookie: string | undefined;

  constructor(
    readonly service: TestService,
    readonly headers: Record<string, string> = { "Sec-Fetch-Site": "same-origin" },
  ) {}

  async call(line: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await this.service.call(line, {
      ...options,
      headers: {
        ...this.headers,
        ...(this.cookie !== undefined && { Cookie: this.cookie }),
        ...options.headers,
      },
    });
    const [set] = answer.headers.getSetCookie();
    if (set !== undefined) {
      this.cookie = set.includes("Max-Age=0") ? undefined : set.split(";")[0];
      // No token may stand in a log entry.
      if (this.cookie !== undefined)
        plant(this.service.database, [this.cookie.split(".").at(-1) ?? ""]);
    }
    return answer;
  }

  async options(invitation?: string): Promise<Options> {
    const { status, body } = await this.call("POST /api/sign-in/options", {
      json: { ...(invitation !== undefined && { invitation }) },
    });
    expect(status).toBe(200);
    return body as Options;
  }

  /** Registers a passkey, by an invitation or as the person signed in. */
  async register(passkey: SoftwarePasskey, invitation?: string, said?: Said): Promise<Answer> {
    const { create } = await this.options(invitation);
    if (create === undefined) throw new Error("There is nothing to register for");
    const credential = passkey.register(create, said);
    return this.call("POST /api/sign-in/passkey", {
      json: { ...(invitation !== undefined && { invitation }), name: "Laptop", credential },
    });
  }

  async signIn(passkey: SoftwarePasskey, said?: Said): Promise<Answer> {
    const { get } = await this.options();
    return this.call("POST /api/sign-in", { json: { credential: passkey.use(get, said) } });
  }
}

/** Invites a person with a key of an administrator. @returns the token of the link. */
export async function invitation(service: TestService, key: string, userId: string) {
  const { status, body } = await service.call(`POST /api/v1/users/${userId}/invitation`, { key });
  expect(status).toBe(201);
  const { url } = body as { url: string };
  const [, token = ""] = url.split(`${ORIGIN}/#/invitation/`);
  plant(service.database, [token.split(".").at(-1) ?? ""]);
  return token;
}

/** A person who has registered a passkey by an invitation, in the browser with which they did. */
export async function signedInPerson(service: TestService, key: string, userId: string) {
  const browser = new PageBrowser(service);
  const passkey = new SoftwarePasskey(ORIGIN);
  const answer = await browser.register(passkey, await invitation(service, key, userId));
  expect(answer.status).toBe(201);
  return { browser, passkey, passkeyId: (answer.body as { id: string }).id };
}

let count = 0;

/** A person of a role, signed in without a ceremony. @returns the headers of the browser's requests. */
export async function newSignIn(
  database: Database,
  organization_id: string,
  role: Role = "ADMIN",
): Promise<{ userId: string; headers: Record<string, string> }> {
  count += 1;
  const now = NOW as Instant;
  const user_id = await newUser(database, organization_id, { role });
  const owned = { organization_id, user_id, created_at: now };
  await insert(database, "passkeys", newPasskeyRow(organization_id, user_id, `passkey_${count}`));
  const { token, hash } = newToken(organization_id);
  await insert(database, "sign_ins", {
    ...owned,
    ...{ id: `signin_${count}`, passkey_id: `passkey_${count}`, hash },
    ...{ challenge: `challenge_${count}`, last_used_at: now, ended_at: null },
    expires_at: "2026-03-12T03:00:00.000Z" as Instant,
  });
  return {
    userId: user_id,
    headers: { "Sec-Fetch-Site": "same-origin", Cookie: `__Host-caseload=${token}` },
  };
}
