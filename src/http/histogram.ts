/** Upper bounds in seconds: from a cached page to a request that waits for another program's lock. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A histogram of durations, as defined by Prometheus. */
export class Histogram {
  #count = 0;
  #seconds = 0;
  /** Counts per bucket, not cumulative. */
  readonly #buckets = BUCKETS.map(() => 0);

  observe(seconds: number): void {
    this.#count += 1;
    this.#seconds += seconds;
    const bucket = BUCKETS.findIndex((longest) => seconds <= longest);
    if (bucket !== -1) this.#buckets[bucket]! += 1;
  }

  samples(name: string, labels: Labels): string[] {
    let within = 0;
    const upTo = this.#buckets.map((count, index) => {
      within += count;
      return sample(`${name}_bucket`, { le: BUCKETS[index] ?? 0, ...labels }, within);
    });
    return [
      ...upTo,
      sample(`${name}_bucket`, { le: "+Inf", ...labels }, this.#count),
      sample(`${name}_sum`, labels, this.#seconds),
      sample(`${name}_count`, labels, this.#count),
    ];
  }
}

/** Values that need no escapes: of ours, or route templates. */
type Labels = Record<string, string | number>;

/** A line of Prometheus' text format, such as `name{label="value"} 5`. */
export function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}
