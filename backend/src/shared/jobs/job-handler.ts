import { SetMetadata, applyDecorators, Injectable } from '@nestjs/common';

export const JOB_HANDLER = 'staffcast:job-handler';

export interface JobHandlerOptions {
  queue: QueueName;
  /** Concurrent jobs of this queue per worker. */
  concurrency: number;
}

/** Marks the only handler class of a queue; it is provided in its module's worker module. */
export function JobHandler(queue: QueueName, concurrency = 1): ClassDecorator {
  return applyDecorators(
    Injectable(),
    SetMetadata(JOB_HANDLER, { queue, concurrency } satisfies JobHandlerOptions),
  ) as ClassDecorator;
}

export interface HandlesJob<Q extends QueueName> {
  handle(payload: JobPayloads[Q]): Promise<void>;
}

/**
 * Payloads of each queue's jobs: ids only, because PostgreSQL holds the data. Work with its own concurrency limit has
 * its own queue.
 */
export interface JobPayloads {
  /** System mail is due. */
  'system-mail': Record<string, never>;
  /** Confirmation mails are due. */
  'opt-in': Record<string, never>;
  /** Test mails are due. */
  tests: Record<string, never>;
  /** A host that a message links to is looked up. */
  'link-checks': { host: string };
  /** An uploaded file is scanned for viruses. */
  'file-scans': { fileId: string };
  imports: { importId: string };
  /** Changes of many contacts are due; the handler asks the database which. */
  'contact-bulk': Record<string, never>;
  /** Id of a deleted account whose rows are removed. */
  erasures: { userId: string };
  /** Id of a scheduled send that is due. */
  schedules: { scheduledId: string };
  /** Id of a large send whose delivery rows are created; the handler may process another send first. */
  layouts: { sendId: string };
  /**
   * Deliveries are due; the handler asks the database which. `sendId`: a send to check first, due or not.
   * `isContinuation`: enqueued by a job that found work. `look` is the name of `sendId` in jobs of older versions.
   */
  deliveries: { sendId?: string; isContinuation?: boolean; look?: string };
}

export type QueueName = keyof JobPayloads;
export const QUEUE_NAMES = [
  'system-mail',
  'opt-in',
  'tests',
  'link-checks',
  'file-scans',
  'imports',
  'contact-bulk',
  'erasures',
  'schedules',
  'layouts',
  'deliveries',
] as const satisfies readonly QueueName[];
