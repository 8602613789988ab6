import { Failure, OUTDATED } from "./failure.ts";

/** The scripts of the page that are loaded when they are first needed: `bundler.ts` has each import of one come here. */

/** How long a script may take, in milliseconds. */
const LOADING_TIME = 15_000;

/** How often each was asked for. Browsers never ask again for an address that has failed, or that hangs. */
const asked = new Map<string, number>();

/**
 * Imports a script by its name.
 *
 * @param first asks for it the first time.
 * @throws Failure if it does not come; `OUTDATED` if the server has none of that name any more, after an update.
 */
async function importPart(name: string, first: () => Promise<unknown>): Promise<unknown> {
  const count = asked.get(name) ?? 0;
  asked.set(name, count + 1);
  const address = new URL(name, import.meta.url).href;
  const tooLong = Promise.withResolvers<never>();
  const timer = setTimeout(() => tooLong.reject(new Error()), LOADING_TIME);
  try {
    const script = count === 0 ? first() : import(`${address}?again=${count}`);
    return await Promise.race([script, tooLong.promise]);
  } catch {
    throw await whyNot(address);
  } finally {
    clearTimeout(timer);
  }
}

const NOT_FOUND = 404;

async function whyNot(address: string): Promise<Failure> {
  const response = await fetch(address, {
    ...{ method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(LOADING_TIME) },
  }).catch(() => undefined);
  return response?.status === NOT_FOUND
    ? new Failure("Caseload was updated since this page was opened.", undefined, {
        reason: OUTDATED,
      })
    : new Failure("The server cannot be reached.");
}

Object.assign(globalThis, { importPart });
