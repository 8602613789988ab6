/** Connections of a busy practice's programs. */
export const CONNECTIONS = 32;

/** The size and duration of measurements. */
export interface Size {
  /** Sessions of the data sets, from the smallest to the largest, on which everything is measured. */
  scales: number[];
  /** Rounds of a measurement: of floor, bounds, engines and imports; and of growth and peers. */
  rounds: number;
  shortRounds: number;
  /** Seconds of a measurement: of the floor's table, and of the others. */
  seconds: number;
  shortSeconds: number;
  /** The folders of data sets and peers, and of working copies. */
  folder: string;
  runFolder: string;
  withPeers: boolean;
  /**
   * Warm-up rounds, in which programs are still being compiled. Expensive requests,
   * such as leads, need about 10,000 requests to reach full speed. The short ones are for growth.
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
