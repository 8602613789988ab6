/**
 * The columns of a grid of cards: rows of almost the same length, of which none has a card alone.
 *
 * @param most how many there is room for.
 */
export function evenColumns(count: number, most: number): number {
  if (count === 0) return 1;
  const least = Math.ceil(count / Math.ceil(count / most));
  const choices = Array.from({ length: most }, (_, index) => most - index);
  const isEven = (columns: number): boolean => columns === 1 || count % columns !== 1;
  return [least, ...choices].find((columns) => columns >= 1 && isEven(columns)) ?? 1;
}
