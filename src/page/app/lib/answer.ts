import { useEffect, useState } from "preact/hooks";
import { get } from "./api.ts";
import { Failure } from "./failure.ts";
import { revision } from "./revision.ts";
import { signedIn } from "./signed-in.ts";

/** What a view knows of an answer that it asked for. */
export interface Answer<Value> {
  /** The latest answer; that to an earlier question while `isLoading`. */
  value: Value | undefined;
  failure: Failure | undefined;
  isLoading: boolean;
  again(): void;
}

/** How long until a server that could not be reached is asked again, in milliseconds. */
const RETRY_INTERVAL = 3000;

interface State<Value> {
  /** The question that the value or the failure is about. */
  question: string;
  value?: Value | undefined;
  failure?: Failure;
}

/**
 * Asks whenever the question changes, and shows the answer to the latest alone: an earlier one is given up, and
 * never overtakes. An undefined question asks nothing. What the page writes makes it ask anew. A server that cannot be reached is asked again until it can.
 */
export function useAnswer<Value>(
  question: string | undefined,
  ask: (signal: AbortSignal) => Promise<Value>,
): Answer<Value> {
  const [state, setState] = useState<State<Value>>();
  const [attempt, setAttempt] = useState(0);
  const written = revision.value;
  const again = () => setAttempt((current) => current + 1);

  useEffect(() => {
    if (question === undefined) return;
    const asking = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    ask(asking.signal).then(
      (value) => {
        if (!asking.signal.aborted) setState({ question, value });
      },
      (error: unknown) => {
        if (asking.signal.aborted) return;
        const failure =
          error instanceof Failure ? error : new Failure("The page could not read the answer.");
        setState({ question, failure });
        if (error instanceof Failure && failure.status === undefined)
          retry = setTimeout(again, RETRY_INTERVAL);
      },
    );
    return () => {
      asking.abort();
      clearTimeout(retry);
    };
  }, [question, attempt, written]);

  const isAnswered = state !== undefined && state.question === question;
  return {
    value: state?.value,
    failure: isAnswered ? state.failure : undefined,
    isLoading: question !== undefined && !isAnswered,
    again,
  };
}

/** The answer to a GET of a path below `/api/v1`. */
export function useGet<Value>(path: string | undefined): Answer<Value> {
  return useAnswer(path, (signal) => get<Value>(path ?? "", signal));
}

/** What is asked once while one is signed in, however many ask for it; a failure is not remembered. */
export function remembered<Value>(name: string, ask: () => Promise<Value>): Promise<Value> {
  const memory = signedIn.value?.remembered ?? new Map<string, Promise<unknown>>();
  const known = memory.get(name) as Promise<Value> | undefined;
  if (known !== undefined) return known;
  const asked = ask();
  memory.set(name, asked);
  asked.catch(() => memory.delete(name));
  return asked;
}
