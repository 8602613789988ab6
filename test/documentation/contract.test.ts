import { describe, expect, test } from "bun:test";
import { checkAgainstDocument, type Exchange } from "../support/contract.ts";

/**
 * The checker through which every test's responses go: what it must accept and what it must refuse.
 */

const session = {
  publicId: "apt_1",
  title: "Direct therapy",
  status: "CONFIRMED",
  startTime: "2026-03-10T14:00:00.000Z",
  endTime: "2026-03-10T15:00:00.000Z",
  isSupervision: false,
  isClientPresent: true,
  placeOfService: "OFFICE",
  locationId: "loc_1",
  technicianId: null,
  clientId: null,
  isBillable: false,
  nonBillableCode: "nbc_1",
};

const notFound = { error: "Session not found", statusCode: 404 };

const common = {
  "Content-Type": "application/json; charset=utf-8",
  "X-Request-Id": "r-1",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

function answered(
  exchange: Partial<Omit<Exchange, "headers">>,
  headers: Record<string, string> = { ...common, "Caseload-Sequence": "7" },
) {
  const path = "/api/v1/sessions/apt_1";
  const answer = { method: "GET", path, status: 200, body: session, ...exchange };
  return () => checkAgainstDocument({ ...answer, headers: new Headers(headers) });
}

describe("the checker accepts", () => {
  test("a response as documented", () => {
    expect(answered({})).not.toThrow();
    expect(answered({ path: "/api/v1/sessions/apt_1?extra=1" })).not.toThrow();
  });

  test("a documented error", () => {
    expect(answered({ status: 404, body: notFound })).not.toThrow();
  });

  test("HEAD without a body", () => {
    expect(answered({ method: "HEAD", body: undefined })).not.toThrow();
  });

  test("the 405 of an unsupported method", () => {
    const body = { error: "Method not allowed", statusCode: 405 };
    const headers = { ...common, Allow: "GET, HEAD" };
    expect(answered({ method: "PUT", status: 405, body }, headers)).not.toThrow();
  });

  test("the 404 of an unknown path", () => {
    const body = { error: "Not found", statusCode: 404 };
    expect(answered({ path: "/api/v1/nowhere", status: 404, body })).not.toThrow();
    expect(answered({ path: "/api/v1/sessions/a/b", status: 404, body })).not.toThrow();
  });

  test("responses of paths outside the API", () => {
    expect(answered({ path: "/livez", body: { status: "ok" } }, {})).not.toThrow();
    expect(answered({ path: "/apis", body: "?" }, {})).not.toThrow();
  });
});

describe("the checker refuses", () => {
  test("an undocumented status", () => {
    expect(answered({ status: 201 })).toThrow(
      "GET /v1/sessions/{sessionId} answered 201, which is not documented",
    );
  });

  test("a 200 of an undocumented method or path", () => {
    expect(answered({ method: "DELETE" })).toThrow("DELETE /v1/sessions/{sessionId} answered 200");
    expect(answered({ path: "/api/v1/nowhere" })).toThrow("GET /api/v1/nowhere answered 200");
  });

  test.each([
    ["a missing field", { ...session, title: undefined }, "required property 'title'"],
    ["an undocumented field", { ...session, clinicianId: null }, "clinicianId"],
    [
      "null in a field that is not nullable",
      { ...session, locationId: null },
      "/locationId must be string",
    ],
    [
      "a value that the enumeration does not have",
      { ...session, status: "LATE" },
      "/status must be equal to one of",
    ],
    [
      "an instant in another format",
      { ...session, startTime: "2026-03-10T14:00:00Z" },
      "/startTime",
    ],
    ["no body", undefined, "must be object"],
  ])("%s", (_, body, problem) => {
    expect(answered({ body })).toThrow(problem);
  });

  test("an error of another shape", () => {
    expect(answered({ status: 404, body: { error: "Session not found" } })).toThrow("statusCode");
    expect(answered({ status: 404, body: { ...notFound, cause: "?" } })).toThrow("cause");
  });

  test("another message than the documented ones", () => {
    const body = { error: "User not found", statusCode: 404 };
    expect(answered({ status: 404, body })).toThrow("no example");
  });

  test("a missing or malformed header", () => {
    const unauthorized = { status: 401, body: { error: "API key required", statusCode: 401 } };
    expect(answered(unauthorized)).toThrow("the header WWW-Authenticate is missing");
    const busy = {
      status: 503,
      body: { error: "Service temporarily unavailable", statusCode: 503 },
    };
    expect(answered(busy, { ...common, "Retry-After": "soon" })).toThrow("the header Retry-After");
    expect(answered({}, { ...common, "Cache-Control": "public" })).toThrow("Cache-Control");
  });

  test("another media type", () => {
    expect(answered({}, { ...common, "Content-Type": "text/plain" })).toThrow(
      "the media type is text/plain",
    );
  });
});
