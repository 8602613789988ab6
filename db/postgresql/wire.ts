import type { Client } from "pg";
import { serialize } from "pg-protocol";
import { isOfOldSchema } from "./errors.ts";
import { type Column, columnsOf, errorOf, rowOf, toText } from "./messages.ts";

/** What a statement gave: its rows, and how many it read or changed. */
export interface Result<Row> {
  rows: Row[];
  rowCount: number;
}

/** A statement as the server keeps it for the connection. */
interface Statement {
  /** Empty for one that is not kept. */
  name: string;
  /** Undefined until the server has described them. */
  columns: Column[] | undefined;
}

/** A statement that is under way. */
interface Asked extends Result<object> {
  text: string;
  statement: Statement;
  error: Error | undefined;
  resolve(result: Result<never>): void;
  reject(error: unknown): void;
}

/** More than the service has statements; each connection keeps the plan of every one. */
const MOST_STATEMENTS = 1_000;

const DESCRIBE_PORTAL = serialize.describe({ type: "P" });
const EXECUTE_AND_SYNC = Buffer.concat([serialize.execute(), serialize.sync()]);

/**
 * A connection that pg has made, and on which statements are asked from then on: the extended query protocol, pipelined.
 * pg's own way of asking takes three times as long for a page, most of which the event loop is busy with: here
 * all statements of a turn leave in one piece, columns are described once, and the texts of a row are cut out of one.
 *
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
export class Wire {
  readonly #statements = new Map<string, Statement>();
  #prepared = 0;
  /** In the order in which they are answered. */
  readonly #asked: Asked[] = [];
  #outgoing: Buffer[] = [];
  /** The beginning of a message whose end has not come. */
  #incoming: Buffer = Buffer.alloc(0);
  #isIdle = true;
  #lost: Error | undefined;
  #silence: Timer | undefined;

  /**
   * @param client one that is connected, and is asked nothing itself from then on.
   * @param patience how long the server may be silent while it is asked something, in milliseconds; 0 for ever.
   */
  constructor(
    private readonly client: Client,
    private readonly patience: number,
  ) {
    const { stream } = client.connection;
    stream.removeAllListeners("data");
    stream.on("data", (bytes: Buffer) => this.#receive(bytes));
    stream.once("error", (error) => this.#lose(error));
    stream.once("close", () => this.#lose(new Error("The connection is closed")));
  }

  /** Whether it works, is asked nothing, and has no transaction open. */
  get isIdle(): boolean {
    return this.#isIdle && this.#asked.length === 0 && this.#lost === undefined;
  }

  /**
   * Asks for a statement; several may be under way, and are answered in order.
   *
   * @param isKept whether the connection keeps it, with its plan, for the next time.
   * @throws the server's own error, or why the connection is lost.
   */
  execute<Row extends object>(
    text: string,
    values: readonly unknown[],
    isKept: boolean,
  ): Promise<Result<Row>> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) return reject(this.#lost);
      const bound = values.map(toText);
      const statement = this.#prepare(text, isKept);
      this.#send(serialize.bind({ statement: statement.name, values: bound }));
      if (statement.columns === undefined) this.#send(DESCRIBE_PORTAL);
      this.#send(EXECUTE_AND_SYNC);
      if (this.#asked.length === 0) this.#watch();
      const answer = { rows: [], rowCount: 0, error: undefined };
      this.#asked.push({ text, statement, ...answer, resolve, reject });
    });
  }

  #prepare(text: string, isKept: boolean): Statement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const isNamed = isKept && this.#statements.size < MOST_STATEMENTS;
    if (isNamed) this.#prepared += 1;
    const statement = { name: isNamed ? `caseload_${this.#prepared}` : "", columns: undefined };
    if (isNamed) this.#statements.set(text, statement);
    this.#send(serialize.parse({ name: statement.name, text }));
    return statement;
  }

  #send(message: Buffer): void {
    if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
    this.#outgoing.push(message);
  }

  #flush(): void {
    const { stream } = this.client.connection;
    if (stream.writable) stream.write(Buffer.concat(this.#outgoing));
    this.#outgoing = [];
  }

  #watch(): void {
    if (this.patience === 0) return;
    this.#silence = setTimeout(() => this.client.connection.stream.destroy(), this.patience);
  }

  #receive(bytes: Buffer): void {
    this.#silence?.refresh();
    const messages = this.#incoming.length === 0 ? bytes : Buffer.concat([this.#incoming, bytes]);
    let start = 0;
    while (start + 5 <= messages.length) {
      const end = start + 1 + messages.readUInt32BE(start + 1);
      if (end > messages.length) break;
      this.#take(messages, start, end);
      start = end;
    }
    this.#incoming = messages.subarray(start);
  }

  /** What is not named here, such as that a statement was parsed, needs nothing to be done. */
  #take(bytes: Buffer, start: number, end: number): void {
    const asked = this.#asked[0];
    const body = start + 5;
    switch (String.fromCharCode(bytes[start] as number)) {
      case "T":
        if (asked !== undefined) asked.statement.columns = columnsOf(bytes, body);
        break;
      case "n":
        if (asked !== undefined) asked.statement.columns = [];
        break;
      case "D":
        asked?.rows.push(rowOf(asked.statement.columns ?? [], bytes, { start: body, end }));
        break;
      case "C":
        // `SELECT 25`, `INSERT 0 1`, `BEGIN`: the last word is a number where there is one.
        if (asked !== undefined)
          asked.rowCount = Number(/\d*$/.exec(bytes.toString("latin1", body, end - 1)));
        break;
      case "E":
        if (asked !== undefined) asked.error = errorOf(bytes, body);
        break;
      case "Z":
        this.#isIdle = String.fromCharCode(bytes[body] as number) === "I";
        this.#answer();
    }
  }

  #answer(): void {
    const asked = this.#asked.shift();
    if (this.#asked.length === 0) clearTimeout(this.#silence);
    if (asked === undefined) return;
    const { text, statement, rows, rowCount, error, resolve, reject } = asked;
    if (error === undefined) return resolve({ rows: rows as never[], rowCount });
    // It was never prepared, or is not what it was when it was.
    const isUseless = statement.columns === undefined || isOfOldSchema(error);
    if (isUseless && this.#statements.get(text) === statement) this.#statements.delete(text);
    reject(error);
  }

  #lose(cause: Error): void {
    clearTimeout(this.#silence);
    this.#lost ??= cause;
    for (const { error, reject } of this.#asked.splice(0)) reject(error ?? cause);
  }
}
