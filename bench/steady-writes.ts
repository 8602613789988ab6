import type { Work } from "./load.ts";
import type { Server } from "./servers.ts";

/** Writes that go on until they are stopped. */
export interface SteadyWrites {
  /** @throws Error when one was not answered with success. */
  stop(): Promise<void>;
}

/** Sends numbered requests at a steady rate, whether or not earlier ones have been answered. */
export function steadyWrites(server: Server, work: Work, perSecond: number): SteadyWrites {
  const { path, headers = {}, numbered } = work;
  if (numbered === undefined) throw new Error(`${path} is no write`);
  const answers: Promise<number>[] = [];
  const send = async (number: number): Promise<number> => {
    const response = await fetch(server.url + path, {
      method: numbered.method,
      headers: { ...headers, "Content-Type": "application/json" },
      body: numbered.body.replaceAll("{n}", String(number)),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const timer = setInterval(() => {
    answers.push(send(numbered.first + answers.length));
  }, 1000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      const refused = (await Promise.all(answers)).filter((status) => status >= 300);
      if (refused.length > 0)
        throw new Error(
          `${refused.length} of ${answers.length} writes were answered ${refused[0]}`,
        );
    },
  };
}
