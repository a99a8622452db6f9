import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { tooBusy } from '../auth.errors.js';
import { type HashCaller, HashQueue } from './hash-queue.js';
import { HashThread } from './hash-thread.js';

const ARGON2_COST = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
const THREADS = 2;
/** Queue entry that all callers without an identity share. */
const UNKNOWN_CALLER: HashCaller = { network: '' };
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

interface Waiting {
  parameters: Argon2Parameters;
  done: (tag: Buffer) => void;
  failed: (error: Error) => void;
}

/** Hashes passwords with argon2id (PHC string format) in threads. Callers wait in a fair queue. */
@Injectable()
export class PasswordHasher implements OnModuleInit, OnApplicationShutdown {
  private readonly threads = Array.from({ length: THREADS }, () => new HashThread());
  private readonly queue = new HashQueue<Waiting>();
  private dummy?: Promise<string>;

  constructor(private readonly settings: Settings) {}

  /** @throws 429 if too much work of the caller, or in total, is waiting */
  async hash(password: string, caller: HashCaller = UNKNOWN_CALLER): Promise<string> {
    const nonce = randomBytes(16);
    const { memory: m, passes: t, parallelism: p } = ARGON2_COST;
    const tag = await this.derive({ message: password, nonce, tagLength: TAG_LENGTH, ...ARGON2_COST }, caller);
    return `$argon2id$v=19$m=${m},t=${t},p=${p}$${bare(nonce)}$${bare(tag)}`;
  }

  /**
   * Verifies a password. Without a hash, does the same work and returns false, so that timing does not reveal whether
   * there is a hash.
   * @throws 429 like `hash`
   */
  async verify(password: string, hash: string | undefined, caller: HashCaller = UNKNOWN_CALLER): Promise<boolean> {
    const { cost, nonce, tag } = partsOf(hash ?? (await this.dummyHash()));
    const found = await this.derive({ message: password, nonce, tagLength: tag.length, ...cost }, caller);
    return timingSafeEqual(found, tag) && hash !== undefined;
  }

  /** Whether a hash has lower cost parameters than the current ones. */
  isOutdated(hash: string): boolean {
    const { cost, tag } = partsOf(hash);
    return (
      cost.memory < ARGON2_COST.memory ||
      cost.passes < ARGON2_COST.passes ||
      cost.parallelism < ARGON2_COST.parallelism ||
      tag.length < TAG_LENGTH
    );
  }

  /**
   * Computes the dummy hash at start, so that the first sign-in with an unknown address takes no longer than later
   * ones. Workers do not compute it, which saves memory.
   */
  onModuleInit(): void {
    if (this.settings.runsWeb) this.dummyHash().catch(() => (this.dummy = undefined));
  }

  async onApplicationShutdown(): Promise<void> {
    for (let left = this.queue.next(); left; left = this.queue.next()) left.failed(new Error('the process ends'));
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private dummyHash(): Promise<string> {
    this.dummy ??= this.hash(randomBytes(16).toString('hex'));
    return this.dummy;
  }

  private derive(parameters: Argon2Parameters, caller: HashCaller): Promise<Buffer> {
    return new Promise((done, failed) => {
      this.queue.add({ parameters, done, failed }, caller)?.failed(tooBusy());
      this.dispatch();
    });
  }

  /** Gives each idle thread only one item, so that the queue can still reorder the others. */
  private dispatch(): void {
    for (const thread of this.threads.filter(({ load }) => load === 0)) {
      const next = this.queue.next();
      if (!next) return;
      void thread
        .derive(next.parameters)
        .then(next.done, next.failed)
        .finally(() => this.dispatch());
    }
  }
}

/** Parses a PHC string. For any other text, returns parts that no password matches. */
function partsOf(hash: string): { cost: typeof ARGON2_COST; nonce: Buffer; tag: Buffer } {
  const [, m, t, p, nonce = '', tag = ''] = PHC.exec(hash) ?? [];
  return {
    cost: { memory: Number(m), passes: Number(t), parallelism: Number(p) },
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

const bare = (bytes: Buffer): string => bytes.toString('base64').replace(/(?<!=)=+$/, '');
