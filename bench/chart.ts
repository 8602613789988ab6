/** A line chart of rates as SVG, readable on light and dark pages. */

export interface Series {
  name: string;
  /** A value for each category; undefined if missing. */
  values: (number | undefined)[];
  /** The main series is thick, the reference is dashed. */
  style: "main" | "reference" | "plain";
}

export interface Chart {
  title: string;
  subtitle: string;
  /** The labels of the horizontal axis. */
  categories: string[];
  series: Series[];
}

const WIDTH = 820;
const HEIGHT = 440;
/** The plot area; names of the series are to its right. */
const AREA = { left: 78, right: 560, top: 84, bottom: 376 };
const LINE_HEIGHT = 17;

/** Colors with contrast on white and on dark pages: main, reference, then one per other series. */
const LIGHT = ["#0b5fd3", "#57606a", "#b35900", "#1a7f37", "#8250df", "#bf3989", "#6e5600"];
const DARK = ["#6cb0ff", "#a0a8b2", "#f0a35e", "#56d364", "#c297ff", "#ff8ac4", "#d9b84a"];

/** Draws series over categories; the vertical axis is logarithmic, in steps of ten. */
export function lineChart({ title, subtitle, categories, series }: Chart): string {
  const values = series.flatMap((each) => each.values).filter((value) => value !== undefined);
  const decades = decadesOf(values);
  const x = (index: number) =>
    AREA.left + ((AREA.right - AREA.left) * index) / Math.max(1, categories.length - 1);
  const [lowest = 0, highest = 1] = [decades[0], decades.at(-1)];
  const y = (value: number) =>
    AREA.bottom -
    ((AREA.bottom - AREA.top) * (Math.log10(value) - lowest)) / Math.max(1, highest - lowest);

  const colors = colorsOf(series);
  const ends = series.map((each) => lastValue(each.values));
  const places = spread(ends.map((end) => (end === undefined ? AREA.bottom : y(end.value))));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${escaped(title)}">`,
    `<style>${styleSheet()}</style>`,
    `<text class="title" x="16" y="30">${escaped(title)}</text>`,
    `<text class="note" x="16" y="52">${escaped(subtitle)}</text>`,
    ...decades.flatMap((decade) => gridLine(10 ** decade, y(10 ** decade))),
    ...categories.map(
      (category, index) =>
        `<text class="note" text-anchor="middle" x="${round(x(index))}" y="${AREA.bottom + 26}">${escaped(category)}</text>`,
    ),
    ...series.flatMap((each, index) => {
      const points = each.values.flatMap((value, at) =>
        value === undefined ? [] : [`${round(x(at))},${round(y(value))}`],
      );
      const end = ends[index];
      if (end === undefined) return [];
      const kind = `line ${each.style} color${colors[index]}`;
      const place = places[index] ?? 0;
      return [
        `<polyline class="${kind}" points="${points.join(" ")}"/>`,
        ...points.map((point) => dot(point, colors[index] ?? 0)),
        `<line class="leader" x1="${round(x(end.index) + 6)}" y1="${round(y(end.value))}" x2="${AREA.right + 18}" y2="${round(place)}"/>`,
        `<text class="label color${colors[index]} ${each.style}" x="${AREA.right + 22}" y="${round(place + 4)}">${escaped(each.name)}, ${rate(end.value)}</text>`,
      ];
    }),
    "</svg>",
    "",
  ].join("\n");
}

/** The powers of ten that enclose all values. */
function decadesOf(values: number[]): number[] {
  const logarithms = values.map(Math.log10);
  const lowest = Math.floor(Math.min(...logarithms));
  const highest = Math.ceil(Math.max(...logarithms));
  return Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index);
}

function colorsOf(series: Series[]): number[] {
  let plain = 1;
  return series.map(({ style }) => {
    if (style === "main") return 0;
    if (style === "reference") return 1;
    plain += 1;
    return plain;
  });
}

function lastValue(values: (number | undefined)[]) {
  const index = values.findLastIndex((value) => value !== undefined);
  const value = values[index];
  return value === undefined ? undefined : { index, value };
}

/** Moves labels down from their given heights until none overlap. */
export function spread(wanted: number[]): number[] {
  const order = wanted.map((height, index) => ({ height, index }));
  order.sort((a, b) => a.height - b.height);
  const places = [...wanted];
  let next = Number.NEGATIVE_INFINITY;
  for (const { height, index } of order) {
    const place = Math.max(height, next);
    places[index] = place;
    next = place + LINE_HEIGHT;
  }
  return places;
}

function gridLine(value: number, height: number): string[] {
  const at = round(height);
  return [
    `<line class="grid" x1="${AREA.left}" y1="${at}" x2="${AREA.right}" y2="${at}"/>`,
    `<text class="note" text-anchor="end" x="${AREA.left - 10}" y="${round(height + 4)}">${rate(value)}</text>`,
  ];
}

function dot(point: string, color: number): string {
  const [x, y] = point.split(",");
  return `<circle class="dot color${color}" cx="${x}" cy="${y}" r="3.5"/>`;
}

/** A rate with two or three significant digits. */
function rate(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(2)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function styleSheet(): string {
  const colors = (list: string[]) =>
    list.map((color, index) => `.color${index}{stroke:${color};fill:${color}}`).join("");
  return [
    "text{font:13px system-ui,sans-serif;stroke:none!important}",
    ".title{font-size:17px;font-weight:600;fill:#1f2328}.note{fill:#57606a}",
    ".grid{stroke:#d0d7de;stroke-width:1}.leader{stroke:#8c959f;stroke-width:.7}",
    ".line{fill:none!important;stroke-width:1.8;stroke-linejoin:round}",
    ".line.main{stroke-width:3.5}.line.reference{stroke-dasharray:6 4}.label.main{font-weight:600}",
    colors(LIGHT),
    "@media(prefers-color-scheme:dark){.title{fill:#f0f6fc}.note{fill:#a0a8b2}.grid{stroke:#3d444d}",
    `.leader{stroke:#6e7681}${colors(DARK)}}`,
  ].join("");
}
