import { MikroORM, RequestContext } from '@mikro-orm/core';
import { Injectable, Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, Reflector } from '@nestjs/core';
import type { Job } from 'bull';
import { JOB_HANDLER, type HandlesJob, type JobHandlerOptions } from './job-handler.js';
import { JobQueue } from './job-queue.js';
import { QUEUE_NAMES, type QueueName } from './job-payloads.js';

/** Connects each queue with its one handler, each job with an entity manager of its own. */
@Injectable()
class JobsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(JobsWorker.name);

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly jobs: JobQueue,
    private readonly orm: MikroORM,
  ) {}

  onApplicationBootstrap(): void {
    for (const name of QUEUE_NAMES) this.start(name);
  }

  /** Takes no new job and waits for those under way. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(QUEUE_NAMES.map((name) => this.jobs.queue(name).close()));
  }

  private start(name: QueueName): void {
    const found = this.discovery.getProviders().filter((wrapper) => wrapper.metatype && this.optionsOf(wrapper.metatype)?.queue === name);
    if (found.length !== 1) throw new Error(`queue ${name} has ${found.length} handlers, it needs exactly one`);
    const handler = found[0]!.instance as HandlesJob<QueueName>;
    const { concurrency } = this.optionsOf(found[0]!.metatype!)!;
    const run = (job: Job) => RequestContext.create(this.orm.em, () => handler.handle(job.data));
    const processing = this.jobs.queue(name).process(concurrency, (job) => run(job).catch((error: unknown) => this.failed(name, error)));
    processing.catch((error: unknown) => this.log.warn(`queue ${name}: ${(error as Error).message}`));
  }

  private optionsOf(target: object): JobHandlerOptions | undefined {
    return this.reflector.get<JobHandlerOptions | undefined>(JOB_HANDLER, target as never);
  }

  private failed(name: QueueName, error: unknown): never {
    this.log.error({ err: error, queue: name }, 'a job failed; the sweeper will find its work again');
    throw error;
  }
}

@Module({ imports: [DiscoveryModule], providers: [JobsWorker] })
export class JobsWorkerModule {}
