import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { JOB_LOCKS } from './job-locks.js';
import { JobQueue } from './job-queue.js';
import { QUEUE_NAMES } from './job-payloads.js';

const queues = BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name })));

/** The queues, for those who add jobs; JobsWorkerModule runs them. */
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
