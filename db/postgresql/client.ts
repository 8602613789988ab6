import { Client, type ClientConfig } from "pg";
import pgPass from "pgpass";
import { DatabaseError } from "../errors.ts";

/** Members of the driver that its types omit. */
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
 * A client that never sends its password in a form that an attacker could read or crack: without TLS it accepts only
 * `scram-sha-256`, and refuses clear-text and MD5 requests. The driver has no option for this; a test checks that the
 * overridden methods exist.
 */
export class CarefulClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const internals = this as unknown as Internals;
    // Otherwise the driver reads the file itself and prints a deprecation warning.
    internals.password ??= (connection: object) =>
      new Promise((resolve) => pgPass(connection, resolve));
  }

  _handleAuthCleartextPassword(message: unknown): void {
    this.#respond("_handleAuthCleartextPassword", message);
  }

  _handleAuthMD5Password(message: unknown): void {
    this.#respond("_handleAuthMD5Password", message);
  }

  #respond(request: Request, message: unknown): void {
    const { ssl, connection } = this as unknown as Internals;
    if (ssl) inherited[request].call(this, message);
    else connection.emit("error", unsafePasswordError());
  }
}

function unsafePasswordError(): DatabaseError {
  return new DatabaseError(
    "PostgreSQL asks for the password in a form that others on the way could use; have it use scram-sha-256, or TLS.",
  );
}
