import { createHash, randomBytes } from "node:crypto";
import { type Database, type Db, NO_ORGANIZATION } from "../../db/database.ts";
import { fromBit, type PasskeyRow, toBit } from "../../db/schema.ts";
import type { Actor } from "../callers/actor.ts";
import { endSignIn } from "../callers/sign-in-repository.ts";
import { findSignIn, maySignIn, type SignIn } from "../callers/sign-ins.ts";
import { newToken, readToken } from "../callers/tokens.ts";
import { compare } from "../lib/compare.ts";
import { DomainError } from "../lib/errors.ts";
import { newPublicId } from "../lib/ids.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { CHALLENGE_TIME, isValidChallenge, newChallenge } from "./challenge.ts";
import type {
  CredentialName,
  Passkey,
  RegistrationBody,
  SignInBody,
  SignInOptions,
} from "./model.ts";
import { presentPasskey } from "./present.ts";
import {
  deleteEndedSignIns,
  deleteInvitation,
  endSignIns,
  findInvitation,
  findPasskey,
  findPerson,
  findSecret,
  insertPasskey,
  insertSecret,
  insertSignIn,
  isChallengeUsed,
  listPasskeys,
  listSignIns,
  type PersonRow,
  setPasskeyUsed,
} from "./repository.ts";
import {
  algorithms,
  type Expected,
  isCountAhead,
  type RegisteredPasskey,
  verifyRegistration,
  verifyUse,
} from "./webauthn.ts";

/** How people register passkeys and sign in with them. */

/** How long after a use of a passkey the person may register another one, in milliseconds. */
const REGISTRATION_TIME = 5 * 60_000;

/** How long a sign-in lasts, in seconds. */
export const SIGN_IN_SECONDS = 12 * 60 * 60;

const MAX_PASSKEYS = 20;

/** Valid sign-ins of a person. */
const MAX_SIGN_INS = 20;

/** How long after its sign-in ended a challenge is kept, so that it counts for no other, in milliseconds. */
const CHALLENGE_KEPT = 2 * CHALLENGE_TIME;

const CHALLENGES = "challenges";

const NOT_ACCEPTED = "Passkey not accepted";

/** A refusal to sign in or to register (401). */
export class Refusal extends Error {
  constructor(
    message: string,
    /** Whether it counts as a failed authentication of the address. */
    readonly isFailedAuthentication: boolean,
    /** The known passkey whose use is refused. */
    readonly passkey?: Actor,
    /** That there is no such passkey, which browsers then need not offer any more. */
    readonly reason?: "unknown_passkey",
  ) {
    super(message);
  }
}

/** What every operation needs to know. */
export interface Context {
  now: Instant;
  /** Where browsers open the page; its host is the RP id. */
  origin: string;
  /** The secret of the challenges. */
  secret: string;
  /** The token of the browser's sign-in, if it has one. */
  token: string | undefined;
}

/** Somebody who may sign in. */
interface Person {
  organizationId: string;
  userId: string;
  role: string;
  name: string;
}

/** A new sign-in, with the token that is not stored. */
export interface NewSignIn {
  actor: Actor & { userId: string };
  token: string;
  expiresAt: Instant;
}

/** The secret of the database's challenges, made on first use. */
export async function challengeSecret(database: Database): Promise<string> {
  const stored = await database.read((db) => findSecret(db, CHALLENGES));
  if (stored !== undefined) return stored;
  const secret = randomBytes(32).toString("base64url");
  return database.write(async (trx) => {
    await insertSecret(trx, CHALLENGES, secret);
    return (await findSecret(trx, CHALLENGES)) ?? secret;
  }, NO_ORGANIZATION);
}

/** @throws Refusal for an invitation that is not valid. */
export async function signInOptions(
  db: Db,
  invitation: string | undefined,
  context: Context,
): Promise<SignInOptions> {
  const signIn = await signInOf(db, context);
  const state = signIn === undefined ? "NONE" : signIn.isLocked ? "LOCKED" : "ACTIVE";
  const invited = invitation === undefined ? undefined : await invitee(db, invitation, context);
  const registering = invited ?? (state === "ACTIVE" ? signIn && holderOf(signIn) : undefined);
  const common = {
    challenge: newChallenge(context.secret, epochMilliseconds(context.now)),
    timeout: CHALLENGE_TIME,
  };
  const host = hostOf(context);
  return {
    signIn: state,
    get: {
      ...common,
      rpId: host,
      // Whose passkeys these are is told only to a browser on which the person is signed in.
      allowCredentials:
        state === "LOCKED" && signIn ? await credentialsOf(db, holderOf(signIn)) : [],
      userVerification: "required",
    },
    ...(registering !== undefined && {
      create: {
        ...common,
        rp: { id: host, name: "Caseload" },
        user: {
          id: userHandleOf(registering),
          name: registering.name,
          displayName: registering.name,
        },
        pubKeyCredParams: Object.values(algorithms).map((alg) => ({ type: "public-key", alg })),
        // An authenticator would overwrite its passkey for the same host and person.
        excludeCredentials: await credentialsOf(db, registering),
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        },
        attestation: "none",
      },
    }),
  };
}

/**
 * Checks a registration before its write.
 *
 * @throws Refusal if nobody may register a passkey so, DomainError if the passkey cannot be registered.
 */
export async function checkRegistration(
  db: Db,
  { invitation, credential }: RegistrationBody,
  context: Context,
): Promise<{ person: Person; registered: RegisteredPasskey }> {
  const person = await registrant(db, invitation, context);
  const registered = await verifyRegistration(credential, expectedOf(context));
  if (registered === undefined) throw notRegistrable();
  return { person, registered };
}

/**
 * Registers a checked passkey. With an invitation, this also uses it up and signs its person in.
 *
 * @throws as `checkRegistration`, if something has changed meanwhile; DomainError for too many passkeys.
 */
export async function register(
  trx: Db,
  { invitation, name }: RegistrationBody,
  registered: RegisteredPasskey,
  context: Context,
): Promise<{ passkey: Passkey; actor: Actor; signIn: NewSignIn | undefined }> {
  const { now } = context;
  const { actor, ...person } = await registrant(trx, invitation, context);
  const { organizationId, userId } = person;
  if ((await listPasskeys(trx, organizationId, [userId])).length >= MAX_PASSKEYS)
    throw new DomainError("conflict", "Too many passkeys");
  const row: PasskeyRow = {
    organization_id: organizationId,
    user_id: userId,
    id: newPublicId("passkey_", epochMilliseconds(now)),
    credential_id: registered.credentialId,
    public_key: registered.publicKey,
    host: hostOf(context),
    name,
    is_synced: toBit(registered.isSynced),
    signature_count: registered.signatureCount,
    created_at: now,
    last_used_at: null,
  };
  if (!(await insertPasskey(trx, row))) throw notRegistrable();
  const passkey = presentPasskey(row);
  if (actor !== undefined) return { passkey, actor, signIn: undefined };
  await deleteInvitation(trx, organizationId, userId);
  const signIn = await beginSignIn(trx, person, { passkeyId: row.id, ...registered }, context);
  if (signIn === undefined) throw notRegistrable();
  return { passkey, actor: signIn.actor, signIn };
}

/** A use of a passkey that was checked before its write. */
export interface CheckedUse {
  credentialId: string;
  organizationId: string;
  userId: string;
  challenge: string;
  signatureCount: number;
}

/**
 * Checks a use of a passkey before its write, so that a wrong one neither waits for the database's lock nor holds it.
 *
 * @throws Refusal
 */
export async function checkUse(
  db: Db,
  { credential }: SignInBody,
  context: Context,
): Promise<CheckedUse> {
  const { row, person, refusal } = await passkeyOf(db, credential.id);
  const passkey = {
    publicKey: row.public_key,
    isSynced: fromBit(row.is_synced),
    signatureCount: row.signature_count,
    userHandle: userHandleOf(person),
  };
  const expected = expectedOf(context);
  const use =
    row.host === expected.host ? await verifyUse(credential, passkey, expected) : undefined;
  const { organizationId, userId } = person;
  // A repeated use is refused here, too, so that it does not count as accepted.
  if (use === undefined || (await isChallengeUsed(db, organizationId, use.challenge)))
    throw refusal;
  return { credentialId: credential.id, organizationId, userId, ...use };
}

/**
 * Signs in with a checked use of a passkey, and ends the browser's former sign-in. What may have changed meanwhile is
 * checked again: challenge, counter and person.
 *
 * @throws Refusal
 */
export async function signIn(trx: Db, use: CheckedUse, context: Context): Promise<NewSignIn> {
  const { row, person, refusal } = await passkeyOf(trx, use.credentialId);
  if (!isCountAhead(use.signatureCount, row.signature_count)) throw refusal;
  const begun = await beginSignIn(trx, person, { passkeyId: row.id, ...use }, context);
  if (begun === undefined) throw refusal;
  await setPasskeyUsed(trx, row, { ...use, usedAt: context.now });
  return begun;
}

/**
 * The passkey of a credential id and its person, and the refusal of a use of it.
 *
 * @throws Refusal if there is none, or its person may not sign in.
 */
async function passkeyOf(db: Db, credentialId: string) {
  const row = await findPasskey(db, credentialId);
  const user = row && (await findPerson(db, row.organization_id, row.user_id));
  if (row === undefined || user === undefined)
    throw new Refusal(NOT_ACCEPTED, true, undefined, "unknown_passkey");
  const person = personOf(row.organization_id, user);
  const refusal = new Refusal(NOT_ACCEPTED, true, { ...person, keyId: row.id });
  if (!maySignIn(user)) throw refusal;
  return { row, person, refusal };
}

/** Stores a new sign-in in place of the browser's former one; undefined if its challenge has made one before. */
async function beginSignIn(
  trx: Db,
  { organizationId, userId, role }: Person,
  { passkeyId, challenge }: { passkeyId: string; challenge: string },
  { now, token: former }: Context,
): Promise<NewSignIn | undefined> {
  const at = epochMilliseconds(now);
  const id = newPublicId("signin_", at);
  const expiresAt = toInstant(at + SIGN_IN_SECONDS * 1000);
  const { token, hash } = newToken(organizationId);
  const isNew = await insertSignIn(trx, {
    organization_id: organizationId,
    user_id: userId,
    id,
    passkey_id: passkeyId,
    hash,
    challenge,
    created_at: now,
    last_used_at: now,
    expires_at: expiresAt,
    ended_at: null,
  });
  if (!isNew) return undefined;
  const ended = former === undefined ? undefined : readToken(former);
  if (ended !== undefined) await endSignIn(trx, ended, now);
  await endLeastUsed(trx, organizationId, userId, now);
  return { actor: { organizationId, keyId: id, userId, role }, token, expiresAt };
}

/** Ends the sign-ins of a person that were used least recently, and deletes those whose challenge is no longer valid. */
async function endLeastUsed(
  trx: Db,
  organizationId: string,
  userId: string,
  now: Instant,
): Promise<void> {
  const valid = await listSignIns(trx, organizationId, { userIds: [userId], now });
  const byUse = valid.toSorted(
    (a, b) => compare(b.last_used_at, a.last_used_at) || compare(b.id, a.id),
  );
  const ids = byUse.slice(MAX_SIGN_INS).map(({ id }) => id);
  if (ids.length > 0) await endSignIns(trx, organizationId, ids, now);
  const createdBefore = toInstant(epochMilliseconds(now) - CHALLENGE_KEPT);
  await deleteEndedSignIns(trx, organizationId, { userId, createdBefore });
}

/**
 * Who may register a passkey: the person of the invitation, or else the person signed in, if they have used a passkey
 * within five minutes; then also the sign-in.
 */
async function registrant(
  db: Db,
  invitation: string | undefined,
  context: Context,
): Promise<Person & { actor?: Actor }> {
  if (invitation !== undefined) return invitee(db, invitation, context);
  const signIn = await signInOf(db, context);
  const earliest = toInstant(epochMilliseconds(context.now) - REGISTRATION_TIME);
  // An open laptop must be no way in for ever.
  if (signIn === undefined || signIn.isLocked || signIn.createdAt <= earliest)
    throw new Refusal("Use your passkey again first", false);
  return { ...holderOf(signIn), actor: signIn.caller };
}

async function invitee(db: Db, token: string, { now }: Context): Promise<Person> {
  const refusal = new Refusal("This invitation is no longer valid", true);
  const stored = readToken(token);
  const invitation = stored && (await findInvitation(db, stored));
  if (stored === undefined || invitation === undefined) throw refusal;
  const { organizationId } = stored;
  const person = await findPerson(db, organizationId, invitation.user_id);
  if (invitation.expires_at <= now || person === undefined || !maySignIn(person)) throw refusal;
  return personOf(organizationId, person);
}

async function signInOf(db: Db, { token, now }: Context): Promise<SignIn | undefined> {
  return token === undefined ? undefined : findSignIn(db, token, now);
}

function holderOf({ caller }: SignIn): Person {
  const { organizationId, userId, role, keyName } = caller;
  return { organizationId, userId, role, name: keyName };
}

function personOf(organizationId: string, row: PersonRow): Person {
  const name = `${row.first_name} ${row.last_name}`;
  return { organizationId, userId: row.public_id, role: row.role, name };
}

async function credentialsOf(
  db: Db,
  { organizationId, userId }: Person,
): Promise<CredentialName[]> {
  const passkeys = await listPasskeys(db, organizationId, [userId]);
  return passkeys.map(({ credential_id }) => ({ type: "public-key", id: credential_id }));
}

/** What an authenticator keeps instead of the person's id. */
function userHandleOf({ organizationId, userId }: Person): string {
  return createHash("sha256").update(`${organizationId}.${userId}`).digest("base64url");
}

function expectedOf({ origin, secret, now }: Context): Expected {
  return {
    origin,
    host: hostOf({ origin }),
    isChallenge: (challenge) => isValidChallenge(challenge, secret, epochMilliseconds(now)),
  };
}

function hostOf({ origin }: Pick<Context, "origin">): string {
  return new URL(origin).hostname;
}

function notRegistrable(): DomainError {
  return new DomainError("conflict", "This passkey cannot be registered");
}
