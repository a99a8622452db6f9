import { MikroORM, RequestContext } from '@mikro-orm/core';
import { Injectable, Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, Reflector } from '@nestjs/core';
import type { Job, Queue } from 'bull';
import { PinoLogger } from 'nestjs-pino';
import { SpanKind } from '@opentelemetry/api';
import { inSpan } from '../tracing/spans.js';
import { Metrics } from '../metrics/metrics.service.js';
import { JOB_HANDLER, type HandlesJob, type JobHandlerOptions, QUEUE_NAMES, type QueueName } from './job-handler.js';
import { JobQueue } from './job-queue.js';

/** Connects each queue with its handler, and gives each job its own entity manager. */
@Injectable()
class JobsWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(JobsWorker.name);

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly jobs: JobQueue,
    private readonly orm: MikroORM,
    private readonly logs: PinoLogger,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    for (const name of QUEUE_NAMES) this.start(name);
  }

  /** Takes no more jobs, and waits for running ones. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(QUEUE_NAMES.map((name) => this.jobs.queue(name).close()));
  }

  private start(name: QueueName): void {
    const found = this.discovery
      .getProviders()
      .filter((wrapper) => wrapper.metatype && this.optionsOf(wrapper.metatype)?.queue === name);
    if (found.length !== 1) throw new Error(`queue ${name} has ${found.length} handlers, it needs exactly one`);
    const handler = found[0]!.instance as HandlesJob<QueueName>;
    const { concurrency } = this.optionsOf(found[0]!.metatype!)!;
    const queue = this.jobs.queue(name);
    toleratesLostNames(queue);
    const processing = queue.process(concurrency, (job) => this.run(name, handler, job));
    processing.catch((error: unknown) => this.log.warn(`queue ${name}: ${(error as Error).message}`));
  }

  /** Runs a job. Its log lines contain the payload, which holds no personal data. */
  private run(queue: QueueName, handler: HandlesJob<QueueName>, job: Job): Promise<void> {
    if (hasLostData(job)) return this.discard(queue, job);
    const handled = () => RequestContext.create(this.orm.em, () => handler.handle(job.data));
    const work = () =>
      inSpan(
        `job ${queue}`,
        { 'messaging.destination.name': queue, ...(job.data as object) },
        handled,
        SpanKind.CONSUMER,
      );
    const bindings = { queue, jobId: String(job.id), ...(job.data as object) };
    return this.logs.runInContext(work, { bindings }).then(
      () => this.metrics.job(queue, 'done'),
      (error: unknown) => this.failed(queue, error),
    );
  }

  private async discard(queue: QueueName, job: Job): Promise<void> {
    this.log.warn(`queue ${queue}: the contents of a job are gone; the sweeper will find its work again`);
    const { client, toKey } = job.queue as Queue & { toKey(id: string): string };
    await client.del(toKey.call(job.queue, String(job.id)));
  }

  private optionsOf(target: object): JobHandlerOptions | undefined {
    return this.reflector.get<JobHandlerOptions | undefined>(JOB_HANDLER, target as never);
  }

  private failed(name: QueueName, error: unknown): never {
    this.metrics.job(name, 'failed');
    this.log.error({ err: error, queue: name }, 'a job failed; the sweeper will find its work again');
    throw error;
  }
}

/**
 * Ignores a failure to name Bull's connection. Bull does not handle it: if the connection closes meanwhile, because
 * Redis restarts or this process stops right after its start, an unhandled rejection would end the process. The name
 * only appears in Redis' list of clients.
 */
function toleratesLostNames(queue: Queue): void {
  const named = queue as Queue & { setWorkerName(): Promise<void> };
  const setName = named.setWorkerName.bind(queue);
  named.setWorkerName = () => setName().catch(() => undefined);
}

/**
 * Whether the job lost its data because Redis was flushed while Bull took the job. The remaining key is in no list and
 * would block the job id for ever.
 */
const hasLostData = (job: Job): boolean => Number.isNaN(job.timestamp);

@Module({ imports: [DiscoveryModule], providers: [JobsWorker] })
export class JobsWorkerModule {}
