import type { Issue as ApiIssue } from "../../../../lib/errors.ts";

/** What is wrong with one field of a request; of a practice file, its path begins with the number of the line. */
export type Issue = Omit<ApiIssue, "code">;

/** A request that the API refused, or that did not reach it. */
export class Failure extends Error {
  /** Undefined where no response came. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly issues: readonly Issue[];

  constructor(
    sentence: string,
    status?: number,
    { requestId, issues = [] }: { requestId?: string | undefined; issues?: readonly Issue[] } = {},
  ) {
    super(sentence);
    this.status = status;
    this.requestId = requestId;
    this.issues = issues;
  }
}
