import type { ComponentChildren } from "preact";
import { type ResponseState, Since } from "../../lib/base/response.ts";
import { type Failure, OUTDATED } from "../../lib/base/failure.ts";
import { useShown } from "../../lib/base/unread.ts";
import { Button } from "./button.tsx";

/** Notices that a view shows instead of data. */

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

/** Whether a failed request may succeed later; refused requests are refused again. */
function isWorthAnother({ status }: Failure): boolean {
  return status === undefined || status === 429 || status >= 500;
}

/** A failure with the request's id for the server's log, and what one can do. */
export function Alert(properties: {
  failure: Failure;
  about?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const { failure, about, children } = properties;
  return (
    <div class="notice failure" role="alert">
      <p>
        {about}
        {failure.message}
      </p>
      {failure.requestId !== undefined && (
        <p class="request-id">
          Request <code>{failure.requestId}</code>
        </p>
      )}
      {children}
    </div>
  );
}

/** The failure of a request, in place of its answer. */
export function FailureNotice(properties: {
  failure: Failure;
  about?: string;
  again: () => void;
  /** False where it stands beside what it is about, and for more than itself. */
  isForWhole?: boolean;
}) {
  const { failure, about, again, isForWhole = true } = properties;
  useShown(isForWhole ? failure : undefined);
  const isForbidden = failure.status === FORBIDDEN;
  const isOutdated = failure.reason === OUTDATED;
  return (
    <Alert
      failure={failure}
      about={
        isForbidden ? <strong>The role of this key is not allowed to see this. </strong> : about
      }
    >
      {failure.status === undefined && !isOutdated && (
        <p>The page tries again every few seconds.</p>
      )}
      {isOutdated ? (
        <Button onClick={() => location.reload()}>Reload</Button>
      ) : (
        isWorthAnother(failure) && <Button onClick={again}>Try again</Button>
      )}
    </Alert>
  );
}

/** What a part of a view says in place of what could not be read. */
export function PartFailure(properties: {
  response: Pick<ResponseState<unknown>, "failure" | "again">;
  /** `The next sessions` */
  what: string;
}) {
  const { response, what } = properties;
  if (response.failure === undefined) return null;
  return (
    <FailureNotice
      failure={response.failure}
      about={`${what} could not be read: `}
      again={response.again}
    />
  );
}

/** A response, or a notice instead of it. The previous response stays visible while a new one is loading. */
export function ResponseView<Value>(properties: {
  response: ResponseState<Value>;
  children: (value: Value) => ComponentChildren;
}) {
  const { response, children } = properties;
  if (response.failure !== undefined)
    return <FailureNotice failure={response.failure} again={response.again} />;
  if (response.value === undefined) return <Loading />;
  return (
    <div class={response.isLoading ? "stale" : undefined} aria-busy={response.isLoading}>
      <Since.Provider value={response.sequence}>{children(response.value)}</Since.Provider>
    </div>
  );
}
