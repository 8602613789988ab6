import type { Facts, Kind, KnownRecords } from "./known-records.ts";
import type { RecordType } from "./model.ts";
import type { Path, Problem } from "./problems.ts";
import { misfit, OTHER_ROLE, rolesFor } from "./user-references.ts";

/** A line while its record is checked against the rest of the practice: collects what is wrong with it. */
export class RecordLine {
  readonly problems: Problem[] = [];
  #refersToUnwritten = false;

  constructor(
    readonly number: number,
    private readonly type: RecordType | undefined,
    private readonly known: KnownRecords,
  ) {}

  /** Whether the record can be written. */
  get isSound(): boolean {
    return this.problems.length === 0 && !this.#refersToUnwritten;
  }

  /**
   * @param kind the message without what differs from line to line.
   * @param otherLine with which the message ends.
   */
  refuse(field: string | Path, message: string, kind = message, otherLine?: number): void {
    const path = typeof field === "string" ? [field] : field;
    this.problems.push({ path, message, kind, ...(otherLine !== undefined && { otherLine }) });
  }

  /**
   * Sees to it that a field names a record above the line or in the database. Undefined if it does not; or if
   * the record's own line is bad, for which this one is not to blame.
   */
  refer<Some extends Kind>(
    field: string | Path,
    kind: Some,
    id: string | null | undefined,
  ): Facts<Some> | undefined {
    if (id === undefined || id === null) return undefined;
    const facts = this.known.facts(kind, id);
    if (facts !== undefined) return facts;
    if (this.known.isUnwritten(kind, id)) this.#refersToUnwritten = true;
    else
      this.refuse(
        field,
        `No ${kind} ${id} stands above this line or in the database`,
        `Names no ${kind} above its line or in the database`,
      );
    return undefined;
  }

  /** The same for each id of a list. */
  referToEach(field: string, kind: Kind, ids: readonly string[] = []): void {
    for (const [index, id] of ids.entries()) this.refer([field, index], kind, id);
  }

  /** Sees to it that a field names a user of a role that fits. */
  referToUser(field: string, id: string | undefined): void {
    const user = this.refer(field, "user", id);
    if (user === undefined || id === undefined) return;
    const message = misfit(id, user.role, rolesFor(this.type, field));
    if (message !== undefined) this.refuse(field, message, OTHER_ROLE);
  }

  /** Sees to it that an id within the record stands in the file once. */
  standAlone(path: Path, type: RecordType, id: string): void {
    if (!this.known.standsInFile(type, id, this.number))
      this.refuse(path, "Stands in this file twice");
  }
}
