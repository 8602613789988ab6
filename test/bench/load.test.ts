import { expect, test } from "bun:test";
import { inRounds, median, parseFigures } from "../../bench/load.ts";

const OUTPUT = `Running 3s test @ http://127.0.0.1:3000/api/v1/sessions
  1 threads and 32 connections
  8000 requests in 2.00s, 8.00MB read
Requests/sec:   4000.00

{"requests":8000,"microseconds":2000000,"bytes":8000000,"mean":8000.5,"p50":7500,"p99":21000,"refused":0,"failed":0}
`;

test("parseFigures reads rates per second and times in milliseconds from the last line of wrk's output", () => {
  expect(parseFigures(OUTPUT, 1600)).toEqual({
    requestsPerSecond: 4000,
    bytes: 1000,
    mean: 8.0005,
    p50: 7.5,
    p99: 21,
    processor: 0.2,
  });
});

test.each([
  ['"refused":0', '"refused":3', "3 of 8000 answers were no success"],
  ['"failed":0', '"failed":2', "2 connections failed"],
  ['"requests":8000', '"requests":0', "no request was answered in time"],
  ["{", "(", "wrk gave no figures"],
])(
  "parseFigures refuses the output of a failed run: %s replaced by %s",
  (sound, broken, message) => {
    expect(() => parseFigures(OUTPUT.replace(sound, broken), 1600)).toThrow(message);
  },
);

test("median is the middle number, or the mean of the middle two", () => {
  expect(median([5, 1, 100])).toBe(5);
  expect(median([4, 1, 100, 2])).toBe(3);
});

test("candidates take turns, and each gets the median of its own rounds", async () => {
  const order: string[] = [];
  const candidate = (name: string, rates: number[]) => ({
    name,
    measure: async () => {
      order.push(name);
      const rate = rates.shift() ?? 0;
      return { requestsPerSecond: rate, bytes: 1, mean: 1, p50: 1, p99: rate / 10, processor: 1 };
    },
  });
  const figures = await inRounds(3, [
    candidate("service", [10, 900, 20]),
    candidate("floor", [30, 50, 40]),
  ]);
  expect(order).toEqual(["service", "floor", "service", "floor", "service", "floor"]);
  expect(figures).toEqual({
    service: { requestsPerSecond: 20, bytes: 1, mean: 1, p50: 1, p99: 2, processor: 1 },
    floor: { requestsPerSecond: 40, bytes: 1, mean: 1, p50: 1, p99: 4, processor: 1 },
  });
});
