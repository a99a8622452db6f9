/** Spreads messages over reserved rate limiter slots; see rate-limit.ts. */
export class Pacer {
  private nextAt: number;

  /** @param now ms of a monotonic clock */
  constructor(
    startsInMs: number,
    private readonly intervalMs: number,
    private readonly now: () => number,
  ) {
    this.nextAt = now() + startsInMs;
  }

  /** Whether the slots are spaced by a rate. */
  get isPaced(): boolean {
    return this.intervalMs > 0;
  }

  /** Ms until the next slot; zero or negative if it is due. */
  waitMs(): number {
    return this.nextAt - this.now();
  }

  /** Consumes the next slot. */
  take(): void {
    this.nextAt += this.intervalMs;
  }
}
