import { expect, test } from "bun:test";
import { Elysia, t } from "elysia";

/**
 * `src/http/authorized.ts` changes a route's declaration within a macro's `introspect`, which
 * Elysia does not document. These tests fail if an update of Elysia passes a copy instead.
 * Responses would then be validated twice, and bodies parsed by Elysia.
 */

const app = new Elysia()
  .macro({
    unchecked: (_: boolean) => ({
      introspect(declaration: Record<string, unknown>) {
        delete declaration.response;
        declaration.body = t.Object({ number: t.Number() });
      },
    }),
  })
  .post("/changed", ({ body }) => body as never, {
    unchecked: true,
    body: t.Object({ text: t.String() }),
    response: t.String(),
  })
  .post("/as-declared", ({ body }) => body as never, {
    body: t.Object({ number: t.Number() }),
    response: t.String(),
  });

async function statusOf(path: string, body: object): Promise<number> {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  return (await app.handle(new Request(`http://localhost${path}`, init))).status;
}

test("Elysia validates a request by the schema that introspect sets, and no response if introspect deletes its schema", async () => {
  expect(await statusOf("/changed", { number: 5 })).toBe(200);
  expect(await statusOf("/changed", { text: "a" })).toBe(422);
});

test("Elysia validates responses of routes that keep their response schema", async () => {
  expect(await statusOf("/as-declared", { number: 5 })).toBe(422);
});
