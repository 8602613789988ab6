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

  /** The values of a metric with this name and labels, in the format of prom-client. */
  values(name: string, labels: Record<string, string>) {
    let within = 0;
    const upTo = this.#buckets.map((count, index) => {
      within += count;
      return { le: BUCKETS[index], value: within };
    });
    return [
      ...[...upTo, { le: "+Inf", value: this.#count }].map(({ le, value }) => ({
        metricName: `${name}_bucket`,
        labels: { le, ...labels },
        value,
      })),
      { metricName: `${name}_sum`, labels, value: this.#seconds },
      { metricName: `${name}_count`, labels, value: this.#count },
    ];
  }
}
