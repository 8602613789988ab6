import type { CredentialName, SignInOptions } from "../../../../sign-in/model.ts";
import { systemClock } from "../../../../lib/clock.ts";
import { responseOf } from "../base/api.ts";
import { Failure } from "../base/failure.ts";

/** Registering and using passkeys, and signing out: the browser's part of it, and the server's operations. */

export type { SignInOptions };

/** The refusal of a passkey that the server does not know, among others. */
const NOT_ACCEPTED = "Passkey not accepted";

/** Within this time of a use, a passkey can be registered without another one; in milliseconds, with a margin. */
const FRESH_TIME = 4 * 60_000;

/** When a passkey was last used in this tab. */
let lastUse = Number.NEGATIVE_INFINITY;

/** Whether the person must use their passkey again before they may register another one. */
export function isUseDue(): boolean {
  return systemClock.now() - lastUse > FRESH_TIME;
}

/** Whether the browser has passkeys at this address. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

/** @param userId the person whom this tab believes to be signed in, if any. */
export function askOptions({
  invitation,
  userId,
}: { invitation?: string | undefined; userId?: string | undefined } = {}): Promise<SignInOptions> {
  return send("/options", { invitation }, userId);
}

/**
 * Signs in with a passkey. The server replaces the browser's cookie.
 *
 * @throws Failure if no passkey is used, or the server refuses it.
 */
export async function useOwnPasskey(options: SignInOptions["get"]): Promise<{ userId: string }> {
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    allowCredentials: options.allowCredentials.map(descriptorOf),
  };
  const credential = await ceremony(() => navigator.credentials.get({ publicKey }));
  const response = credential.response as AuthenticatorAssertionResponse;
  const { userHandle } = response;
  try {
    const signedIn = await send<{ userId: string }>("", {
      credential: {
        id: credential.id,
        response: {
          clientDataJSON: textOf(response.clientDataJSON),
          authenticatorData: textOf(response.authenticatorData),
          signature: textOf(response.signature),
          ...(userHandle?.byteLength && { userHandle: textOf(userHandle) }),
        },
      },
    });
    lastUse = systemClock.now();
    return signedIn;
  } catch (error) {
    if (error instanceof Failure && error.message === NOT_ACCEPTED)
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
  rest: { name: string; invitation?: string | undefined; userId?: string | undefined },
): Promise<void> {
  const { name, invitation, userId } = rest;
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: options.excludeCredentials.map(descriptorOf),
  };
  const credential = await ceremony(() => navigator.credentials.create({ publicKey }));
  const response = credential.response as AuthenticatorAttestationResponse;
  const key = response.getPublicKey();
  if (key === null) throw new Failure("This device makes passkeys of a kind that cannot be used.");
  await send(
    "/passkey",
    {
      invitation,
      name,
      credential: {
        id: credential.id,
        response: {
          clientDataJSON: textOf(response.clientDataJSON),
          authenticatorData: textOf(response.getAuthenticatorData()),
          publicKey: textOf(key),
          publicKeyAlgorithm: response.getPublicKeyAlgorithm(),
        },
      },
    },
    userId,
  );
  if (invitation !== undefined) lastUse = systemClock.now();
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

function send<Body>(path: string, body: object, userId?: string): Promise<Body> {
  const headers = {
    "Content-Type": "application/json",
    ...(userId !== undefined && { "Caseload-User": userId }),
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

function descriptorOf({ type, id }: CredentialName) {
  return { type, id: bytesOf(id) };
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function textOf(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
