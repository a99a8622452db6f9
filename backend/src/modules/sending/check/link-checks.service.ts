import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { Settings } from '../../../shared/config/settings.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';

/** Result of a lookup: the host exists, its name does not exist, or the lookup failed. */
export type HostState = 'found' | 'no_name' | 'unknown';

/** What is known about the hosts of a message. */
export interface HostStates {
  states: Map<string, HostState>;
  /**
   * Number of hosts that a worker still has to look up. Null if results are not available: this installation looks up
   * no hosts, or Redis does not answer.
   */
  open: number | null;
}

/** Maximum number of hosts per message that are looked up. */
const MAX_HOSTS = 20;
const KEPT_SECONDS = 3_600;
/** Seconds after which a host with an unknown result is looked up again. */
const UNKNOWN_SECONDS = 60;
const REDIS_LIMIT_MS = 1_000;

/**
 * Results of looking up the hosts that messages link to. Redis keeps them for an hour, or for a minute if the lookup
 * failed. A host without a result is looked up when a check asks for it. Workers do the lookups, because web processes
 * have no outbound network access.
 */
@Injectable()
export class LinkChecks {
  constructor(
    private readonly settings: Settings,
    private readonly jobs: JobQueue,
  ) {}

  /** Returns the known results for these hosts, and requests lookups of the others. */
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
    // The host is the id of its job, so a host that is already waiting is not added again.
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

  /**
   * Reads stored results.
   * @returns null if Redis does not answer
   */
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
