import type { LineSubject, Problem } from "./problems.ts";
import {
  findBrokenBindings,
  findBrokenEncounters,
  findMisfitsOfChangedUsers,
  findUnfitUsers,
} from "./recheck-repository.ts";
import type { RecordType } from "./model.ts";
import type { ImportStatements } from "./repository.ts";
import { misfit, userReferences } from "./user-references.ts";

/** Something that was found wrong after the last line, and whose line it is. */
export interface LateProblem {
  line: number;
  subject: LineSubject;
  problem: Problem;
}

/**
 * What can only be checked after the last line: users that name users further down, and new versions of
 * records that other records, not in the file, rely on.
 */
export class Rechecks {
  readonly #roleChanges = new Map<string, number>();
  readonly #changedAuthorizations = new Map<string, number>();
  readonly #reboundSessions = new Map<string, number>();
  readonly #takenEmails = new Map<string, { line: number; by: string }>();
  readonly #releasedMembers = new Map<string, { line: number; pool: string }>();

  /** A user whom others may name has another role than before. */
  roleChanged(userId: string, line: number): void {
    this.#roleChanges.set(userId, line);
  }

  /** An authorization that sessions may be bound to has another patient or service line. */
  authorizationChanged(id: string, line: number): void {
    this.#changedAuthorizations.set(id, line);
  }

  /** A session that encounters may belong to is no longer bound to its authorization. */
  sessionRebound(id: string, line: number): void {
    this.#reboundSessions.set(id, line);
  }

  /** A user has been given the address of another, who must get another one. */
  emailTaken(from: string, taken: { line: number; by: string }): void {
    this.#takenEmails.set(from, taken);
  }

  /** Authorizations are out of their pool, which is now another patient's; they must follow or leave. */
  poolMembersReleased(authorizationIds: string[], released: { line: number; pool: string }): void {
    for (const id of authorizationIds) this.#releasedMembers.set(id, released);
  }

  /** The file has a line for the record: what was taken from it, that line says anew. */
  standsInFile(type: RecordType, id: string): void {
    if (type === "user") this.#takenEmails.delete(id);
    if (type === "authorization") this.#releasedMembers.delete(id);
  }

  async run(statements: ImportStatements): Promise<LateProblem[]> {
    return [
      ...(await this.#unfitUsers(statements)),
      ...(await this.#changedRoles(statements)),
      ...(await this.#brokenBindings(statements)),
      ...(await this.#brokenEncounters(statements)),
      ...this.#unsettled(),
    ];
  }

  async #unfitUsers(statements: ImportStatements): Promise<LateProblem[]> {
    const problems: LateProblem[] = [];
    for (const reference of userReferences.filter(({ type }) => type === "user"))
      for (const row of await findUnfitUsers(statements, reference)) {
        const message =
          row.role === null
            ? `No user ${row.user} stands in the file or the database`
            : misfit(row.user, row.role, reference.roles);
        if (message === undefined) continue;
        problems.push(late("user", row.owner, row.line, reference.field, message));
      }
    return problems;
  }

  async #changedRoles(statements: ImportStatements): Promise<LateProblem[]> {
    const ids = [...this.#roleChanges.keys()];
    if (ids.length === 0) return [];
    const problems: LateProblem[] = [];
    for (const reference of userReferences)
      for (const row of await findMisfitsOfChangedUsers(statements, reference, ids)) {
        const line = this.#roleChanges.get(row.user) ?? 0;
        const { type, field, roles } = reference;
        const message = `The ${type} ${row.owner} names this user as ${field}, which must have ${roles.join(" or ")}`;
        problems.push(late("user", row.user, line, "role", message));
      }
    return problems;
  }

  async #brokenBindings(statements: ImportStatements): Promise<LateProblem[]> {
    const ids = [...this.#changedAuthorizations.keys()];
    const rows = ids.length === 0 ? [] : await findBrokenBindings(statements, ids);
    return rows.map(({ authorization, session }) =>
      late(
        "authorization",
        authorization,
        this.#changedAuthorizations.get(authorization),
        "",
        `The session ${session} is bound to it, and has another client or service line`,
      ),
    );
  }

  async #brokenEncounters(statements: ImportStatements): Promise<LateProblem[]> {
    const ids = [...this.#reboundSessions.keys()];
    const rows = ids.length === 0 ? [] : await findBrokenEncounters(statements, ids);
    return rows.map(({ session, encounter }) =>
      late(
        "session",
        session,
        this.#reboundSessions.get(session),
        "authorizationId",
        `The encounter ${encounter} of this session is one of another authorization`,
      ),
    );
  }

  #unsettled(): LateProblem[] {
    return [
      ...[...this.#takenEmails].map(([from, { line, by }]) =>
        late("user", by, line, "email", `Is the email of ${from}, whom this file does not change`),
      ),
      ...[...this.#releasedMembers].map(([id, { line, pool }]) => {
        const message = `Its member ${id} is of another patient`;
        return late("authorizationPool", pool, line, "patientId", message);
      }),
    ];
  }
}

function late(
  type: RecordType,
  publicId: string,
  line: number | undefined,
  field: string,
  message: string,
): LateProblem {
  return { line: line ?? 0, subject: { type, publicId }, problem: { field, message } };
}
