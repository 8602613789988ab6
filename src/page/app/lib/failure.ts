/** What is wrong with one field of a request. */
export interface Issue {
  /** Of a practice file, it begins with the number of the line. */
  path: readonly (string | number)[];
  message: string;
  /** Of a practice file: why, in a word, such as `required`. */
  reason?: string;
}

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
