import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { answerWithin } from '../lifecycle/answer-within.js';

const COLLECT_LIMIT_MS = 1000;

/** Value of a gauge for one set of labels. */
export type Reading = readonly [labels: Record<string, string>, value: number];

/**
 * Metrics of this process; each app has a registry of its own. Labels come from small closed sets such as routes,
 * queues and outcomes, and never contain ids or addresses.
 */
@Injectable()
export class Metrics implements OnApplicationShutdown {
  private readonly log = new Logger(Metrics.name);
  private readonly registry = new Registry();
  private readonly registers = [this.registry];
  private readonly requests = new Histogram({
    name: 'staffcast_http_request_seconds',
    help: 'Answered requests by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 10],
    registers: this.registers,
  });
  private readonly deliveries = new Counter({
    name: 'staffcast_deliveries_total',
    help: 'Results of messages of sends, by outcome and mailbox provider',
    labelNames: ['outcome', 'provider'],
    registers: this.registers,
  });
  private readonly systemMails = new Counter({
    name: 'staffcast_system_mails_total',
    help: 'Results of attempts to send system mail: sent, failed, postponed, cancelled',
    labelNames: ['outcome'],
    registers: this.registers,
  });
  private readonly jobs = new Counter({
    name: 'staffcast_jobs_total',
    help: 'Jobs that were run, by queue and result',
    labelNames: ['queue', 'result'],
    registers: this.registers,
  });
  private readonly events = new Counter({
    name: 'staffcast_events_total',
    help: 'What happened in the product (app-events.ts)',
    labelNames: ['event'],
    registers: this.registers,
  });
  private readonly rejectedLogLines = new Counter({
    name: 'staffcast_worker_log_lines_rejected_total',
    help: "Lines of a worker's logs that the database rejected and that were stored under DATA_DIR/refused",
    labelNames: ['log'],
    registers: this.registers,
  });
  private readonly unreadable = new Counter({
    name: 'staffcast_scrape_errors_total',
    help: 'Gauges that could not be read in time',
    labelNames: ['gauge'],
    registers: this.registers,
  });

  constructor(emitter: EventEmitter2) {
    collectDefaultMetrics({ register: this.registry });
    emitter.onAny((event) => this.events.inc({ event: String(event) }));
  }

  /**
   * Counts a request.
   * @param route the route's pattern, never the path
   */
  request(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status: String(status) }, seconds);
  }

  /**
   * Counts delivery results.
   * @param provider the recipient's mailbox provider, from a small set
   */
  delivered(outcome: string, provider: string, count: number): void {
    this.deliveries.inc({ outcome, provider }, count);
  }

  /**
   * Counts an attempt to send a system mail. `cancelled` are mails that the check right before the attempt cancelled, not
   * those that were cancelled while they waited.
   */
  systemMail(outcome: 'sent' | 'failed' | 'postponed' | 'cancelled'): void {
    this.systemMails.inc({ outcome });
  }

  logLineRejected(log: string): void {
    this.rejectedLogLines.inc({ log });
  }

  job(queue: string, result: 'done' | 'failed'): void {
    this.jobs.inc({ queue, result });
  }

  /**
   * Adds a gauge whose value `read` returns at each scrape. If `read` fails or takes longer than a second, the scrape
   * omits the gauge.
   */
  gauge(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => Promise<readonly Reading[]> | readonly Reading[],
  ): void {
    const log = this.log;
    const unreadable = this.unreadable;
    new Gauge({
      name,
      help,
      labelNames,
      registers: this.registers,
      async collect() {
        this.reset();
        try {
          for (const [labels, value] of await answerWithin(read(), COLLECT_LIMIT_MS, 'too late'))
            this.set(labels, value);
        } catch (error) {
          unreadable.inc({ gauge: name });
          log.debug(`${name}: ${(error as Error).message}`);
        }
      },
    });
  }

  /** All metrics in the Prometheus text format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  onApplicationShutdown(): void {
    this.registry.clear();
  }
}
