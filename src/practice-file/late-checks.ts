import type { Database, Db } from "../../db/database.ts";
import type { Gathered } from "./gathered-repository.ts";
import type { KnownRecords } from "./known-records.ts";
import { findBrokenBindings, findBrokenEncounters, findMisfits } from "./repository.ts";
import type { RecordType } from "./model.ts";
import { type LineSubject, MAX_BAD_LINES, type Problem } from "./problems.ts";
import { misfit, OTHER_ROLE, type UserReference, userReferences } from "./user-references.ts";

/** Something that was found wrong after the last line, and whose line it is. */
export interface LateProblem {
  line: number;
  subject: LineSubject;
  problem: Problem;
}

const ofUsers = userReferences.filter(({ type }) => type === "user");

/** References that are looked at at once. */
const PAGE = 1_000;

/**
 * What can only be checked after the last line: users that name users further down, and new versions of
 * records that other records, not in the file, rely on.
 */
export class LateChecks {
  readonly #roleChanges = new Map<string, number>();
  readonly #changedAuthorizations = new Map<string, number>();
  readonly #reboundSessions = new Map<string, number>();
  readonly #changedPools = new Map<string, number>();

  constructor(private readonly gathered: Gathered) {}

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

  /** A pool is now another patient's; its members must follow or leave. */
  poolChanged(id: string, line: number): void {
    this.#changedPools.set(id, line);
  }

  /** Pools with other patients than before. */
  get changedPools(): string[] {
    return [...this.#changedPools.keys()];
  }

  /** Users whom a user names, and who may stand further down. */
  usersNamed(user: { publicId: string }, line: number): void {
    const references = ofUsers.flatMap(({ field }) => {
      const named = (user as Record<string, unknown>)[field] ?? [];
      const ids = new Set(Array.isArray(named) ? named : [named]);
      return [...ids].map((id) => ({ field, line, named: String(id), owner: user.publicId }));
    });
    this.gathered.addUserReferences(references);
  }

  /** Fields of users in the file that name nobody, or a user whose role does not fit. */
  async unfitUsers(known: KnownRecords, database: Database): Promise<LateProblem[]> {
    const problems: LateProblem[] = [];
    for (const reference of ofUsers)
      problems.push(...(await this.#unfitUsersIn(reference, known, database)));
    return problems;
  }

  async #unfitUsersIn(
    { field, roles }: UserReference,
    known: KnownRecords,
    database: Database,
  ): Promise<LateProblem[]> {
    const problems: LateProblem[] = [];
    let last = { line: 0, named: "" };
    while (problems.length < MAX_BAD_LINES) {
      const page = this.gathered.listUserReferences(field, last, PAGE);
      await known.rehearse(database, () => {
        for (const { named } of page) known.facts("user", named);
      });
      for (const { line, owner, named } of page) {
        if (known.isUnwritten("user", named)) continue;
        const role = known.facts("user", named)?.role;
        const message =
          role === undefined
            ? `No user ${named} stands in the file or the database`
            : misfit(named, role, roles);
        const kind = role === undefined ? "Names nobody in the file or the database" : OTHER_ROLE;
        if (message !== undefined)
          problems.push(late("user", owner, line, { path: [field], message, kind }));
      }
      if (page.length < PAGE) break;
      last = page.at(-1) ?? last;
    }
    return problems.slice(0, MAX_BAD_LINES);
  }

  /** What other records, not in the file, are at odds with, once all has been written. */
  async brokenByChanges(trx: Db, organizationId: string): Promise<LateProblem[]> {
    return [
      ...(await this.#changedRoles(trx, organizationId)),
      ...(await this.#brokenBindings(trx, organizationId)),
      ...(await this.#brokenEncounters(trx, organizationId)),
    ];
  }

  async #changedRoles(trx: Db, organizationId: string): Promise<LateProblem[]> {
    const userIds = [...this.#roleChanges.keys()];
    if (userIds.length === 0) return [];
    const problems: LateProblem[] = [];
    const inFile = this.gathered.findOwnersNaming(userIds);
    for (const reference of userReferences) {
      const { type, field, roles } = reference;
      const owners = type === "user" ? inFile : [];
      for (const row of await findMisfits(trx, organizationId, reference, { userIds, owners })) {
        const line = this.#roleChanges.get(row.user);
        const message = `The ${type} ${row.owner} names this user as ${field}, which must have ${roles.join(" or ")}`;
        const kind = `A record names this user as ${field}, which must have another role`;
        problems.push(late("user", row.user, line, { path: ["role"], message, kind }));
      }
    }
    return problems;
  }

  async #brokenBindings(trx: Db, organizationId: string): Promise<LateProblem[]> {
    const ids = [...this.#changedAuthorizations.keys()];
    const rows = ids.length === 0 ? [] : await findBrokenBindings(trx, organizationId, ids);
    return rows.map(({ authorization, session }) =>
      late("authorization", authorization, this.#changedAuthorizations.get(authorization), {
        path: [],
        message: `The session ${session} is bound to it, and has another client or service line`,
        kind: "A session is bound to it, and has another client or service line",
      }),
    );
  }

  async #brokenEncounters(trx: Db, organizationId: string): Promise<LateProblem[]> {
    const ids = [...this.#reboundSessions.keys()];
    const rows = ids.length === 0 ? [] : await findBrokenEncounters(trx, organizationId, ids);
    return rows.map(({ session, encounter }) =>
      late("session", session, this.#reboundSessions.get(session), {
        path: ["authorizationId"],
        message: `The encounter ${encounter} of this session is one of another authorization`,
        kind: "An encounter of this session is one of another authorization",
      }),
    );
  }

  /** Email addresses that users of the file have been given, and that others, not in the file, have. */
  emailsTaken(taken: readonly { from: string; by: string }[]): LateProblem[] {
    return taken
      .filter(({ from }) => this.gathered.lineOf("user", from) === undefined)
      .map(({ from, by }) =>
        late("user", by, this.gathered.lineOf("user", by), {
          path: ["email"],
          message: `Is the email of ${from}, whom this file does not change`,
          kind: "Is the email of somebody whom this file does not change",
        }),
      );
  }

  /** Members of pools with other patients, which neither follow nor leave further down. */
  membersLeft(released: readonly { member: string; pool: string }[]): LateProblem[] {
    return [...this.#changedPools].flatMap(([pool, line]) => {
      const members = new Set([
        ...released
          .filter((one) => one.pool === pool)
          .map(({ member }) => member)
          .filter((member) => this.gathered.lineOf("authorization", member) === undefined),
        ...this.gathered.membersAbove(line, pool),
      ]);
      return [...members].map((id) =>
        late("authorizationPool", pool, line, {
          path: ["patientId"],
          message: `Its member ${id} is of another patient`,
          kind: "A member is of another patient",
        }),
      );
    });
  }
}

function late(
  type: RecordType,
  publicId: string,
  line: number | undefined,
  problem: Problem,
): LateProblem {
  return { line: line ?? 0, subject: { type, publicId }, problem };
}
