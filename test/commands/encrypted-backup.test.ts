import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { verifyChains } from "../../src/audit/verification.ts";
import { backUpCommand } from "../../src/commands/backup.ts";
import { restoreCommand } from "../../src/commands/restore.ts";
import { newApiKey, newUser } from "../support/factories.ts";
import { contentsOf, newPractice, onDatabase } from "../support/commands/practice.ts";
import { runInProcess, startServer } from "../support/commands/program.ts";

/** Backups encrypted with age. */

type Practice = Awaited<ReturnType<typeof newPractice>>;

/** A secret key in a file as age-keygen writes it, and its recipient. */
async function newIdentity(folder: string, name: string) {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const file = join(folder, name);
  writeFileSync(file, `# created: 2026-03-11\n# public key: ${recipient}\n${identity}\n`);
  return { file, recipient };
}

const NAME = "Encryptedcanary";

/** A practice with a patient, and an encrypted backup of it. */
async function newBackup() {
  const practice = await newPractice();
  const owner = await newIdentity(practice.cwd, "owner.txt");
  const auditor = await newIdentity(practice.cwd, "auditor.txt");
  const backup = join(practice.cwd, "monday.age");
  await onDatabase(practice.url, async (database) => {
    await newUser(database, practice.organization, { first_name: NAME });
    const recipients = [owner.recipient, auditor.recipient];
    await backUpCommand({ ...practice, database }, { target: backup, recipients });
  });
  return { practice, owner, auditor, backup };
}

const restore = (practice: Practice, file: string, identityFile?: string) =>
  restoreCommand(practice, { file, identityFile });

const withoutTrail = (path: string) => ({
  ...contentsOf(path),
  // A restored database begins a new history of changes with a write.
  organizations: [],
  writes: [],
  audit_entries: [],
  audit_heads: [],
});

describe("an encrypted backup", () => {
  test("can be decrypted by each recipient, has mode 600, and contains nothing unencrypted", async () => {
    const { practice, owner, auditor, backup } = await newBackup();
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(backup);
    expect(bytes.subarray(0, 21).toString()).toBe("age-encryption.org/v1");
    expect([bytes.includes(NAME), bytes.includes("SQLite format 3")]).toEqual([false, false]);
    expect(practice.output.said.at(-1)).toBe(
      "The backup is complete, verified and encrypted. Keep its identity on another machine.",
    );
    const before = withoutTrail(practice.url);
    for (const { file } of [owner, auditor]) {
      await onDatabase(practice.url, (database) => newUser(database, practice.organization));
      expect(withoutTrail(practice.url)).not.toEqual(before);
      await restore(practice, backup, file);
      expect(withoutTrail(practice.url)).toEqual(before);
      expect(statSync(practice.url).mode & 0o777).toBe(0o600);
    }
  });

  test("is never on the disk unencrypted, and gets its name only after it was checked", async () => {
    const practice = await newPractice();
    const { recipient } = await newIdentity(practice.cwd, "owner.txt");
    await onDatabase(practice.url, (database) =>
      newUser(database, practice.organization, {
        first_name: NAME,
        npi_number: "x".repeat(2_000_000),
      }),
    );
    const target = join(practice.cwd, "monday.age");
    const seen = new Set<string>();
    let isDone = false;
    const watch = async (): Promise<void> => {
      while (!isDone) {
        for (const name of readdirSync(practice.cwd).filter((name) => name.startsWith("monday"))) {
          seen.add(name.replace(/\.[0-9a-f]{8}\./, ".ID."));
          const bytes = readFileSync(join(practice.cwd, name));
          expect([bytes.includes(NAME), bytes.includes("SQLite format 3")]).toEqual([false, false]);
        }
        await Bun.sleep(1);
      }
    };
    const watching = watch();
    await onDatabase(practice.url, (database) =>
      backUpCommand({ ...practice, database }, { target, recipients: [recipient] }),
    );
    isDone = true;
    await watching;
    expect(seen).toContain("monday.age.ID.unfinished");
    expect(readdirSync(practice.cwd).filter((name) => name.startsWith("monday"))).toEqual([
      "monday.age",
    ]);
  });

  test("is one snapshot of a server that continues to write, and the log is emptied afterwards", async () => {
    const practice = await newPractice();
    const { cwd, url, organization } = practice;
    const { recipient, file } = await newIdentity(cwd, "owner.txt");
    const key = await onDatabase(url, (database) => newApiKey(database, organization));
    const server = await startServer([], { cwd });
    let isDone = false;
    const acknowledged: string[] = [];
    const client = async (): Promise<void> => {
      for (let number = 0; !isDone; number += 1) {
        const response = await fetch(`${server.url}/api/v1/users`, {
          method: "POST",
          headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
          body: JSON.stringify({ firstName: "Ana", lastName: `N${number}`, role: "TECHNICIAN" }),
        });
        expect(response.status).toBe(200);
        acknowledged.push(await response.text());
      }
    };
    const clients = [client(), client()];
    await Bun.sleep(100);
    const early = acknowledged.length;
    const backup = await runInProcess(["backup", "a.age", "--encrypt-to", recipient], { cwd });
    isDone = true;
    await Promise.all(clients);
    server.program.kill();
    await server.program.exited;
    expect(backup.status).toBe(0);
    expect(acknowledged.length).toBeGreaterThan(early);

    const restored = await runInProcess(["restore", "a.age", "--identity", file], { cwd });
    expect([restored.status, restored.stderr]).toEqual([0, expect.stringContaining("Restored ")]);
    const users = contentsOf(url).users?.length ?? 0;
    expect(users).toBeWithin(early, acknowledged.length + 1);
    const chains = await onDatabase(url, (database) => database.read((db) => verifyChains(db)));
    expect(chains.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  });
});

describe("backup --new-identity", () => {
  test("creates a private file that decrypts backups for the printed recipient", async () => {
    const { cwd } = await newPractice();
    const made = await runInProcess(["backup", "--new-identity", "key.txt"], { cwd });
    expect(made.status).toBe(0);
    expect(made.stdout).toMatch(/^age1[a-z0-9]{58}\n$/);
    expect(made.stderr).toContain("key.txt decrypts backups made with --encrypt-to age1");
    expect(made.stderr).not.toContain("AGE-SECRET-KEY");
    expect(statSync(join(cwd, "key.txt")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(cwd, "key.txt"), "utf8")).toMatch(
      /^# created: \S+Z\n# public key: age1\w+\nAGE-SECRET-KEY-1\w+\n$/,
    );
    const recipient = made.stdout.trim();
    const backup = await runInProcess(["backup", "a.age", "--encrypt-to", recipient], { cwd });
    expect(backup.status).toBe(0);
    const restored = await runInProcess(["restore", "a.age", "--identity", "key.txt"], { cwd });
    expect([restored.status, restored.stderr]).toEqual([0, expect.stringContaining("Restored ")]);
  });

  test("never overwrites a file, and cannot be combined with a backup", async () => {
    const { cwd } = await newPractice();
    writeFileSync(join(cwd, "key.txt"), "");
    const refused: [string[], number, string][] = [
      [["--new-identity", "key.txt"], 1, "error: key.txt exists; an identity needs a file"],
      [["--new-identity", "no/key.txt"], 1, "error: Cannot write no/key.txt: its folder"],
      [["a.db", "--new-identity", "b.txt"], 2, "error: give either a file or --new-identity"],
      [["--new-identity", "b.txt", "--encrypt-to", "age1x"], 2, "cannot be used with option"],
    ];
    for (const [args, status, message] of refused) {
      const result = await runInProcess(["backup", ...args], { cwd });
      expect(result).toEqual({ status, stdout: "", stderr: expect.stringContaining(message) });
    }
    expect(readFileSync(join(cwd, "key.txt"), "utf8")).toBe("");
  });
});

describe("errors", () => {
  test("a secret key as recipient is refused, and not printed", async () => {
    const { cwd, url } = await newPractice();
    const identity = await generateX25519Identity();
    for (const secret of [identity, identity.toLowerCase(), ` ${identity}`]) {
      const args = ["backup", "a.age", "--encrypt-to", secret, "--database", url];
      const { status, stdout, stderr } = await runInProcess(args, { cwd });
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toStartWith("error: --encrypt-to was given a secret key.");
      expect(stderr.toUpperCase()).not.toContain(identity.slice(-20));
    }
  });

  const nothingLeft = ({ cwd }: Practice) =>
    expect(readdirSync(cwd).filter((name) => /restoring|unfinished/.test(name))).toEqual([]);

  test("restoring without an identity, with a wrong or invalid one, or with one for an unencrypted backup is refused", async () => {
    const { practice, backup, owner } = await newBackup();
    const before = contentsOf(practice.url);
    const other = await newIdentity(practice.cwd, "other.txt");
    const plain = join(practice.cwd, "plain.db");
    await onDatabase(practice.url, (database) =>
      backUpCommand({ ...practice, database }, { target: plain }),
    );
    const cases: [file: string, identity: string | undefined, words: string][] = [
      [backup, undefined, "is encrypted. Name the file of an identity with --identity."],
      [backup, other.file, "it is not encrypted for any of these identities, or it is damaged."],
      [backup, backup, "has no age identity"],
      [backup, join(practice.cwd, "none.txt"), "--identity must name a readable file."],
      [plain, owner.file, "is not encrypted. Restore it without --identity."],
    ];
    for (const [file, identity, words] of cases)
      await expect(restore(practice, file, identity)).rejects.toThrow(words);
    nothingLeft(practice);
    expect(contentsOf(practice.url).users).toEqual(before.users ?? []);
  });

  test.each([
    ["truncated", (bytes: Buffer) => bytes.subarray(0, bytes.length - 1_000)],
    [
      "truncated at a chunk",
      (bytes: Buffer) => bytes.subarray(0, bytes.length - (bytes.length % 65_552)),
    ],
    [
      "changed in one bit",
      (bytes: Buffer) => {
        bytes[bytes.length - 500] = (bytes[bytes.length - 500] ?? 0) ^ 1;
        return bytes;
      },
    ],
  ])("restoring a backup that was %s is refused", async (_, change) => {
    const { practice, backup, owner } = await newBackup();
    writeFileSync(backup, change(readFileSync(backup)));
    await expect(restore(practice, backup, owner.file)).rejects.toThrow(
      "is damaged or truncated; use an earlier backup.",
    );
    nothingLeft(practice);
  });

  test("an invalid recipient or an existing file is refused", async () => {
    const { practice, owner, backup } = await newBackup();
    const make = (target: string, recipient: string) =>
      onDatabase(practice.url, (database) =>
        backUpCommand({ ...practice, database }, { target, recipients: [recipient] }),
      );
    await expect(make(join(practice.cwd, "b.age"), "age1nobody")).rejects.toThrow(
      "age1nobody is not an age recipient",
    );
    for (const secret of ["S3CRET-KEY-1Q", "age1 s3cret", "AGE-S3CRET", "-----BEGIN S3CRET"]) {
      const refusal = await make(join(practice.cwd, "b.age"), secret).catch(String);
      expect(refusal).toContain("The value of --encrypt-to is not an age recipient");
      expect(refusal).not.toContain("S3CRET");
    }
    await expect(make(backup, owner.recipient)).rejects.toThrow("exists");
    await expect(make(join(practice.cwd, "none", "b.age"), owner.recipient)).rejects.toThrow(
      "it must exist and be writable",
    );
    nothingLeft(practice);
  });
});
