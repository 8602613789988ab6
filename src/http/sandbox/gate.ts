/** Lets work of one kind run together, and other work alone. */
export class Gate {
  #running = 0;
  #closed: Promise<void> | undefined;
  #becameIdle = () => {};

  /** Runs work beside others, once nothing runs alone. */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#closed !== undefined) await this.#closed;
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Called within such work: runs another one alone, when all others have ended. */
  async alone(work: () => Promise<void>): Promise<void> {
    this.#leave();
    while (this.#closed !== undefined) await this.#closed;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    try {
      if (this.#running > 0) await new Promise<void>((idle) => (this.#becameIdle = idle));
      await work();
    } finally {
      this.#running += 1;
      this.#closed = undefined;
      resolve();
    }
  }

  #leave(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#becameIdle();
  }
}
