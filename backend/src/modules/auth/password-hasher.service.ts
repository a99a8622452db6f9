import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { tooBusy } from './auth.errors.js';
import { HashThread } from './hash-thread.js';

const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
/** Two at once; who comes when so many wait would wait for seconds, and is asked to come back instead. */
const THREADS = 2;
const MAX_WAITING = 100;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Passwords as argon2id in the PHC string format. */
@Injectable()
export class PasswordHasher implements OnModuleInit, OnApplicationShutdown {
  private readonly threads = Array.from({ length: THREADS }, () => new HashThread());
  private dummy?: Promise<string>;

  constructor(private readonly settings: Settings) {}

  async hash(password: string): Promise<string> {
    const nonce = randomBytes(16);
    const { memory: m, passes: t, parallelism: p } = COST;
    const tag = await this.derive(password, nonce, COST, TAG_LENGTH);
    return `$argon2id$v=19$m=${m},t=${t},p=${p}$${bare(nonce)}$${bare(tag)}`;
  }

  /** Whether the password is the one; without a hash the same work is done and the answer is no. */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    const [, m, t, p, nonce = '', tag = ''] = PHC.exec(hash ?? (await this.dummyHash())) ?? [];
    const expected = Buffer.from(tag, 'base64');
    const cost = { memory: Number(m), passes: Number(t), parallelism: Number(p) };
    const found = await this.derive(password, Buffer.from(nonce, 'base64'), cost, expected.length);
    return timingSafeEqual(found, expected) && hash !== undefined;
  }

  /** Made at start, so that the first unknown address takes no longer than the second; a worker, whom nobody signs in to, saves the memory. */
  onModuleInit(): void {
    if (this.settings.runsWeb) this.dummyHash().catch(() => (this.dummy = undefined));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private dummyHash(): Promise<string> {
    this.dummy ??= this.hash(randomBytes(16).toString('hex'));
    return this.dummy;
  }

  private derive(message: string, nonce: Buffer, cost: typeof COST, tagLength: number): Promise<Buffer> {
    const idlest = this.threads.reduce((best, one) => (one.load < best.load ? one : best));
    if (idlest.load > MAX_WAITING / THREADS) throw tooBusy();
    return idlest.derive({ message, nonce, tagLength, ...cost });
  }
}

const bare = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
