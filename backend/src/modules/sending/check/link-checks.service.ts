import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { Settings } from '../../../shared/config/settings.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';

/** What is known of a host: it answers, no server has its name, or it could not be found out. */
export type HostState = 'found' | 'no_name' | 'unknown';

/** What a message's hosts are, as far as it is known. */
export interface HostStates {
  states: Map<string, HostState>;
  /** Hosts that a worker looks up now; null: they are not looked up here. */
  open: number | null;
}

/** Hosts of one message that are looked up. */
const MOST_HOSTS = 20;
const KEPT_SECONDS = 3_600;
/** What could not be found out is asked again soon. */
const UNKNOWN_SECONDS = 60;
const REDIS_LIMIT_MS = 1_000;

/**
 * Results of looking up the hosts that messages link to. They are kept in Redis for an hour; where Redis was emptied, a host is
 * looked up again when somebody asks. The lookup itself is a worker's: web processes have no way out.
 */
@Injectable()
export class LinkChecks {
  constructor(
    private readonly settings: Settings,
    private readonly jobs: JobQueue,
  ) {}

  /** Has hosts looked up that are not known. */
  async of(given: readonly string[]): Promise<HostStates> {
    const hosts = given.slice(0, MOST_HOSTS);
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
    // A host that waits is not added twice: its name is the job's id.
    await this.jobs.enqueueAll(
      'link-checks',
      open.map((host) => ({ payload: { host }, jobId: host })),
    );
    return { states, open: open.length };
  }

  /** Keeps what a worker found out. */
  async note(host: string, state: HostState): Promise<void> {
    const seconds = state === 'unknown' ? UNKNOWN_SECONDS : KEPT_SECONDS;
    await this.redis.set(this.key(host), state, 'EX', seconds);
  }

  /** Null where Redis does not answer. */
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
