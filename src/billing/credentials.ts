import type { Instant } from "../lib/instant.ts";
import type { StoredCredential } from "../users/stored-entries.ts";

/** A credential of a provider. */
export type Credential = Pick<StoredCredential, "credentialType" | "expiresAt">;

/** The first of a provider's credentials, in the order of their record, that has not ended at a time. */
export function credentialAt(
  credentials: readonly Credential[],
  time: Instant,
): Credential | undefined {
  return credentials.find(({ expiresAt }) => expiresAt > time);
}

/**
 * Leaves out those that end no later than one before them, and so are never the first that has not ended. The last of the
 * others ends last of all.
 */
export function lastingLonger<One extends Credential>(credentials: readonly One[]): One[] {
  const longest: One[] = [];
  for (const one of credentials)
    if (one.expiresAt > (longest.at(-1)?.expiresAt ?? "")) longest.push(one);
  return longest;
}
