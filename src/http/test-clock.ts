import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { StoppedClock } from "../lib/clock.ts";
import { InvalidInput } from "../lib/errors.ts";
import { epochMilliseconds } from "../lib/instant.ts";
import { InstantField } from "../schema/fields.ts";
import { authorized } from "./authorized.ts";

/** `PUT /test/clock`: moves the clock of an ephemeral server that was started with `--now`, with any key. */
export function testClock(clock: StoppedClock) {
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
    {
      permission: "readOwnKey",
      // No worker has this route.
      body: Type.Object({ now: InstantField() }, { shortBytes: Infinity }),
      detail: { hide: true },
    },
  );
}
