import { signal } from "@preact/signals";

/** Incremented by each write of this page, so that older responses are requested again. */
export const revision = signal(0);

/** The number of writes of which no response has come yet. */
export const underWay = signal(0);
