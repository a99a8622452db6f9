import { setTimeout as pause } from 'node:timers/promises';
import type { Instance } from '../../cluster/kit/processes.js';

const LOOK_MS = 100;
/** Number of failed checks in a row after which an instance gets no more requests, as usual for load balancers. */
const FAILED_CHECKS = 2;

/**
 * Sends requests at a constant rate, distributed as by a load balancer: round robin over ready instances. A request is
 * retried on another instance after a refused connection; a GET also after a broken connection, 502 or 503.
 */
export class BalancedTraffic {
  readonly failures: string[] = [];
  answered = 0;
  private ready: Instance[] = [];
  private readonly failedChecks = new Map<Instance, number>();
  private running = true;
  private next = 0;
  private readonly open = new Set<Promise<void>>();
  private readonly loops: Promise<void>[];

  constructor(
    private readonly instances: () => readonly Instance[],
    private readonly cookie: string,
    perSecond: number,
    calls: readonly { method: string; path: string; body?: object }[],
  ) {
    this.loops = [this.watch(), this.run(1000 / perSecond, calls)];
  }

  /** Stops sending and waits for the outstanding answers. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.loops);
    await Promise.all(this.open);
  }

  /** Whether an instance gets requests. */
  uses = (instance: Instance): boolean => this.ready.includes(instance);

  private async watch(): Promise<void> {
    while (this.running) {
      const looked = await Promise.all(this.instances().map(async (one) => ((await this.isUp(one)) ? one : null)));
      this.ready = looked.filter((one) => one !== null);
      await pause(LOOK_MS);
    }
  }

  private async isUp(instance: Instance): Promise<boolean> {
    const isReady = await instance.says('ready').catch(() => false);
    const failed = isReady ? 0 : (this.failedChecks.get(instance) ?? 0) + 1;
    this.failedChecks.set(instance, failed);
    return isReady || (this.uses(instance) && failed < FAILED_CHECKS);
  }

  private async run(gapMs: number, calls: readonly { method: string; path: string; body?: object }[]): Promise<void> {
    while (this.running && this.ready.length === 0) await pause(LOOK_MS);
    for (let n = 0; this.running; n++) {
      const call = this.send(calls[n % calls.length]!).finally(() => this.open.delete(call));
      this.open.add(call);
      await pause(gapMs);
    }
  }

  private async send({ method, path, body }: { method: string; path: string; body?: object }): Promise<void> {
    let last = 'no instance is ready';
    for (let tries = 0; tries < 4; tries++) {
      const instance = this.ready[this.next++ % Math.max(1, this.ready.length)];
      if (!instance) {
        await pause(LOOK_MS);
        continue;
      }
      try {
        const headers = {
          Cookie: this.cookie,
          'X-Repeats-Elsewhere': '1',
          ...(body && { 'Content-Type': 'application/json' }),
        };
        const answer = await fetch(instance.url + path, {
          method,
          headers,
          body: body && JSON.stringify(body),
          signal: AbortSignal.timeout(20_000),
        });
        await answer.arrayBuffer();
        if (answer.status < 400) return void this.answered++;
        last = String(answer.status);
        if (method !== 'GET' || ![502, 503].includes(answer.status)) break;
      } catch (error) {
        last = `${(error as Error).message} ${String((error as Error).cause)}`;
        if (method !== 'GET' && !last.includes('ECONNREFUSED')) break;
      }
    }
    this.failures.push(`${method} ${path}: ${last}`);
  }
}
