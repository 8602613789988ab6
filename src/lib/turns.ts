/** How long pieces of work keep others waiting, in milliseconds. */
const LENGTH_OF_PIECE = 10;

let last: Promise<void> = Promise.resolve();
/** When the last piece began. */
let began = 0;

/**
 * Between the pieces of long work: lets the event loop turn if it has not for a while, so that other requests are
 * answered meanwhile. Of several long works, one continues per turn: together they delay others no more than one does.
 */
export async function nextPiece(): Promise<void> {
  if (performance.now() - began < LENGTH_OF_PIECE) return;
  last = last.then(() => new Promise((resume) => setImmediate(resume)));
  await last;
  began = performance.now();
}

/** Values that are sorted in one piece. */
const PIECE = 2_000;

/** Sorts like `toSorted`, stable, and lets the event loop turn between pieces. */
export async function sortInPieces<Value>(
  values: readonly Value[],
  compare: (a: Value, b: Value) => number,
): Promise<Value[]> {
  if (values.length <= PIECE) return values.toSorted(compare);
  const middle = Math.ceil(values.length / 2);
  const left = await sortInPieces(values.slice(0, middle), compare);
  const right = await sortInPieces(values.slice(middle), compare);
  const sorted: Value[] = [];
  for (let [a, b] = [0, 0]; a < left.length || b < right.length;) {
    const isLeft = b === right.length || (a < left.length && compare(left[a]!, right[b]!) <= 0);
    sorted.push(isLeft ? left[a++]! : right[b++]!);
    if (sorted.length % PIECE === 0) await nextPiece();
  }
  return sorted;
}
