import type { Database, Db } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { Gathered } from "./gathered-repository.ts";
import type { RecordType } from "./model.ts";
import { findRows, recordTables } from "./repository.ts";

/** Which columns of a record other records, or a later version of the record itself, need to know. */
const factsOf = {
  location: [],
  payor: [],
  serviceLine: [],
  nonBillableCode: [],
  specialization: [],
  intakeStage: [],
  intakeLabel: [],
  user: ["role", "created_at"],
  authorizationPool: ["patient_id"],
  authorization: ["patient_id", "service_line_id", "authorization_pool_id"],
  session: ["authorization_id"],
  intakeLead: ["created_at"],
  treatmentPlan: [],
  goal: ["order_among_siblings", "added_to_treatment_plan_at"],
} as const satisfies { [Type in keyof typeof recordTables]?: readonly ColumnOf<Type>[] };

type RowOf<Type extends keyof typeof recordTables> = Schema[(typeof recordTables)[Type]];
type ColumnOf<Type extends keyof typeof recordTables> = keyof RowOf<Type> & string;

/** Types of record that others may name, or whose earlier version matters. */
export type Kind = keyof typeof factsOf;

/** The columns of a kind's rows that matter. */
export type Facts<Some extends Kind> = Pick<
  RowOf<Some>,
  Extract<(typeof factsOf)[Some][number], keyof RowOf<Some>>
>;

/** What is known of an id; nothing of one that is nowhere. */
interface Entry {
  /** Where it stands in the file, as far as that has been read. */
  line?: number;
  /** Of its row, as it is or will be; none where it has no row, or where its line is bad. */
  facts?: object | undefined;
  /** Whether a row has been gathered that tells both. */
  hasRow?: boolean;
}

/** Records that are remembered from one piece of the file to the next: some megabytes. */
const MEMORY = 50_000;

/**
 * What is known of records, be it from the file or from the database. The lines of a piece of the file are looked at
 * twice: the first time, whatever they ask for is noted and nothing is known; `answer` then looks it all up at
 * once, in a number of statements that does not grow with the lines.
 */
export class KnownRecords {
  readonly #entries = new Map<RecordType, Map<string, Entry>>();
  readonly #asked = new Map<RecordType, Set<string>>();
  readonly #emails = new Map<string, string | undefined>();
  readonly #askedEmails = new Set<string>();
  /** Records of this piece of the file. */
  #noted: { type: RecordType; publicId: string; entry: Entry }[] = [];
  #notedEmails: [emailKey: string, userId: string][] = [];
  #isRehearsal = false;

  constructor(
    private readonly gathered: Gathered,
    private readonly organization: { id: string; isNew: boolean },
  ) {}

  /** Looks at lines for what they ask, and looks that up. */
  async rehearse(database: Database, look: () => void): Promise<void> {
    this.#forget();
    this.#isRehearsal = true;
    look();
    this.#isRehearsal = false;
    await this.answer(database);
  }

  /** Looks up what was asked for. */
  async answer(database: Database): Promise<void> {
    const elsewhere = this.#answerFromFile();
    // The database knows nothing of an organization that is new.
    if (elsewhere.length > 0 && !this.organization.isNew)
      await database.read((db) => this.#answerFromDatabase(db, elsewhere));
  }

  /** What matters of a record that has a row, or will have one; undefined if there is none. */
  facts<Some extends Kind>(kind: Some, id: string): Facts<Some> | undefined {
    return this.#entry(kind, id)?.facts as Facts<Some> | undefined;
  }

  /** Whether a record of which there are no facts has a line that is bad, so that what refers to it is not to blame. */
  isUnwritten(kind: Kind, id: string): boolean {
    const entry = this.#entry(kind, id);
    return entry?.line !== undefined && entry.facts === undefined;
  }

  /** Where a record stands in the file, as far as that has been read. */
  lineOf(type: RecordType, id: string): number | undefined {
    return this.#entry(type, id)?.line;
  }

  /** Notes that a record stands in the file; false if one of its type and id stood there already. */
  standsInFile(type: RecordType, publicId: string, line: number): boolean {
    const entry = this.#entry(type, publicId);
    if (entry === undefined || this.#isRehearsal) return true;
    if (entry.line !== undefined) return false;
    entry.line = line;
    this.#noted.push({ type, publicId, entry });
    return true;
  }

  /** Notes what a record of the file will be stored as; nothing for one whose line is bad. */
  remember(type: RecordType, id: string, row: object | undefined): void {
    const entry = this.#entry(type, id);
    if (entry === undefined) return;
    const columns = columnsOf(type);
    entry.facts = row && Object.fromEntries(columns.map((name) => [name, row[name as never]]));
    entry.hasRow = row !== undefined && type in recordTables;
  }

  /** The user of the file who has an email address. */
  emailHolder(emailKey: string): string | undefined {
    if (!this.#emails.has(emailKey)) this.#askedEmails.add(emailKey);
    return this.#emails.get(emailKey);
  }

  rememberEmail(emailKey: string, userId: string): void {
    this.#emails.set(emailKey, userId);
    this.#notedEmails.push([emailKey, userId]);
  }

  /** Gives what this piece of the file said into keeping. */
  keep(): void {
    const withoutRow = this.#noted.filter(({ entry }) => entry.hasRow !== true);
    this.gathered.addPlaces(
      withoutRow.map(({ type, publicId, entry: { line = 0 } }) => ({ type, publicId, line })),
    );
    this.gathered.addEmails(this.#notedEmails);
    this.#noted = [];
    this.#notedEmails = [];
  }

  #entry(type: RecordType, id: string): Entry | undefined {
    const entry = this.#entries.get(type)?.get(id);
    if (entry === undefined) setOf(this.#asked, type).add(id);
    return entry;
  }

  #answerFromFile(): [Kind, string[]][] {
    const elsewhere: [Kind, string[]][] = [];
    for (const [type, asked] of this.#asked) {
      let entries = this.#entries.get(type);
      if (entries === undefined) this.#entries.set(type, (entries = new Map()));
      const ids = [...asked];
      for (const id of ids) entries.set(id, {});
      for (const { publicId, line, facts } of this.gathered.findRecords(
        type,
        ids,
        columnsOf(type),
      )) {
        entries.set(publicId, { line, facts });
        asked.delete(publicId);
      }
      if (type in factsOf && asked.size > 0) elsewhere.push([type as Kind, [...asked]]);
    }
    this.#asked.clear();
    const holders = this.gathered.findEmails([...this.#askedEmails]);
    for (const key of this.#askedEmails) this.#emails.set(key, holders.get(key));
    this.#askedEmails.clear();
    return elsewhere;
  }

  async #answerFromDatabase(db: Db, asked: [Kind, string[]][]): Promise<void> {
    for (const [kind, ids] of asked) {
      const table = recordTables[kind];
      for (const { public_id, ...facts } of await findRows(db, this.organization.id, {
        table,
        columns: columnsOf(kind),
        ids,
      }))
        this.#entries.get(kind)?.set(public_id, { facts });
    }
  }

  #forget(): void {
    let size = this.#emails.size;
    for (const entries of this.#entries.values()) size += entries.size;
    if (size < MEMORY) return;
    this.#entries.clear();
    this.#emails.clear();
  }
}

function columnsOf(type: RecordType): readonly string[] {
  return type in factsOf ? factsOf[type as Kind] : [];
}

function setOf<Key>(sets: Map<Key, Set<string>>, key: Key): Set<string> {
  let set = sets.get(key);
  if (set === undefined) sets.set(key, (set = new Set()));
  return set;
}
