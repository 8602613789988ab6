import type { Issue as ApiIssue } from "../../../../lib/errors.ts";

/** What is wrong with one field of a request; of a practice file, its path begins with the number of the line. */
export type Issue = Omit<ApiIssue, "code">;

/** The reason of a failure that only another page of a newer version ends. */
export const OUTDATED = "outdated";

/** A request that the API refused, or has not answered. */
export class Failure extends Error {
  /** Undefined where the API has not answered: for a write, it is not known what became of it. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly issues: readonly Issue[];
  /** What the API says besides, for the page; or `OUTDATED`. */
  readonly reason: string | undefined;

  constructor(
    sentence: string,
    status?: number,
    {
      requestId,
      issues = [],
      reason,
    }: {
      requestId?: string | undefined;
      issues?: readonly Issue[];
      reason?: string | undefined;
    } = {},
  ) {
    super(sentence);
    this.status = status;
    this.requestId = requestId;
    this.issues = issues;
    this.reason = reason;
  }
}
