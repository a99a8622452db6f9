import { SetMetadata, applyDecorators, Injectable } from '@nestjs/common';

export const JOB_HANDLER = 'staffcast:job-handler';

export interface JobHandlerOptions {
  queue: QueueName;
  /** Maximum number of concurrent jobs of this queue per worker. */
  concurrency: number;
}

/**
 * Marks the handler class of a queue. Each queue has exactly one handler; the worker module of the handler's module
 * provides it.
 */
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
 * Payloads of the jobs of each queue. They hold only ids or a host name, because PostgreSQL holds the data. Work with
 * its own concurrency limit has its own queue.
 */
export interface JobPayloads {
  /** System mail is due. The handler asks the database for it. */
  'system-mail': Record<string, never>;
  /** Confirmation mails are due. The handler asks the database for them. */
  'opt-in': Record<string, never>;
  /** Test mails are due. The handler asks the database for them. */
  tests: Record<string, never>;
  /** A host to look up, because a message links to it. */
  'link-checks': { host: string };
  /** Id of an uploaded file to scan for viruses. */
  'file-scans': { fileId: string };
  imports: { importId: string };
  /** Bulk changes of contacts are due. The handler asks the database for them. */
  'contact-bulk': Record<string, never>;
  /** Id of a deleted account whose rows must be removed. */
  erasures: { userId: string };
  /** Id of a scheduled send that is due. */
  schedules: { scheduledId: string };
  /** Id of a large send whose delivery rows must be created. The handler may process another send first. */
  layouts: { sendId: string };
  /**
   * Deliveries are due. The handler asks the database for them. `sendId`: a send to check first, whether it is due or
   * not. `isContinuation`: a job that found work enqueued this job. `look`: name of `sendId` in jobs of older versions.
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
