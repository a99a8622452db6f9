/** What each queue's jobs carry: ids only, PostgreSQL holds the rest. One queue per limit (guide/stack.md, Bull). */
export interface JobPayloads {
  /** Something of the system-mail outbox is due. */
  'system-mail': Record<string, never>;
  /** Some contacts are owed their confirmation mail. */
  'opt-in': Record<string, never>;
  imports: { importId: string };
  /** A deleted account whose rows are to go. */
  erasures: { userId: string };
  /** A large send whose recipients get their rows; another's turn may be first. */
  layouts: { sendId: string };
  /**
   * Something is to be delivered; the database says what is next. `look`: a send to look at first, whether something of it is due or not. `goesOn`:
   * asked for by a job that found work.
   */
  deliveries: { look?: string; goesOn?: boolean };
}

export type QueueName = keyof JobPayloads;
export const QUEUE_NAMES = ['system-mail', 'opt-in', 'imports', 'erasures', 'layouts', 'deliveries'] as const satisfies readonly QueueName[];
