/** A request that the API refused, or that did not reach it. */
export class Failure extends Error {
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;

  constructor(sentence: string, status?: number, requestId?: string) {
    super(sentence);
    this.status = status;
    this.requestId = requestId;
  }
}
