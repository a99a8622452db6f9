import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { JobQueue } from './job-queue.js';
import { QUEUE_NAMES } from './job-handler.js';

/**
 * Bull's job lock and stalled check. While a dead worker's job is locked, its job id stays taken and further hints for
 * the same work are dropped, so the lock is shorter than a delivery's lease. Jobs are safe to run twice.
 */
export const JOB_LOCKS = { lockDuration: 20_000, stalledInterval: 10_000 };

const queues = BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name })));

/** The queues for code that adds jobs; JobsWorkerModule runs them. */
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
