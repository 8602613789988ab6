/**
 * The first of any number of items, in an order: it holds no more than twice as many as are wanted.
 *
 * @example
 * const smallest = new Ranking<number>(2, (a, b) => a - b);
 * for (const number of [3, 1, 4, 1, 5]) smallest.add(number);
 * smallest.first(); // [1, 1]
 */
export class Ranking<Item> {
  #items: Item[] = [];

  constructor(
    private readonly wanted: number,
    private readonly compare: (a: Item, b: Item) => number,
  ) {}

  add(item: Item): void {
    this.#items.push(item);
    if (this.#items.length >= 2 * this.wanted) this.#items = this.first();
  }

  /** As many as are wanted of those added so far, in order. */
  first(): Item[] {
    return this.#items.toSorted(this.compare).slice(0, this.wanted);
  }
}
