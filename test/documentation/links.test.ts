import { describe, expect, test } from "bun:test";
import { seedDemo } from "../../src/demo/practice.ts";
import type { Operation } from "../../src/http/document/openapi.ts";
import { document } from "../support/endpoints.ts";
import { newApiKey } from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";

/**
 * OpenAPI links lead from an operation that creates or lists records to operations that take their
 * ids.
 */

const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const byId = new Map(operations.map((operation) => [operation.operationId, operation]));

const links = operations.flatMap(({ operationId: from, responses }) =>
  Object.values(responses).flatMap((response) =>
    "links" in response
      ? Object.values(response.links ?? {}).map(({ operationId: to, parameters }) => ({
          from,
          to,
          parameters,
        }))
      : [],
  ),
);

function parameterNames({ parameters }: Operation, place?: string): string[] {
  return parameters.flatMap((parameter) => {
    const { name, in: where } = parameter as { name?: string; in?: string };
    return name !== undefined && (place === undefined || where === place) ? name : [];
  });
}

test.each(links)(
  "the link from $from to $to uses parameters of that operation",
  ({ to, parameters }) => {
    const target = byId.get(to);
    expect(target === undefined ? [] : parameterNames(target)).toEqual(
      expect.arrayContaining(Object.keys(parameters)),
    );
  },
);

test("every operation with an id in its path is the target of a link", () => {
  const taking = operations.filter((operation) => parameterNames(operation, "path").length > 0);
  const led = new Set(links.map(({ to }) => to));
  expect(taking.map(({ operationId }) => operationId).filter((id) => !led.has(id))).toEqual([]);
});

describe("links work in the demo practice", async () => {
  const service = await newService();
  const organization = await seedDemo(service.database, Date.parse(NOW), "ana");
  const key = await newApiKey(service.database, organization);

  /** The value at an expression such as `$response.body#/data/0/publicId`. */
  function valueAt(body: unknown, expression: string): unknown {
    const steps = expression.replace("$response.body#/", "").split("/");
    return steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], body);
  }

  /** The path of an operation with a value for a path or query parameter. */
  function pathOf(operationId: string, name: string, value: string): string {
    const [path = ""] =
      Object.entries(document.paths).find(([, methods]) =>
        Object.values(methods).some((operation) => operation.operationId === operationId),
      ) ?? [];
    const place = `{${name}}`;
    return path.includes(place) ? path.replace(place, value) : `${path}?${name}=${value}`;
  }

  test("from the list of sessions to its first session", async () => {
    const [link] = links.filter(({ from }) => from === "listSessions");
    const { body } = await service.call("GET /api/v1/sessions", { key });
    const id = valueAt(body, link?.parameters.sessionId ?? "");
    const { status } = await service.call(`GET /api/v1/sessions/${id}`, { key });
    expect(status).toBe(200);
  });

  test("from the list of sessions to the client of its first session", async () => {
    const link = links.find(({ from, to }) => from === "listSessions" && to === "getUser");
    const { body } = await service.call("GET /api/v1/sessions?pageSize=100", { key });
    const { data } = body as { data: { clientId: string | null }[] };
    const first = data.findIndex(({ clientId }) => clientId !== null);
    const id = valueAt({ data: data.slice(first) }, link?.parameters.userId ?? "");
    expect((await service.call(`GET /api/v1/users/${id}`, { key })).body).toMatchObject({
      role: "PATIENT",
    });
  });

  test("from the list of users to a patient's sessions and utilization", async () => {
    const { body } = await service.call("GET /api/v1/users?role=PATIENT&pageSize=100", { key });
    const { data } = body as { data: { authorizations: unknown[] }[] };
    const first = { data: data.filter(({ authorizations }) => authorizations.length > 0) };
    for (const { to, parameters } of links.filter(({ from }) => from === "listUsers")) {
      const [[name = "", expression = ""] = []] = Object.entries(parameters);
      const id = valueAt(first, expression);
      const { status } = await service.call(`GET /api${pathOf(to, name, String(id))}`, { key });
      expect([to, status]).toEqual([to, 200]);
    }
  });

  test("the entry of a pool links to its utilization, and that to one of its authorizations", async () => {
    const { body: overview } = await service.call("GET /api/v1/authorization-utilization", { key });
    const entries = (overview as { data: { subject: string }[] }).data;
    const pools = { data: entries.filter((entry) => entry.subject === "POOL") };
    const [toRead] = links.filter(({ from }) => from === "listAuthorizationUtilization");
    const subject = valueAt(pools, toRead?.parameters.publicId ?? "");
    const path = "/api/v1/authorization-utilization";
    const { status, body } = await service.call(`GET ${path}/${subject}`, { key });
    expect([status, body]).toMatchObject([200, { subject: "POOL" }]);
    const [toAsk, , toList] = links.filter(({ from }) => from === "readAuthorizationUtilization");
    const asked = valueAt(body, toAsk?.parameters.publicId ?? "");
    const answers = [
      await service.call(`POST ${path}/${asked}/what-if`, { key, json: {} }),
      await service.call(
        `GET /api/v1/sessions?authorizationId=${valueAt(body, toList?.parameters.authorizationId ?? "")}`,
        { key },
      ),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
  });
});
