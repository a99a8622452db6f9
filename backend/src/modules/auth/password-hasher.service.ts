import { argon2 as argon2Callback, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { tooBusy } from './auth.errors.js';

const argon2 = promisify(argon2Callback) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
/** argon2 shares libuv's four threads with DNS and files: two at once leave room for them. */
const AT_ONCE = 2;
const MAX_WAITING = 200;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Passwords as argon2id in the PHC string format. */
@Injectable()
export class PasswordHasher {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
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
    if (this.settings.runsWeb) void this.dummyHash();
  }

  private dummyHash(): Promise<string> {
    this.dummy ??= this.hash(randomBytes(16).toString('hex'));
    return this.dummy;
  }

  private async derive(message: string, nonce: Buffer, cost: typeof COST, tagLength: number): Promise<Buffer> {
    await this.enter();
    try {
      return await argon2('argon2id', { message, nonce, tagLength, ...cost });
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.running < AT_ONCE) return void (this.running += 1);
    if (this.waiting.length >= MAX_WAITING) throw tooBusy();
    await new Promise<void>((go) => this.waiting.push(go));
  }

  /** Hands the place on to whoever waits longest. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}

const bare = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
