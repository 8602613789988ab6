import { PlainError } from "../errors.ts";
import { MAX_WRITES } from "./request-slots.ts";

/** How slowly a body may arrive, in milliseconds and bytes. */
interface UploadLimits {
  /** When an upload counts as slow; before, the connection's idle timeout applies. */
  slow: number;
  window: number;
  minBytesPerWindow: number;
  longest: number;
}

/** A body of up to this size that has not arrived after a minute is too slow, so its pieces need not be counted. */
export const MIN_BYTES_PER_MINUTE = 60_000;

const LIMITS: UploadLimits = {
  slow: 5_000,
  window: 60_000,
  minBytesPerWindow: MIN_BYTES_PER_MINUTE,
  longest: 10 * 60_000,
};

/** Slow uploads of a key at a time: on a busy machine, all that may run or wait for a slot are slow. */
const MAX_SLOW = MAX_WRITES;

/** The idle timeout of a connection, in seconds: longer than a write waits for the lock. */
export const IDLE_TIMEOUT = 20;

/**
 * Lets bodies take their time over a slow line, within limits, and a limited number of them.
 *
 * The server would otherwise close the connection of a body that arrives with less than some 20 KB/s, without a
 * response.
 */
export class SlowUploads {
  readonly #keys: string[] = [];

  constructor(private readonly limits = LIMITS) {}

  /**
   * Receives a body.
   *
   * @param setIdleTimeout of the connection, in seconds; 0 is unlimited.
   * @param receive calls `arrived` with the size of each piece, which throws after a refusal.
   * @throws PlainError 408 for less than 1 KB/s over a minute, and after 10 minutes; 429 if too many bodies of the key
   * are slow.
   */
  async watch<Body>(
    keyId: string,
    setIdleTimeout: (seconds: number) => void,
    receive: (arrived: (bytes: number) => void) => Promise<Body>,
  ): Promise<Body> {
    const { slow, window, minBytesPerWindow, longest } = this.limits;
    const refused = Promise.withResolvers<never>();
    let refusal: PlainError | undefined;
    const refuse = (status: number, message: string, headers?: Record<string, string>) => {
      // The rest of the body is not read, so the connection cannot be used again.
      refusal = new PlainError(status, message, { ...headers, connection: "close" });
      refused.reject(refusal);
    };
    const refuseSlow = () => refuse(408, "Request body arrived too slowly");

    let bytes = 0;
    let windows: Timer | undefined;
    const beginning = setTimeout(() => {
      if (this.#keys.filter((id) => id === keyId).length >= MAX_SLOW)
        return refuse(429, "Too many requests", { "retry-after": "10" });
      this.#keys.push(keyId);
      setIdleTimeout(0);
      windows = setInterval(() => {
        if (bytes < minBytesPerWindow) refuseSlow();
        bytes = 0;
      }, window);
    }, slow);
    const end = setTimeout(refuseSlow, longest);
    const arrived = (size: number) => {
      if (refusal !== undefined) throw refusal;
      bytes += size;
    };
    try {
      return await Promise.race([receive(arrived), refused.promise]);
    } finally {
      clearTimeout(beginning);
      clearTimeout(end);
      if (windows !== undefined) {
        clearInterval(windows);
        this.#keys.splice(this.#keys.indexOf(keyId), 1);
        setIdleTimeout(IDLE_TIMEOUT);
      }
    }
  }
}
