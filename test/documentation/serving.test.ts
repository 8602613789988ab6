import { describe, expect, test } from "bun:test";
import { document } from "../support/endpoints.ts";
import { newService } from "../support/harness.ts";

const service = await newService();

async function get(path: string): Promise<Response> {
  return service.app.handle(new Request(`http://localhost${path}`));
}

describe("GET /swagger/json", () => {
  test("responds with the OpenAPI document and needs no key", async () => {
    const { status, headers, body } = await service.call("GET /swagger/json");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(body).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test("responds with the same bytes each time", async () => {
    const first = await service.call("GET /swagger/json");
    const second = await service.call("GET /swagger/json");
    expect(second.text).toBe(first.text);
  });
});

describe("GET /swagger", () => {
  test("allows loading from this server only, and no inline scripts", async () => {
    const response = await get("/swagger");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    const page = await response.text();
    expect(page).not.toMatch(/https?:|<script>|<style|\son\w+=/);
  });

  test.each([
    ["/swagger/swagger-ui-bundle.js", "text/javascript; charset=utf-8", "SwaggerUIBundle"],
    ["/swagger/swagger-ui.css", "text/css; charset=utf-8", ".swagger-ui"],
    ["/swagger/start.js", "text/javascript; charset=utf-8", "swagger/json"],
  ])("has %s on this server", async (path, mediaType, content) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(mediaType);
    expect(await response.text()).toContain(content);
  });

  test("has the headers of every response", async () => {
    for (const path of ["/swagger", "/swagger/json", "/swagger/start.js"]) {
      const { headers } = await get(path);
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});

test("other paths below /swagger, other methods and a trailing slash respond 404", async () => {
  const notFound = { error: "Not found", statusCode: 404 };
  for (const line of ["GET /swagger/", "GET /swagger/other", "POST /swagger", "PUT /swagger/json"])
    expect(await service.call(line)).toMatchObject({ status: 404, body: notFound });
});
