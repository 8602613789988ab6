import { describe, expect, test } from "bun:test";
import { lineChart, spread } from "../../bench/chart.ts";

const chart = lineChart({
  title: "Pages & <pages>",
  subtitle: "Requests a second",
  categories: ["10,000", "100,000"],
  series: [
    { name: "Caseload", values: [4000, 4000], style: "main" },
    { name: "floor", values: [5000, 5000], style: "reference" },
    { name: "other", values: [400, undefined], style: "plain" },
    { name: "absent", values: [undefined, undefined], style: "plain" },
  ],
});

/** The tags of a document in order: opening, closing and self-closing. */
function tagsOf(document: string): string[] {
  return [...document.matchAll(/<(\/?)([a-z]+)(?:\s+[a-z0-9:-]+="[^"<]*")*\s*(\/?)>/gi)].map(
    ([, closing, name, alone]) => `${closing}${name}${alone}`,
  );
}

describe("the chart", () => {
  test("is well-formed XML, and its texts contain no markup", () => {
    const open: string[] = [];
    for (const tag of tagsOf(chart)) {
      if (tag.endsWith("/")) continue;
      if (tag.startsWith("/")) expect(open.pop()).toBe(tag.slice(1));
      else open.push(tag);
    }
    expect(open).toEqual([]);
    expect(chart.match(/</g)?.length).toBe(tagsOf(chart).length);
    expect(chart.replaceAll(/&(amp|lt|gt|quot);/g, "")).not.toContain("&");
  });

  test("draws a line for each series with values, labelled with the last value", () => {
    expect(tagsOf(chart).filter((tag) => tag === "polyline/").length).toBe(3);
    expect(chart).toContain(">Caseload, 4,000</text>");
    expect(chart).toContain(">other, 400</text>");
    expect(chart).not.toContain("absent");
  });

  test("draws a power of ten on its grid line", () => {
    const heights = [...chart.matchAll(/class="grid"[^>]*y1="([\d.]+)"/g)].map(([, y]) => y);
    expect(heights.length).toBe(3);
    const whole = lineChart({
      title: "",
      subtitle: "",
      categories: ["1", "2"],
      series: [{ name: "a", values: [100, 10_000], style: "main" }],
    });
    expect(whole).toContain('points="78,376 560,84"');
  });

  test("has colors for light and dark pages", () => {
    expect(chart).toContain("@media(prefers-color-scheme:dark)");
  });

  test("contains only finite numbers", () => {
    expect(chart).not.toMatch(/NaN|Infinity|undefined/);
  });
});

test("labels that would overlap are moved down, in the order of their heights", () => {
  expect(spread([100, 300, 105])).toEqual([100, 300, 117]);
});
