/** A command that cannot be carried out. The message tells the operator why, and what to do. */
export class CommandError extends Error {}
