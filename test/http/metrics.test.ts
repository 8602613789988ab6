import { expect, test } from "bun:test";
import { newMetrics } from "../../src/http/metrics.ts";

test("requests are counted by status, and durations are cumulated per bucket", () => {
  const metrics = newMetrics();
  const answered = (status: number, seconds: number) =>
    metrics.observe({ method: "GET", route: "/livez", status, seconds });
  for (const seconds of [0.0004, 0.0005, 0.3]) answered(200, seconds);
  answered(503, 20);
  metrics.observe({ method: "POST", route: "/v1/users", status: 200, seconds: 0.002 });
  const lines = metrics.text().split("\n");
  expect(lines.filter((line) => line.startsWith("caseload_requests_total{"))).toEqual([
    'caseload_requests_total{method="GET",route="/livez",status="200"} 3',
    'caseload_requests_total{method="GET",route="/livez",status="503"} 1',
    'caseload_requests_total{method="POST",route="/v1/users",status="200"} 1',
  ]);
  expect(lines).toContain("# TYPE caseload_request_duration_seconds histogram");
  const buckets = lines.filter((line) => line.includes("_bucket{") && line.includes("/livez"));
  expect(buckets.map((line) => [/le="([^"]+)"/.exec(line)?.[1], line.split(" ").at(-1)])).toEqual([
    ...["0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25"].map(
      (longest) => [longest, "2"],
    ),
    ...["0.5", "1", "2.5", "5", "10"].map((longest) => [longest, "3"]),
    ["+Inf", "4"],
  ]);
  expect(lines).toContain(
    'caseload_request_duration_seconds_sum{method="GET",route="/livez"} 20.3009',
  );
  expect(lines).toContain('caseload_request_duration_seconds_count{method="GET",route="/livez"} 4');
});

test("reading the metrics twice gives the same counts", () => {
  const metrics = newMetrics();
  metrics.observe({ method: "PROPFIND", route: "unknown", status: 404, seconds: 0.001 });
  const withoutProcess = () =>
    metrics
      .text()
      .split("\n")
      .filter((line) => line.includes("request"));
  const first = withoutProcess();
  expect(first).toContain('caseload_requests_total{method="other",route="unknown",status="404"} 1');
  expect(withoutProcess()).toEqual(first);
});
