import { signal } from "@preact/signals";

/** Grows with each write of this page: answers from before it may no longer be true, and are asked for anew. */
export const revision = signal(0);
