import { describe, expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { refusedBody } from "../support/goals/bodies.ts";
import { newService } from "../support/harness.ts";
import { FORBIDDEN, type Kind } from "../support/inputs/kinds.ts";
import { noIntegerIssue, type Refusal } from "../support/inputs/parameters.ts";
import { validationBody } from "../support/list-rules.ts";
import { operations } from "../support/operations.ts";

/** Each parameter of each operation refuses values that it does not take, with 400 and the parameter's name. */

const service = await newService();
const key = await newApiKey(service.database, await newOrganization(service.database));

/** Bytes that are not UTF-8, among them half of a character. */
const oddBytes = ["%FF", "%C3", "a%C3%28", "%ED%A0%80", "a%ED%B0%80"];

const notUtf8: Refusal = ["custom", FORBIDDEN];

/** Each refused text of a parameter, as in a URL, and its issue. */
function refusedTexts(
  { type, refused }: Kind,
  isInPath: boolean,
): (readonly [string, ...Refusal])[] {
  const [, ...own] = refused.at(-1) as Kind["refused"][number];
  const texts = refused
    .filter(([value]) => String(value).isWellFormed())
    .map(([value, code, message]) => [encodeURIComponent(String(value)), code, message] as const);
  // In a path, these are characters like others.
  const odd = isInPath ? own : type === "integer" ? noIntegerIssue : notUtf8;
  return [...texts, ...oddBytes.map((bytes) => [bytes, ...odd] as const)];
}

const withParameters = operations.filter(({ parameters }) => Object.keys(parameters).length > 0);

describe.each(withParameters)("$operationId", (operation) => {
  const { method, path, params, query, body, errorStyle, parameters: kinds } = operation;
  const inPath = Object.keys(params?.properties ?? {});
  const idOf = (name: string) => (name === "goalId" ? "goal_1" : "x_1");
  /** The path with a text in place of one of its ids. */
  const withId = (text?: string, of?: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === of ? (text ?? "") : idOf(name)));
  const valid = withId();
  /** An address with a parameter, and with the others that are required. */
  const withOthers = (name: string) => {
    const others = query?.required?.filter((other) => other !== name) ?? [];
    return `${valid}?${others.map((other) => `${other}=x_1&`).join("")}${name}`;
  };

  /** Sends a body that is no JSON, because parameters are checked before. */
  const send = async (target: string) => {
    const mediaType = body?.type === "Uint8Array" ? "application/x-ndjson" : "application/json";
    const response = await service.call(`${method} /api${target}`, {
      key,
      ...(body !== undefined && { raw: "{", headers: { "Content-Type": mediaType } }),
    });
    return [target, response.status, response.body];
  };
  const refusal = (target: string, ...issues: Issue[]) => [
    ...[target, 400],
    errorStyle === "goal" ? refusedBody(...issues) : validationBody(...issues),
  ];

  test.each(Object.entries(kinds))("%s", async (name, kind) => {
    const isInPath = inPath.includes(name);
    for (const [text, code, message] of refusedTexts(kind, isInPath)) {
      const target = isInPath ? withId(text, name) : `${withOthers(name)}=${text}`;
      expect(await send(target)).toEqual(refusal(target, { code, message, path: [name] }));
    }
    if (isInPath) return;
    const message = kind.isSeveral
      ? "Separate several values with commas"
      : `Expected ${kind.type}, received array`;
    for (const value of ["1", ""]) {
      const target = `${withOthers(name)}=${value}&${name}=${value}`;
      const issue: Issue = { code: "invalid_type", message, path: [name] };
      expect(await send(target)).toEqual(refusal(target, issue));
    }
    if (kind.longest !== undefined)
      expect(JSON.stringify(await send(`${withOthers(name)}=${kind.longest}`))).not.toContain(
        "at most",
      );
  });

  test("all invalid ones at once, in the order of the schema; one of the path alone", async () => {
    const inQuery = Object.entries(kinds).filter(([name]) => !inPath.includes(name));
    const firsts = inQuery.map(([name, kind]) => [name, ...refusedTexts(kind, false)[0]!] as const);
    const asked = firsts.map(([name, text]) => `${name}=${text}`);
    const target = `${valid}?${asked.toReversed().join("&")}`;
    const issues = firsts.map(([name, , code, message]): Issue => ({
      code,
      message,
      path: [name],
    }));
    if (issues.length > 0) expect(await send(target)).toEqual(refusal(target, ...issues));
    for (const name of inPath) {
      const malformed = `${withId("a.b", name)}?${asked.join("&")}`;
      const message = expect.any(String) as never;
      const issue: Issue = { code: "custom", message, path: [name] };
      expect(await send(malformed)).toEqual(refusal(malformed, issue));
    }
  });
});
