/** Something that an operator asked for cannot be done: the message says why, and what to do instead. */
export class Refused extends Error {}
