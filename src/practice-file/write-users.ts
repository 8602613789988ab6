import { isClinician, type Role } from "../callers/roles.ts";
import { emailKey } from "../lib/email.ts";
import { findFacts } from "./named-records.ts";
import { pieces } from "../lib/pieces.ts";
import type { RecordLine } from "./read-record.ts";
import { findEmailHolders, releaseEmails } from "./repository.ts";
import { writeRecords } from "./write-records.ts";
import { refuse, type ImportState } from "./import-state.ts";

/**
 * Writes the users of a file. They refer to each other, and email addresses are unique, so roles and email addresses are
 * judged on the whole file before the first user is written.
 */
export async function writeUsers(
  state: ImportState,
  entries: readonly RecordLine[],
): Promise<void> {
  const roles = await rolesOf(state, entries);
  // Users are checked against the roles that the file gives those to whom they refer.
  state.facts.set("user", new Map([...roles].map(([id, role]) => [id, { role }])));
  await claimEmails(state, entries);
  const ranks = Map.groupBy(entries, ({ publicId }) => rankOf(roles.get(publicId)));
  for (const rank of [0, 1, 2] as const) await writeRecords(state, "user", ranks.get(rank) ?? []);
}

/** Groups of users, each after those it refers to: technicians, caregivers and administrators refer to nobody. */
function rankOf(role: Role | undefined): 0 | 1 | 2 {
  if (role === "PATIENT") return 2;
  return role !== undefined && isClinician(role) ? 1 : 0;
}

/** The resulting role of each user in the file. Lines without a role concern existing users, whose role is looked up. */
async function rolesOf(
  state: ImportState,
  entries: readonly RecordLine[],
): Promise<ReadonlyMap<string, Role | undefined>> {
  const roles = new Map<string, Role | undefined>();
  for (const piece of pieces(entries)) {
    const without = piece.filter(({ fields }) => fields.role === undefined);
    const stored = await findFacts(
      state,
      "user",
      without.map(({ publicId }) => publicId),
    );
    for (const { publicId, fields } of piece)
      roles.set(publicId, (fields.role ?? stored.get(publicId)?.role) as Role | undefined);
  }
  return roles;
}

/**
 * Takes email addresses that users of the file get from their current holders, unless these keep them. Holders who get
 * another address, or are deleted, have none until then.
 */
async function claimEmails(state: ImportState, entries: readonly RecordLine[]): Promise<void> {
  const { trx, organizationId } = state;
  const claims = emailClaims(state, entries);
  for (const keys of pieces([...claims.keys()])) {
    const released: string[] = [];
    for (const { public_id: holder, email_key } of await findEmailHolders(
      trx,
      organizationId,
      keys,
    )) {
      const entry = claims.get(email_key ?? "") as RecordLine;
      if (entry.publicId === holder) continue;
      if (givesEmailUp(state, holder)) released.push(holder);
      else
        refuse(state, entry, {
          path: ["email"],
          message: "is already the email of",
          reason: "duplicate",
          detail: ` ${holder}`,
          value: entry.fields.email,
        });
    }
    if (released.length > 0) await releaseEmails(trx, organizationId, released);
  }
}

/** The lines that give an email address, by its key. */
function emailClaims(
  state: ImportState,
  entries: readonly RecordLine[],
): ReadonlyMap<string, RecordLine> {
  const claims = new Map<string, RecordLine>();
  for (const entry of entries) {
    const { email } = entry.fields;
    const isBad = entry.problems.some(({ path }) => path[0] === "email");
    if (typeof email !== "string" || isBad) continue;
    const key = emailKey(email.trim());
    if (key === "") continue;
    const other = claims.get(key);
    if (other === undefined) claims.set(key, entry);
    else
      refuse(state, entry, {
        path: ["email"],
        message: "is also the email of",
        reason: "duplicate",
        detail: ` ${other.publicId} on`,
        otherLine: other.line,
        value: email,
      });
  }
  return claims;
}

/** Whether a user is deleted by the import, or has a line with another email address or none. */
function givesEmailUp({ file, options }: ImportState, userId: string): boolean {
  if (file.deletions.get("user")?.has(userId) === true) return true;
  const line = file.records.get("user")?.get(userId);
  if (line === undefined) return options.deleteMissing?.includes("user") === true;
  return line.fields.email !== undefined || line.nulls.includes("email");
}
