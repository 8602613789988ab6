import type { ComponentChildren } from "preact";
import type { Answer } from "../lib/answer.ts";
import type { Failure } from "../lib/failure.ts";

/** What a view shows where it has nothing else to show. */

export function Loading() {
  return (
    <p class="notice" role="status">
      <span class="spinner" aria-hidden="true" /> Loading…
    </p>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return (
    <div class="notice" role="status">
      {children}
    </div>
  );
}

const FORBIDDEN = 403;

/** Whether a request that failed may do better another time: what was refused as it is will be refused again. */
function isWorthAnother({ status }: Failure): boolean {
  return status === undefined || status === 429 || status >= 500;
}

/** The API's own sentence, with the id under which the server's log has the request. */
export function FailureNotice({ failure, again }: { failure: Failure; again?: () => void }) {
  return (
    <div class="notice failure" role="alert">
      <p>
        {failure.status === FORBIDDEN && <strong>The role of this key may not see this. </strong>}
        {failure.message}
      </p>
      {failure.status === undefined && again && <p>It is asked again every few seconds.</p>}
      <RequestId failure={failure} />
      {again && isWorthAnother(failure) && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

export function RequestId({ failure: { requestId } }: { failure: Failure }) {
  if (requestId === undefined) return null;
  return (
    <p class="request-id">
      Request <code>{requestId}</code>
    </p>
  );
}

/** An answer, or what there is instead of it. An earlier answer stays while a new one is on its way. */
export function Answered<Value>(properties: {
  answer: Answer<Value>;
  children: (value: Value) => ComponentChildren;
}) {
  const { answer, children } = properties;
  if (answer.failure !== undefined)
    return <FailureNotice failure={answer.failure} again={answer.again} />;
  if (answer.value === undefined) return <Loading />;
  return (
    <div class={answer.isLoading ? "stale" : undefined} aria-busy={answer.isLoading}>
      {children(answer.value)}
    </div>
  );
}
