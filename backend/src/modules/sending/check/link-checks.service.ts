import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { Settings } from '../../../shared/config/settings.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';

/** Result of a lookup: the host exists, its name does not exist, or it could not be found out. */
export type HostState = 'found' | 'no_name' | 'unknown';

/** Known results for the hosts of a message. */
export interface HostStates {
  states: Map<string, HostState>;
  /** Number of hosts that a worker still has to look up; null: this installation looks up none. */
  open: number | null;
}

/** Most hosts of one message that are looked up. */
const MAX_HOSTS = 20;
const KEPT_SECONDS = 3_600;
/** Seconds for which an unknown result is kept; after that the host is looked up again. */
const UNKNOWN_SECONDS = 60;
const REDIS_LIMIT_MS = 1_000;

/**
 * Results of looking up the hosts that messages link to. They are kept in Redis for an hour. Where Redis was emptied, a
 * host is looked up again when it is asked for. A worker does the lookup, because web processes have no outbound
 * network access.
 */
@Injectable()
export class LinkChecks {
  constructor(
    private readonly settings: Settings,
    private readonly jobs: JobQueue,
  ) {}

  /** The known results for these hosts; requests lookups of the others. */
  async of(given: readonly string[]): Promise<HostStates> {
    const hosts = given.slice(0, MAX_HOSTS);
    if (hosts.length === 0) return { states: new Map(), open: 0 };
    if (this.settings.linkCheck === 'off') return { states: new Map(), open: null };
    const found = await this.read(hosts);
    if (!found) return { states: new Map(), open: null };
    const states = new Map<string, HostState>();
    hosts.forEach((host, i) => {
      const state = found[i];
      if (state) states.set(host, state as HostState);
    });
    const open = hosts.filter((host) => !states.has(host));
    // The host is the job's id, so a host that waits already is not added again.
    await this.jobs.enqueueAll(
      'link-checks',
      open.map((host) => ({ payload: { host }, jobId: host })),
    );
    return { states, open: open.length };
  }

  /** Stores the result of a lookup. */
  async note(host: string, state: HostState): Promise<void> {
    const seconds = state === 'unknown' ? UNKNOWN_SECONDS : KEPT_SECONDS;
    await this.redis.set(this.key(host), state, 'EX', seconds);
  }

  /** null where Redis does not answer. */
  private async read(hosts: readonly string[]): Promise<(string | null)[] | null> {
    const reading = this.redis.mget(hosts.map((host) => this.key(host))).catch(() => null);
    return Promise.race([reading, pause(REDIS_LIMIT_MS, null, { ref: false })]);
  }

  private get redis() {
    return this.jobs.queue('link-checks').client;
  }

  private key(host: string): string {
    return `${this.settings.redisPrefix}:link:${this.settings.linkCheck}:${host}`;
  }
}
