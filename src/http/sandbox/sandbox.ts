import type { Exchange } from "../context.ts";
import { outermost } from "../inner-requests.ts";
import { API_BASE } from "../paths.ts";
import type { StoppedClock } from "../../lib/clock.ts";
import { cutOff, Faults } from "./faults.ts";
import { Gate } from "./gate.ts";

/** What a server for tests can do that others cannot: a clock that is moved, faults, and a new beginning. */
export class Sandbox {
  /** Undefined if it is the machine's. */
  readonly clock: StoppedClock | undefined;
  readonly faults: Faults;
  readonly #gate = new Gate();
  readonly #cut = new WeakSet<Request>();

  constructor(
    private readonly given: {
      clock: StoppedClock | undefined;
      /** The ids of operations, by method and path. */
      operations: ReadonlyMap<string, string>;
      /** Puts the database back as it was at the start. */
      putBack(): Promise<void>;
      /**
       * Whether a connection is kept on which nothing moves for long: a fault may delay for a minute, and a reset waits
       * for it, as does whoever comes behind the reset.
       */
      keepOpen(request: Request, isWaiting: boolean): void;
      /** Stops what runs beside requests, and starts it again with nothing remembered. */
      pause(): Promise<void>;
      resume(): void;
    },
  ) {
    this.clock = given.clock;
    this.faults = new Faults([...given.operations.values()]);
  }

  /** Answers a request that has arrived. */
  async answer(request: Request, respond: () => Promise<Response>): Promise<Response> {
    const { keepOpen } = this.given;
    keepOpen(request, true);
    const response = await this.#gate.pass(() => {
      keepOpen(request, false);
      return respond();
    });
    return this.#cut.has(request) ? cutOff(response) : response;
  }

  /**
   * Lets a request with a valid key meet a fault.
   *
   * @throws PlainError of the fault, which leaves no row of the trail.
   */
  async meetFault({ request, row }: Exchange, route: string): Promise<void> {
    if (!route.startsWith(API_BASE)) return;
    const method = request.method === "HEAD" ? "GET" : request.method;
    const { isDue } = row;
    row.isDue = false;
    const operationId = this.given.operations.get(`${method} ${route}`);
    const met = this.faults.meet(operationId, request.signal);
    if (await this.#waitedFor(request, met)) this.#cut.add(outermost(request));
    row.isDue = isDue;
  }

  async #waitedFor<Result>(request: Request, wait: Promise<Result>): Promise<Result> {
    this.given.keepOpen(request, true);
    return wait.finally(() => this.given.keepOpen(request, false));
  }

  /** Begins anew, after all other requests that have arrived. */
  async reset(request: Request): Promise<void> {
    const reset = this.#gate.alone(async () => {
      await this.given.pause();
      await this.given.putBack();
      this.clock?.putBack();
      this.faults.replace([]);
      this.given.resume();
    });
    await this.#waitedFor(request, reset);
  }
}
