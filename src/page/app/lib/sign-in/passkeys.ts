import type { SignInOptions } from "../../../../sign-in/model.ts";
import { responseOf } from "../base/api.ts";
import { serverClock } from "../base/server-clock.ts";
import { Failure } from "../base/failure.ts";

/** Registering and using passkeys, and signing out: the browser's part of it, and the server's operations. */

export type { SignInOptions };

/** The reason of a refusal that the server has no such passkey. */
const UNKNOWN = "unknown_passkey";

/** Within this time of a use, a passkey can be registered without another one; in milliseconds, with a margin. */
const FRESH_TIME = 4 * 60_000;

/** When a passkey was last used in this tab. */
let lastUse = Number.NEGATIVE_INFINITY;

/** Whether the person must use their passkey again before they may register another one. */
export function isUseDue(): boolean {
  return serverClock.now() - lastUse > FRESH_TIME;
}

/** Whether the browser has passkeys at this address, and reads what the server says of them. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === "function" &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential
  );
}

/** Whether the browser keeps the cookie of a sign-in: some keep no secure one at `http://localhost`. */
export function keepsSignIn(): boolean {
  const probe = "__Host-caseload-probe=1";
  const attributes = "Path=/; Secure; SameSite=Strict";
  document.cookie = `${probe}; ${attributes}`;
  const isKept = document.cookie.split("; ").includes(probe);
  document.cookie = `${probe}; ${attributes}; Max-Age=0`;
  return isKept;
}

/** @param person whom this tab believes to be signed in, if anybody, with their practice. */
export function askOptions({
  invitation,
  person,
}: { invitation?: string | undefined; person?: string | undefined } = {}): Promise<SignInOptions> {
  return send("/options", { invitation }, person);
}

/**
 * Signs in with a passkey. The server replaces the browser's cookie.
 *
 * @throws Failure if no passkey is used, or the server refuses it.
 */
export async function useOwnPasskey(options: SignInOptions["get"]): Promise<{ userId: string }> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await ceremony(() => navigator.credentials.get({ publicKey }));
  try {
    const signedIn = await send<{ userId: string }>("", {
      credential: jsonOf(credential, USED),
    });
    lastUse = serverClock.now();
    return signedIn;
  } catch (error) {
    if (error instanceof Failure && error.reason === UNKNOWN)
      await forget({ rpId: options.rpId, credentialId: credential.id });
    throw error;
  }
}

/**
 * Registers a passkey on this device. With an invitation, this also signs its person in.
 *
 * @throws Failure if none is made, or the server refuses it.
 */
export async function registerPasskey(
  options: NonNullable<SignInOptions["create"]>,
  rest: { name: string; invitation?: string | undefined; person?: string | undefined },
): Promise<void> {
  const { name, invitation, person } = rest;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await ceremony(() => navigator.credentials.create({ publicKey }));
  await send("/passkey", { invitation, name, credential: jsonOf(credential, MADE) }, person);
  if (invitation !== undefined) lastUse = serverClock.now();
}

/** Ends the browser's sign-in, in all its tabs. */
export async function endSignIn(): Promise<void> {
  lastUse = Number.NEGATIVE_INFINITY;
  await responseOf("api/sign-in", { method: "DELETE" });
}

/** A guess at what a person calls this device. */
export function deviceName(): string {
  const { userAgent } = navigator;
  const systems = ["iPhone", "iPad", "Android", "Windows", "Mac", "CrOS", "Linux"] as const;
  const name = systems.find((each) => userAgent.includes(each));
  return name === "CrOS" ? "Chromebook" : (name ?? "My device");
}

function send<Body>(path: string, body: object, person?: string): Promise<Body> {
  const headers = {
    "Content-Type": "application/json",
    ...(person !== undefined && { "Caseload-User": person }),
  };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  return responseOf(`api/sign-in${path}`, request) as Promise<Body>;
}

/** Runs the browser's dialog. @throws Failure in place of its exceptions, which do not tell much on purpose. */
async function ceremony(run: () => Promise<Credential | null>) {
  try {
    const credential = await run();
    if (credential !== null) return credential as PublicKeyCredential;
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "InvalidStateError")
      throw new Failure("This device already has a passkey of yours: sign in with that.");
    if (name === "SecurityError") throw new Failure("Passkeys do not work at this address.");
  }
  throw new Failure("No passkey was used. Try again when you are ready.");
}

/** Tells the browser that a passkey is unknown here, so that it is no longer offered. */
async function forget(unknown: { rpId: string; credentialId: string }): Promise<void> {
  const { signalUnknownCredential } = PublicKeyCredential as {
    signalUnknownCredential?: (passkey: typeof unknown) => Promise<void>;
  };
  await signalUnknownCredential?.call(PublicKeyCredential, unknown).catch(() => {});
}

/** What the server reads of a response. */
const MADE = ["clientDataJSON", "attestationObject"];
const USED = ["clientDataJSON", "authenticatorData", "signature"];

/**
 * A credential as JSON: by the browser's own where it is there and whole, as not every password manager has it; else
 * from the fields.
 */
function jsonOf(credential: PublicKeyCredential, needed: readonly string[]) {
  const { id, response: fields } = credential;
  const own = ownJson(credential);
  const read = (name: string): [string, string] => {
    const text = own?.[name];
    const isWhole = typeof text === "string" && /^[\w-]+$/.test(text);
    return [name, isWhole ? text : textOf(fields[name as keyof typeof fields])];
  };
  const parts = [...needed, "userHandle"].map(read).filter(([, text]) => text !== "");
  return { id, response: Object.fromEntries(parts) };
}

function ownJson(credential: PublicKeyCredential): Record<string, unknown> | undefined {
  try {
    return { ...credential.toJSON().response };
  } catch {
    return undefined;
  }
}

function textOf(buffer: ArrayBuffer | null | undefined): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer ?? []));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
