/**
 * Presses on buttons are without effect from a write until a second after its outcome is drawn. The second of two quick
 * taps would hit what has moved there: on a phone, the opposite of what was meant.
 */

/** How long they stay so when the outcome is drawn, in milliseconds. */
const CALM_TIME = 1_000;

export class Calm {
  #isUnderWay = false;
  #drawnAt = Number.NEGATIVE_INFINITY;

  /** A write was sent. */
  begin(): void {
    this.#isUnderWay = true;
  }

  /** What is shown is up to date; whatever was written is drawn. */
  drawn(now: number): void {
    if (!this.#isUnderWay) return;
    this.#isUnderWay = false;
    this.#drawnAt = now;
  }

  /** Whether a press on a button is without effect. */
  ignores(now: number): boolean {
    return this.#isUnderWay || now - this.#drawnAt < CALM_TIME;
  }
}
