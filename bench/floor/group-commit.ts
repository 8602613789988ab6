import type { Database } from "bun:sqlite";

interface Waiting {
  work: () => unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/** Runs the writes of one turn of the event loop in one transaction, and resolves each after the commit. */
export function groupCommit(file: Database): <Result>(work: () => Result) => Promise<Result> {
  const begin = file.prepare("begin immediate");
  const commit = file.prepare("commit");
  const rollback = file.prepare("rollback");
  let waiting: Waiting[] = [];

  const commitGroup = (): void => {
    const group = waiting;
    waiting = [];
    try {
      begin.run();
      const results = group.map(({ work }) => work());
      commit.run();
      group.forEach(({ resolve }, index) => resolve(results[index] as never));
    } catch (error) {
      if (file.inTransaction) rollback.run();
      for (const { reject } of group) reject(error);
    }
  };

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject });
      if (waiting.length === 1) setImmediate(commitGroup);
    });
}
