/** Counts what is under way. */
export class UnderWay {
  /** How many were begun in all. */
  begun = 0;
  private count = 0;
  private readonly waiting: (() => void)[] = [];

  begin(): void {
    this.begun++;
    this.count++;
  }

  end(): void {
    if (--this.count === 0) for (const go of this.waiting.splice(0)) go();
  }

  /** Resolves when nothing is under way any more. */
  async ended(): Promise<void> {
    if (this.count > 0) await new Promise<void>((go) => this.waiting.push(go));
  }
}
