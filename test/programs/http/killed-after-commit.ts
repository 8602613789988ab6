import { GroupCommit } from "../../../db/group-commit.ts";

/**
 * Preloaded before the program, this kills the process after the work of a request was committed
 * and before its response is sent. Only writes of requests have a response.
 */

const write = GroupCommit.prototype.write;

GroupCommit.prototype.write = async function (work) {
  const result = await write.call(this, work);
  const isResponse = typeof result === "object" && result !== null && "body" in result;
  if (isResponse) process.kill(process.pid, "SIGKILL");
  return result as never;
};
