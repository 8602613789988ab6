/** As many as a busy practice's programs hold open. */
export const CONNECTIONS = 32;

/** How much is measured, and how long. */
export interface Size {
  /** Sessions of the data sets, from the smallest to the largest, on which all is measured. */
  scales: number[];
  /** Of one measurement of the floor, of bounds, engines and imports; and of how cost grows, and of the peers. */
  rounds: number;
  shortRounds: number;
  /** Of one measurement of the floor's table, and of the others. */
  seconds: number;
  shortSeconds: number;
  /** Where data sets and peers are kept, and where working copies go. */
  folder: string;
  runFolder: string;
  withPeers: boolean;
  /**
   * Rounds before those that count: until then, programs are still being compiled. What does the most for a request,
   * such as a lead, takes some 10,000 requests to be as fast as it gets. The short ones are for how cost grows.
   */
  warmUps: number;
  shortWarmUps: number;
}

const SCALES = [10_000, 100_000, 1_000_000];

export function fullSize(folder: string): Size {
  return {
    scales: SCALES,
    rounds: 5,
    seconds: 3,
    shortSeconds: 2,
    shortRounds: 2,
    folder,
    runFolder: `${folder}/run`,
    withPeers: true,
    warmUps: 4,
    shortWarmUps: 1,
  };
}

/** About a minute: the smallest data set, single rounds of a second. */
export function quickSize(folder: string): Size {
  return {
    ...fullSize(folder),
    scales: [10_000],
    rounds: 1,
    seconds: 1,
    shortSeconds: 1,
    shortRounds: 1,
    withPeers: false,
    warmUps: 0,
    shortWarmUps: 0,
  };
}
