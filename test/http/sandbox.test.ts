import { expect, test } from "bun:test";
import { Sandbox } from "../../src/http/sandbox/sandbox.ts";

test("a request to a server for tests may wait for a fault longer than an idle connection is kept", async () => {
  const kept: Request[] = [];
  const sandbox = new Sandbox({
    ...{ clock: undefined, operations: new Map(), resume() {} },
    ...{ async putBack() {}, async pause() {} },
    keepConnection: (request) => void kept.push(request),
  });
  const request = new Request("http://localhost/api/v1/me");
  const response = await sandbox.answer(request, async () => new Response("answered"));
  expect([kept, await response.text()]).toEqual([[request], "answered"]);
});
