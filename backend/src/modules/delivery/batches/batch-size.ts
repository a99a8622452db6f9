/** Target time per batch. Batches are short so that the consent check is recent when a message leaves. */
const BATCH_MS = 500;
/** Maximum number of messages in a batch. */
export const MAX_BATCH_MESSAGES = 500;

/** Number of messages in the next batch, adapted so that a batch takes the target time. */
export class BatchSize {
  messages: number;

  /** @param minimum number of messages dispatched in parallel; a smaller batch would leave connections unused */
  constructor(private readonly minimum: number) {
    this.messages = minimum;
  }

  get isAboveMinimum(): boolean {
    return this.messages > this.minimum;
  }

  /** @param ms time in which a batch of `messages` messages was dispatched */
  adapt(messages: number, ms: number): void {
    if (messages < this.messages / 2) return;
    const fitting = Math.round((messages * BATCH_MS) / Math.max(1, ms));
    this.messages = Math.max(this.minimum, Math.min(fitting, this.messages * 2, MAX_BATCH_MESSAGES));
  }
}
