import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { JobQueue } from './job-queue.js';
import { QUEUE_NAMES } from './job-handler.js';

/**
 * Timing of Bull's job lock and stalled check, in milliseconds. While the job of a dead worker is locked, its job id
 * stays taken, and further jobs for the same work are dropped. So the lock must be shorter than a delivery's lease.
 * Jobs can safely run twice.
 */
export const JOB_LOCKS = { lockDuration: 20_000, stalledInterval: 10_000 };

const queues = BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name })));

/** Provides the queues to code that adds jobs. JobsWorkerModule runs the jobs. */
@Global()
@Module({
  imports: [
    BullModule.forRootAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        url: settings.redisUrl,
        prefix: settings.redisPrefix,
        redis: { maxRetriesPerRequest: null, enableReadyCheck: false },
        settings: { ...JOB_LOCKS },
      }),
    }),
    queues,
  ],
  providers: [JobQueue],
  exports: [JobQueue, queues],
})
export class JobsModule {}
