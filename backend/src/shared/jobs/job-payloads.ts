/** What each queue's jobs carry: ids only, PostgreSQL holds the rest. One queue per limit (guide/stack.md, Bull). */
export interface JobPayloads {
  /** Something of the system-mail outbox is due. */
  'system-mail': Record<string, never>;
  /** Some contacts are owed their confirmation mail. */
  'opt-in': Record<string, never>;
  imports: { importId: string };
  /** A deleted account whose rows are to go. */
  erasures: { userId: string };
  /** A large send whose recipients get their rows. */
  layouts: { sendId: string };
  /** A range of positions of one send. */
  deliveries: { sendId: string; from: number; to: number };
}

export type QueueName = keyof JobPayloads;
export const QUEUE_NAMES = ['system-mail', 'opt-in', 'imports', 'erasures', 'layouts', 'deliveries'] as const satisfies readonly QueueName[];
