import { SetMetadata, applyDecorators, Injectable } from '@nestjs/common';
import type { JobPayloads, QueueName } from './job-payloads.js';

export const JOB_HANDLER = 'staffcast:job-handler';

export interface JobHandlerOptions {
  queue: QueueName;
  /** Jobs of this queue that one worker runs side by side. */
  concurrency: number;
}

/** Marks the one class that handles a queue's jobs; it stands in its module's worker module. */
export function JobHandler(queue: QueueName, concurrency = 1): ClassDecorator {
  return applyDecorators(Injectable(), SetMetadata(JOB_HANDLER, { queue, concurrency } satisfies JobHandlerOptions)) as ClassDecorator;
}

export interface HandlesJob<Q extends QueueName> {
  handle(payload: JobPayloads[Q]): Promise<void>;
}
