/**
 * A reproducible source of random choices. Each subject has its own stream, named by a key (`new Random(seed,
 * "patient", 17)`), so that its values do not depend on how many subjects came before. `Math.random` cannot be seeded.
 */
export class Random {
  #state: number;

  constructor(...key: (string | number)[]) {
    this.#state = Bun.hash.xxHash32(key.join("/"));
  }

  /**
   * A number from 0 (included) to 1 (excluded). Mulberry32; its 32 bits of state suffice, as security does not matter
   * here.
   */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** One item of a non-empty list. */
  pick<Item>(items: readonly Item[]): Item {
    return items[this.whole(0, items.length - 1)] as Item;
  }

  /** From `fewest` to `most` of the items, in the order of the list. */
  some<Item>(items: readonly Item[], fewest: number, most: number): Item[] {
    const chosen = new Set(this.shuffled(items).slice(0, this.whole(fewest, most)));
    return items.filter((item) => chosen.has(item));
  }

  /** The items in random order (Fisher–Yates). */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const chosen = this.whole(0, last);
      [shuffled[last], shuffled[chosen]] = [shuffled[chosen] as Item, shuffled[last] as Item];
    }
    return shuffled;
  }
}
