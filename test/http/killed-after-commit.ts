import { GroupCommit } from "../../db/group-commit.ts";

/**
 * Loaded before the program, this kills it when a request's work is committed and its answer has not left:
 * of all writes, only those that answer a request give a response.
 */

const write = GroupCommit.prototype.write;

GroupCommit.prototype.write = async function (work) {
  const result = await write.call(this, work);
  if (result instanceof Response) process.kill(process.pid, "SIGKILL");
  return result as never;
};
