/**
 * Tells how much time has passed since it was made, by the clock that says more: the monotonic clock, which nobody sets,
 * or the wall clock, which also counts the time for which the machine was suspended.
 */
export class Stopwatch {
  private readonly monotonic = performance.now();
  private readonly wall = Date.now();

  /** Passed time in ms. Too long if the wall clock was set forward. */
  get ms(): number {
    return Math.max(performance.now() - this.monotonic, Date.now() - this.wall);
  }
}
