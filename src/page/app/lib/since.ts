import { createContext } from "preact";

/**
 * The sequence of the practice with the response that is shown, for whatever is written below it: a write is refused if
 * somebody else has changed one of its records since. Undefined where the response told none.
 */
export const Since = createContext<number | undefined>(undefined);
