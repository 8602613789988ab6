import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { authorized } from "../authorized.ts";
import type { StoppedClock } from "../../lib/clock.ts";
import { InvalidInput } from "../../lib/errors.ts";
import { epochMilliseconds } from "../../lib/instant.ts";
import { InstantField } from "../../schema/fields.ts";
import { FaultsModel } from "./faults.ts";
import type { Sandbox } from "./sandbox.ts";

/** `/test`: what tests ask of `serve --ephemeral`, with any key (docs/testing-against-it.md). */

/** Elysia changes what a route declares, so each has its own. No worker has these routes. */
const undocumented = () => ({ permission: "readOwnKey", detail: { hide: true } }) as const;

export function sandboxRoutes(sandbox: Sandbox) {
  const { faults } = sandbox;
  const routes = new Elysia({ name: "sandbox" })
    .use(authorized)
    .get("/test/faults", () => faults.list, undocumented())
    .put(
      "/test/faults",
      ({ body }) => {
        faults.replace(body);
        return faults.list;
      },
      { ...undocumented(), body: FaultsModel },
    )
    .post(
      "/test/reset",
      async ({ request, status }) => {
        await sandbox.reset(request);
        return status(204, undefined);
      },
      undocumented(),
    );
  return sandbox.clock === undefined ? routes : routes.use(testClock(sandbox.clock));
}

/** `PUT /test/clock`: moves a clock that stands still. */
function testClock(clock: StoppedClock) {
  return new Elysia({ name: "test clock" }).use(authorized).put(
    "/test/clock",
    async ({ body: { now } }) => {
      if (epochMilliseconds(now) < clock.now())
        throw new InvalidInput([
          { code: "custom", message: "Must not be before the present time", path: ["now"] },
        ]);
      await clock.moveTo(epochMilliseconds(now));
      return { now };
    },
    { ...undocumented(), body: Type.Object({ now: InstantField() }, { shortBytes: Infinity }) },
  );
}
