/** Spreads messages over the places that were reserved for them; see rate-limit.ts. */
export class Pacer {
  private nextAt: number;

  /** @param now ms, by a clock that never jumps */
  constructor(startsInMs: number, private readonly intervalMs: number, private readonly now: () => number) {
    this.nextAt = now() + startsInMs;
  }

  /** Whether a rate holds at all. */
  get isPaced(): boolean {
    return this.intervalMs > 0;
  }

  /** Milliseconds until the next place, at most 0 where it is now. */
  waitMs(): number {
    return this.nextAt - this.now();
  }

  /** The next place is used. */
  take(): void {
    this.nextAt += this.intervalMs;
  }
}
