import type { Facts, Kind, KnownRecords } from "./known-records.ts";
import type { RecordType } from "./model.ts";
import { fieldName, type Problem } from "./problems.ts";
import { misfit, rolesFor } from "./user-references.ts";

type Path = string | readonly (string | number)[];

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

  refuse(path: Path, message: string): void {
    this.problems.push({ field: typeof path === "string" ? path : fieldName(path), message });
  }

  /**
   * Sees to it that a field names a record above the line or in the database. Undefined if it does not; or if
   * the record's own line is bad, for which this one is not to blame.
   */
  async refer<Some extends Kind>(
    path: Path,
    kind: Some,
    id: string | undefined,
  ): Promise<Facts<Some> | undefined> {
    if (id === undefined) return undefined;
    if (this.known.isUnwritten(kind, id)) {
      this.#refersToUnwritten = true;
      return undefined;
    }
    const facts = await this.known.find(kind, id);
    if (facts === undefined)
      this.refuse(path, `No ${kind} ${id} stands above this line or in the database`);
    return facts;
  }

  /** The same for each id of a list. */
  async referToEach(field: string, kind: Kind, ids: readonly string[] = []): Promise<void> {
    for (const [index, id] of ids.entries()) await this.refer([field, index], kind, id);
  }

  /** Sees to it that a field names a user of a role that fits. */
  async referToUser(field: string, id: string | undefined): Promise<void> {
    const user = await this.refer(field, "user", id);
    if (user === undefined || id === undefined) return;
    const message = misfit(id, user.role, rolesFor(this.type, field));
    if (message !== undefined) this.refuse(field, message);
  }
}
