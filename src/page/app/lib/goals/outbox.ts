import { signal } from "@preact/signals";
import { say } from "../base/acts.ts";
import { record } from "../base/api.ts";
import { keepInBrowser, keptInBrowser } from "../base/browser-storage.ts";
import { Failure } from "../base/failure.ts";
import { unitsText, words } from "../base/format.ts";
import { identityOf, signedIn } from "../sign-in/signed-in.ts";

/**
 * What was recorded and is not yet sent. An entry is in `localStorage`, under the practice and the person, before the
 * button is let go: the goal's id and the entry, and no name. It goes when the server has said 201. Entries have ids, so
 * that what is sent twice, by a repetition or by two tabs, is recorded once.
 */

export interface Entry {
  publicId: string;
  [field: string]: unknown;
}

export interface Waiting {
  goalId: string;
  entry: Entry;
  /** Whether it was taken back once it was sent: what is recorded of it is to be removed. */
  isTakenBack?: true;
  /** Why the server has refused it. */
  refused?: string;
}

/** `1 entry`, `8 entries` */
export function entriesText(count: number): string {
  return count === 1 ? "1 entry" : `${unitsText(count)} entries`;
}

/** What recording answers. */
export interface Recorded {
  recorded: number;
  status: string;
  advancedFrom: string | null;
}

/** Where the entries of a person are kept; several tabs share it. */
interface Shelf {
  read(): Waiting[];
  write(entries: Waiting[]): void;
}

/** How entries reach the server. */
interface Post {
  send(goalId: string, entries: Entry[]): Promise<Recorded>;
  remove(goalId: string, entryId: string): Promise<unknown>;
}

/** Who is told what becomes of entries. */
export interface Told {
  onChange(): void;
  onRecorded?(answer: Recorded): void;
}

/** After the last tap, in milliseconds, entries are sent; many of them at once. */
const QUIET_TIME = 5_000;
const MANY = 50;
/** Waits between attempts, in milliseconds: each twice the one before. */
const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 60_000;
/** The greatest request, in entries. */
const MOST_ENTRIES = 500;

/** Refusals that stay, whatever is waited for. */
const REFUSED = [400, 403, 404, 413, 422];
const SIGNED_OUT = 401;
const NOT_FOUND = 404;

/** The entries of one person: kept, sent in their order with one request at a time, and set apart if they are refused. */
export class Outbox {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  #wait = 0;
  #isClosed = false;
  /** The ids of entries that were sent from here; without an answer nobody knows whether the server has them. */
  readonly #sent = new Set<string>();

  constructor(
    private readonly shelf: Shelf,
    private readonly post: Post,
    private readonly told: Told,
  ) {
    if (this.unsent.length > 0) this.#sendIn(0);
  }

  get unsent(): Waiting[] {
    return this.shelf.read().filter(({ refused }) => refused === undefined);
  }

  get refused(): Waiting[] {
    return this.shelf.read().filter(({ refused }) => refused !== undefined);
  }

  add(goalId: string, entry: Entry): void {
    this.shelf.write([...this.shelf.read(), { goalId, entry }]);
    this.told.onChange();
    if (this.#wait === 0) this.#sendIn(this.unsent.length >= MANY ? 0 : QUIET_TIME);
  }

  /**
   * Takes an entry back: out of what is kept, and, if it was sent, out of what is recorded, behind its answer. One that is
   * not kept any more was sent by another tab.
   */
  undo(goalId: string, entry: Entry): void {
    const kept = this.shelf.read();
    const left = kept.filter((each) => each.entry.publicId !== entry.publicId);
    const isSent = this.#sent.has(entry.publicId) || left.length === kept.length;
    this.shelf.write(isSent ? [...left, { goalId, entry, isTakenBack: true }] : left);
    this.told.onChange();
    if (isSent && this.#wait === 0) this.#sendIn(0);
  }

  /** Sends at once, as when the network comes back. */
  hurry(): void {
    this.#wait = 0;
    this.#sendIn(0);
  }

  forgetRefused(): void {
    this.shelf.write(this.unsent);
    this.told.onChange();
  }

  forget(): void {
    this.shelf.write([]);
    this.close();
    this.told.onChange();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #sendIn(time: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.sendAll(), time);
  }

  /** Sends what is there, goal by goal, until it is done or has to wait. */
  sendAll(): Promise<void> {
    this.#sending ??= this.#sendNext().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendNext(): Promise<void> {
    for (;;) {
      const [first] = this.unsent;
      if (first === undefined || this.#isClosed) return;
      const some = first.isTakenBack === true ? [first] : this.#toBeRecorded(first.goalId);
      if (!(await this.#attempt(some))) return;
    }
  }

  /** Sends some; whether the rest may be sent now. */
  async #attempt(some: Waiting[]): Promise<boolean> {
    try {
      await this.#send(some);
      this.#wait = 0;
      return true;
    } catch (error) {
      return this.#mayGoOn(some, error);
    }
  }

  #toBeRecorded(goalId: string): Waiting[] {
    return this.unsent
      .filter((each) => each.goalId === goalId && each.isTakenBack !== true)
      .slice(0, MOST_ENTRIES);
  }

  /** Sends entries of one goal, or removes one. */
  async #send(some: Waiting[]): Promise<void> {
    const [{ goalId, entry, isTakenBack }] = some as [Waiting];
    if (isTakenBack === true) {
      await this.post.remove(goalId, entry.publicId).catch((error: unknown) => {
        // It has never arrived.
        if (!(error instanceof Failure) || error.status !== NOT_FOUND) throw error;
      });
      return this.#take(some);
    }
    for (const { entry } of some) this.#sent.add(entry.publicId);
    const answer = await this.post.send(
      goalId,
      some.map(({ entry }) => entry),
    );
    this.#take(some);
    this.told.onRecorded?.(answer);
  }

  /** What is done about a failure; whether the rest may be sent now. */
  async #mayGoOn(some: Waiting[], error: unknown): Promise<boolean> {
    const { status, message } = error instanceof Failure ? error : new Failure(String(error));
    // Kept until the same person has signed in.
    if (status === SIGNED_OUT || this.#isClosed) return false;
    if (status !== undefined && REFUSED.includes(status)) {
      // One entry that is refused holds up no other: each is sent alone.
      if (some.length === 1) this.#take(some, message);
      else for (const each of some) if (!(await this.#attempt([each]))) return false;
      return true;
    }
    this.#wait = Math.min(LONGEST_WAIT, Math.max(FIRST_WAIT, 2 * this.#wait));
    this.#sendIn(this.#wait);
    return false;
  }

  /** Takes some out, or sets them apart with why they are refused; what was taken back meanwhile stays, to be removed. */
  #take(some: readonly Waiting[], refused?: string): void {
    const nameOf = ({ entry, isTakenBack }: Waiting) => `${entry.publicId} ${isTakenBack}`;
    const names = new Set(some.map(nameOf));
    const kept = this.shelf.read();
    const isOf = (each: Waiting) => names.has(nameOf(each));
    this.shelf.write(
      refused === undefined
        ? kept.filter((each) => !isOf(each))
        : kept.map((each) => (isOf(each) ? { ...each, refused } : each)),
    );
    this.told.onChange();
  }
}

const KEY = "caseload-outbox";
const FULL = "this browser's storage is full, and what is not sent is only in this page.";

/**
 * Where the browser stores nothing, or no more, the page's memory has the rest. What was stored before stays stored:
 * another tab may have stored it.
 */
export function browserShelf(key: string, onFull: () => void): Shelf {
  let rest: Waiting[] = [];
  const stored = (): Waiting[] => keptInBrowser<Waiting[]>(key) ?? [];
  return {
    read: () => [...stored(), ...rest],
    write(entries) {
      if (keepInBrowser(key, entries)) {
        rest = [];
        return;
      }
      const texts = new Set(stored().map((each) => JSON.stringify(each)));
      const isStored = (each: Waiting): boolean => texts.has(JSON.stringify(each));
      const before = rest.length;
      rest = entries.filter((each) => !isStored(each));
      keepInBrowser(key, entries.filter(isStored));
      if (rest.length > before) onFull();
    },
  };
}

/** The outbox of who is signed in. */
export const outbox = signal<Outbox | undefined>(undefined);
/** Grows with each change of it. */
export const outboxChanges = signal(0);

signedIn.subscribe((caller) => {
  outbox.peek()?.close();
  if (caller === undefined) {
    outbox.value = undefined;
    return;
  }
  const key = `${KEY} ${identityOf(caller.me)}`;
  const shelf = browserShelf(key, () => say(`Keep this page open: ${FULL}`));
  const pathOf = (goalId: string) => `goals/${encodeURIComponent(goalId)}/recorded-data`;
  outbox.value = new Outbox(
    shelf,
    {
      send: (goalId, entries) => record(pathOf(goalId), "POST", { entries }),
      remove: (goalId, entryId) =>
        record(`${pathOf(goalId)}/${encodeURIComponent(entryId)}`, "DELETE"),
    },
    {
      onChange: () => (outboxChanges.value += 1),
      onRecorded({ advancedFrom, status }) {
        if (advancedFrom !== null)
          say(`A goal went on by itself: ${words(advancedFrom)} to ${words(status)}.`);
      },
    },
  );
});

if (typeof addEventListener === "function")
  addEventListener("online", () => outbox.peek()?.hurry());
