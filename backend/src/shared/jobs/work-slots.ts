/**
 * Concurrent slots of a worker. Each takes one piece of work after the other until none is left. A slot that found none
 * looks again if a notification arrived meanwhile. The sweep of the worker covers the rest, such as a notification that
 * arrives while `takeOne` fails.
 */
export class WorkSlots {
  private readonly running = new Set<Promise<void>>();
  private notifications = 0;
  private isStopping = false;

  /**
   * @param count number of slots
   * @param takeOne claims one piece of work and does it; false where none was found
   * @param onError reports what `takeOne` throws, which ends the slot until the next notification
   */
  constructor(
    private readonly count: number,
    private readonly takeOne: () => Promise<boolean>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Starts all idle slots and returns at once, so that one slow piece of work does not delay later ones. */
  notify(): void {
    this.notifications += 1;
    while (!this.isStopping && this.running.size < this.count) this.start();
  }

  /** Takes no more work, and waits for the work in progress. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.running);
  }

  private start(): void {
    const slot: Promise<void> = this.serve()
      .catch(this.onError)
      .finally(() => this.running.delete(slot));
    this.running.add(slot);
  }

  private async serve(): Promise<void> {
    while (!this.isStopping) {
      const { notifications } = this;
      if (!(await this.takeOne()) && notifications === this.notifications) return;
    }
  }
}
