import { Client, type ClientConfig } from "pg";
import pgPass from "pgpass";
import { DatabaseRefused } from "../errors.ts";

/** What the driver has beside its types. */
interface Internals {
  ssl: unknown;
  connection: NodeJS.EventEmitter;
  /** Of the configuration, else of `PGPASSWORD`. */
  password: unknown;
}

type Handler = (this: Client, message: unknown) => void;
const inherited = Client.prototype as unknown as Record<Request, Handler>;

type Request = "_handleAuthCleartextPassword" | "_handleAuthMD5Password";

/**
 * A client that gives its password to nobody who could read it on the way, or find it out: without TLS it answers
 * `scram-sha-256` alone, and neither a request for the password in the clear nor one for its MD5. The driver has no
 * option for that; a test holds it to these methods.
 */
export class CarefulClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const internals = this as unknown as Internals;
    // The driver would look there by itself, and complain on standard error that it will not for long.
    internals.password ??= (connection: object) =>
      new Promise((resolve) => pgPass(connection, resolve));
  }

  _handleAuthCleartextPassword(message: unknown): void {
    this.#answer("_handleAuthCleartextPassword", message);
  }

  _handleAuthMD5Password(message: unknown): void {
    this.#answer("_handleAuthMD5Password", message);
  }

  #answer(request: Request, message: unknown): void {
    const { ssl, connection } = this as unknown as Internals;
    if (ssl) inherited[request].call(this, message);
    else connection.emit("error", passwordRefused());
  }
}

function passwordRefused(): DatabaseRefused {
  return new DatabaseRefused(
    "PostgreSQL asks for the password in a form that others on the way could use; have it use scram-sha-256, or TLS.",
  );
}
