import { createContext } from "preact";
import { useEffect, useState } from "preact/hooks";
import { remembered } from "../../../../lib/remembered.ts";
import { get, type Reading } from "./api.ts";
import { Failure, OUTDATED } from "./failure.ts";
import { revision } from "./revision.ts";
import { useUnread } from "./unread.ts";
import { signedIn } from "../sign-in/signed-in.ts";

/** The state of a request of a view. */
export interface ResponseState<Value> {
  /** The latest response; while `isLoading`, that of an earlier request. */
  value: Value | undefined;
  /** The sequence of the practice with that response, for writes of what it shows; undefined if it told none. */
  sequence: number | undefined;
  failure: Failure | undefined;
  isLoading: boolean;
  again(): void;
}

/**
 * The sequence of the practice with the response that is shown, for whatever is written below it: a write is refused if
 * somebody else has changed one of its records since. Undefined where the response told none.
 */
export const Since = createContext<number | undefined>(undefined);

/** Delay before an unreachable server is asked again, in milliseconds. */
const RETRY_INTERVAL = 3000;

type Answer<Value> = Pick<ResponseState<Value>, "value" | "sequence">;

interface State<Value> extends Partial<Answer<Value>> {
  /** The request of the value or failure. */
  question: string;
  /** The revision at which it was sent. */
  written: number;
  failure?: Failure;
}

/** What views showed last, by question: the last 40, and gone with the sign-in. */
const answers = new Map<string, Answer<unknown>>();
const MAX_ANSWERS = 40;
signedIn.subscribe(() => answers.clear());

function remember(question: string, answer: Answer<unknown>): void {
  answers.delete(question);
  answers.set(question, answer);
  const [oldest] = answers.keys();
  if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest);
}

/**
 * As `useResponse`, for what a view shows: who comes back sees the last answer at once, as one that is asked for again.
 * A question has one kind of answer in all of the page. Forms do not remember: they begin with what is stored now.
 */
export function useRemembered<Value>(
  question: string | undefined,
  ask: (reading: Reading, question: string) => Promise<Value>,
): ResponseState<Value> {
  const response = useResponse(question, ask);
  const { value, sequence, isLoading } = response;
  const last = answers.get(question ?? "") as Answer<Value> | undefined;
  useEffect(() => {
    if (question !== undefined && !isLoading && value !== undefined)
      remember(question, { value, sequence });
  }, [question, isLoading, value, sequence]);
  return isLoading ? { ...response, ...last } : response;
}

/**
 * Sends a request whenever the question changes, and shows only the response to the latest one; earlier requests are
 * aborted. An undefined question sends nothing. After a write of the page, the request is repeated. If the server is
 * unreachable, it is retried. A failure that nothing shows stands at the part of the page that has asked.
 */
export function useResponse<Value>(
  question: string | undefined,
  ask: (reading: Reading, question: string) => Promise<Value>,
): ResponseState<Value> {
  const [state, setState] = useState<State<Value>>();
  const [attempt, setAttempt] = useState(0);
  const written = revision.value;
  const again = () => setAttempt((current) => current + 1);

  useEffect(() => {
    if (question === undefined) return;
    const asking = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    const reading: Reading = { signal: asking.signal };
    ask(reading, question).then(
      (value) => {
        const { sequence } = reading;
        if (!asking.signal.aborted) setState({ question, written, value, sequence });
      },
      (error: unknown) => {
        if (asking.signal.aborted) return;
        const failure =
          error instanceof Failure
            ? error
            : new Failure("The page could not read the answer.", 500);
        setState({ question, written, failure });
        if (failure.status === undefined && failure.reason !== OUTDATED)
          retry = setTimeout(again, RETRY_INTERVAL);
      },
    );
    return () => {
      asking.abort();
      clearTimeout(retry);
    };
  }, [question, attempt, written]);

  const isCurrent = state !== undefined && state.question === question && state.written === written;
  const failure = isCurrent ? state.failure : undefined;
  useUnread(failure, again);
  return {
    value: state?.value,
    sequence: state?.sequence,
    failure,
    isLoading: question !== undefined && !isCurrent,
    again,
  };
}

/** The response to a GET of a path below `/api/v1`. */
export function useGet<Value>(path: string | undefined): ResponseState<Value> {
  return useRemembered(path, (reading, question) => get<Value>(question, reading));
}

/** What several parts of the page ask for, such as the choices of a field, by name; failures are not kept. */
const kept = new Map<string, Promise<unknown>>();
revision.subscribe(() => kept.clear());
signedIn.subscribe(() => kept.clear());

/** Makes a request unless it has been made already, and since then nothing was written. */
function once<Value>(name: string, ask: () => Promise<Value>): Promise<Value> {
  return remembered(kept, name, () => {
    const request = ask();
    request.catch(() => {
      if (kept.get(name) === request) kept.delete(name);
    });
    return request;
  }) as Promise<Value>;
}

/** A response that is asked for once by all parts of the page together, and again after any write. */
export function useShared<Value>(
  name: string | undefined,
  ask: () => Promise<Value>,
): ResponseState<Value> {
  return useRemembered(name, (_, question) => once(question, ask));
}
