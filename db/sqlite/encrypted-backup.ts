import { Database as SqliteFile } from "bun:sqlite";
import { open } from "node:fs/promises";
import type { Decrypter, Encrypter } from "age-encryption";
import { copyError } from "./backup.ts";
import { DatabaseError } from "../errors.ts";
import { isLocked } from "./errors.ts";
import { bytesOf, createWhole } from "./files.ts";

/** The first bytes of every file encrypted with age. */
const AGE = "age-encryption.org/v1";

/** How long to wait until the whole state is in the database file, in milliseconds. */
const TIMEOUT = 10_000;
const RETRY_INTERVAL = 10;

/** The size and hash of a stream. */
interface Digest {
  size: number;
  hash: string;
}

/**
 * Writes a copy of a database, encrypted to age recipients, to a new file while other programs read and write the
 * database. The copy is one consistent state; it is checked, and decrypted again for comparison. No unencrypted data is
 * ever written to disk, so this works differently from `backUp`.
 *
 * @throws DatabaseError if the target exists or cannot be written, a recipient is invalid, or the database is
 * damaged.
 */
export async function backUpEncrypted(
  database: string,
  target: string,
  recipients: readonly string[],
): Promise<void> {
  try {
    const { encrypter, decrypter } = await newPair(recipients);
    await createWhole(target, "a backup", async (unfinished) => {
      const expected = await encryptTo(unfinished, database, encrypter);
      const { stream, digest } = digesting(await decrypter.decrypt(streamOf(unfinished)));
      for await (const _ of stream);
      if (!Bun.deepEquals(digest(), expected))
        throw new DatabaseError(`The copy of ${database} is incomplete. Try again.`);
    });
  } catch (error) {
    throw copyError(error, database, target);
  }
}

/** An encrypter, and a decrypter for the same file with a temporary identity that exists only in memory. */
async function newPair(
  recipients: readonly string[],
): Promise<{ encrypter: Encrypter; decrypter: Decrypter }> {
  const age = await import("age-encryption");
  const encrypter = new age.Encrypter();
  for (const recipient of recipients)
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      // Not printed: anybody who sees it could decrypt all backups.
      if (/AGE-SECRET-KEY-/i.test(recipient))
        throw new DatabaseError(
          "--encrypt-to was given a secret key. Give its recipient, which begins with age1, and make a new identity if anybody may have seen this one.",
        );
      // Other input may be part of a secret, so it is not printed, either.
      const value = /^age1[0-9a-z]*$/.test(recipient) ? recipient : "The value of --encrypt-to";
      throw new DatabaseError(
        `${value} is not an age recipient; "caseload backup --new-identity FILE" creates an identity and prints its recipient, which begins with age1.`,
        { cause: error },
      );
    }
  let key: Uint8Array | null = null;
  encrypter.addRecipient({
    wrapFileKey(fileKey) {
      key = fileKey.slice();
      return [];
    },
  });
  const decrypter = new age.Decrypter();
  decrypter.addIdentity({ unwrapFileKey: () => key });
  return { encrypter, decrypter };
}

async function encryptTo(path: string, database: string, encrypter: Encrypter): Promise<Digest> {
  const snapshot = await holdStill(database);
  try {
    snapshot.check();
    const { stream, digest } = digesting(snapshot.bytes());
    await writeTo(path, await encrypter.encrypt(stream));
    const actual = digest();
    if (actual.size !== snapshot.size)
      throw new DatabaseError(`${database} could not be read completely. Try again.`);
    return actual;
  } finally {
    snapshot.release();
  }
}

/** A database whose file does not change. */
interface Snapshot {
  size: number;
  /** @throws DatabaseError if the database is damaged. */
  check(): void;
  bytes(): ReadableStream<Uint8Array>;
  release(): void;
}

/**
 * Keeps the database file unchanged while other programs continue to write to the log. As long as a reader uses a state
 * that is entirely in the main file, SQLite moves nothing from the log into it. To begin such a reader, writers are
 * locked out for a moment.
 */
async function holdStill(path: string): Promise<Snapshot> {
  const writer = new SqliteFile(path, { readwrite: true });
  const reader = new SqliteFile(path, { readwrite: true });
  const release = (): void => {
    reader.close();
    writer.close();
  };
  try {
    for (const start = performance.now(); !isHeld(writer, reader); await Bun.sleep(RETRY_INTERVAL))
      if (performance.now() - start > TIMEOUT)
        throw new DatabaseError(
          `Other programs read or write ${path} constantly. Try again when there is less load.`,
        );
  } catch (error) {
    release();
    throw error;
  }
  const value = (pragma: string) =>
    Object.values(reader.query(`pragma ${pragma}`).get() ?? {})[0] as unknown;
  const size = Number(value("page_count")) * Number(value("page_size"));
  return {
    size,
    check() {
      if (value("integrity_check(1)") !== "ok" || value("foreign_key_check") !== undefined)
        throw new DatabaseError(`${path} is damaged; use an earlier backup.`);
    },
    bytes: () => readElsewhere(path, size),
    release,
  };
}

/** Reads the file in another process: closing it in this one would release this process's locks on it. */
function readElsewhere(path: string, size: number): ReadableStream<Uint8Array> {
  if (Bun.which("head") === null)
    throw new DatabaseError(
      'An encrypted backup needs the system\'s program "head", which this machine does not have.',
    );
  return Bun.spawn(["head", "-c", String(size), "--", path], { stdin: "ignore" }).stdout;
}

function isHeld(writer: SqliteFile, reader: SqliteFile): boolean {
  try {
    writer.run("begin immediate");
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
  try {
    const { log, checkpointed } = reader
      .query<{ log: number; checkpointed: number }, []>("pragma wal_checkpoint(passive)")
      .get() ?? { log: -1, checkpointed: 0 };
    if (log !== checkpointed) return false;
    reader.run("begin");
    reader.query("select name from sqlite_schema").all();
    return true;
  } finally {
    writer.run("rollback");
  }
}

/** Whether a file is encrypted with age. */
export function isEncrypted(path: string): boolean {
  return bytesOf(path, 0, AGE.length).toString("latin1") === AGE;
}

/**
 * Decrypts a backup into an existing file that only its owner can read.
 *
 * @param identities secret keys of age.
 * @throws DatabaseError if it is not encrypted to any of them, or is damaged or truncated.
 */
export async function decryptBackup(
  backup: string,
  target: string,
  identities: readonly string[],
): Promise<void> {
  const age = await import("age-encryption");
  const decrypter = new age.Decrypter();
  let decrypted: ReadableStream<Uint8Array>;
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
    decrypted = await decrypter.decrypt(streamOf(backup));
  } catch (error) {
    throw new DatabaseError(
      `${backup} cannot be opened: it is not encrypted for any of these identities, or it is damaged.`,
      { cause: error },
    );
  }
  try {
    await writeTo(target, decrypted);
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") throw error;
    throw new DatabaseError(`${backup} is damaged or truncated; use an earlier backup.`, {
      cause: error,
    });
  }
}

async function writeTo(path: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  const file = await open(path, "r+");
  try {
    for await (const bytes of stream) await file.writeFile(bytes);
  } finally {
    await file.close();
  }
}

function streamOf(path: string): ReadableStream<Uint8Array> {
  return Bun.file(path).stream();
}

/** A stream that computes its digest while it is read; the digest is available at its end. */
function digesting(source: ReadableStream<Uint8Array>) {
  const hasher = new Bun.CryptoHasher("sha256");
  let size = 0;
  const stream = source.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        hasher.update(bytes);
        size += bytes.length;
        controller.enqueue(bytes);
      },
    }),
  );
  return { stream, digest: (): Digest => ({ size, hash: hasher.digest("hex") }) };
}
