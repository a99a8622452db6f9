import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../../../shared/config/settings.js';
import { rows } from '../../../shared/database/rows.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { type MailAccount, MailAccounts } from '../../../shared/mail/mail-accounts.js';
import { smtpOptions } from '../../../shared/mail/smtp-options.js';
import { type SmtpFault, verdictOf } from '../smtp-verdict.js';
import { accountUrl, type ProviderConfig } from './provider-config.js';
import { ProviderHealth } from './provider-health.service.js';

interface Row {
  id: string;
  name: string;
  apiKeyRef: string;
  config: ProviderConfig | null;
}

interface Known extends MailAccount {
  rate: number;
  heldUntil: number;
}

const READ_AGAIN_MS = 2_000;
const HELD_HERE_MS = 10_000;
const CONNECTIONS = 10;
/** SMTP_URL itself, where the table has no account that can be used. */
const UNLISTED = 'SMTP_URL';

/** The active accounts of `email_providers`, as transports want them. */
@Injectable()
export class ProviderAccounts extends MailAccounts {
  private readonly log = new Logger(ProviderAccounts.name);
  private readonly limiters = new Map<string, RateLimiterRedis>();
  private readonly heldHere = new Map<string, number>();
  private known: Known[] = [];
  private readAt = 0;
  private reading?: Promise<void>;

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly health: ProviderHealth,
    private readonly jobs: JobQueue,
  ) {
    super();
  }

  async inOrder(): Promise<MailAccount[]> {
    if (Date.now() - this.readAt >= READ_AGAIN_MS) this.reading ??= this.read().finally(() => (this.reading = undefined));
    if (this.known.length === 0) await (this.reading ?? this.read());
    const now = Date.now();
    const isHeld = (one: Known): boolean => Math.max(one.heldUntil, this.heldHere.get(one.id) ?? 0) > now;
    const held = this.known.filter(isHeld);
    return held.length === 0 ? this.known : [...this.known.filter((one) => !isHeld(one)), ...held];
  }

  async takeTurn(account: MailAccount): Promise<void> {
    const { rate } = account as Known;
    if (!rate) return;
    for (;;) {
      try {
        await this.limiter(account.id, rate).consume(account.id);
        return;
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        await pause(Math.max(10, refused.msBeforeNext));
      }
    }
  }

  worked(account: MailAccount): void {
    this.heldHere.delete(account.id);
    if (account.id !== UNLISTED) this.health.worked(account.id);
  }

  failed(account: MailAccount, error: Error): boolean {
    const verdict = verdictOf(error as SmtpFault);
    if (verdict.kind !== 'lane') return false;
    this.heldHere.set(account.id, Date.now() + HELD_HERE_MS);
    if (account.id !== UNLISTED) this.health.failed(account.id, account.name, verdict.response ?? `${verdict.reason}${verdict.code ? ` (${verdict.code})` : ''}`);
    return true;
  }

  /** Asks the table again at the next message. */
  forget(): void {
    this.readAt = 0;
    this.known = [];
  }

  accountOf({ id, name, apiKeyRef, config }: Row): MailAccount | null {
    const url = accountUrl(this.settings, apiKeyRef, config ?? {});
    if (!url) return null;
    const options = smtpOptions(this.settings, config?.connections ?? CONNECTIONS, url);
    return { id, name, options, version: JSON.stringify([url, config?.connections]) };
  }

  /** What is known stays where the database does not answer: mail that is under way may go on. */
  private async read(): Promise<void> {
    this.readAt = Date.now();
    try {
      const found = await rows<Row & { heldForMs: number }>(
        this.em.fork(),
        `select id, name, api_key_ref as "apiKeyRef", config, (greatest(0, coalesce(extract(epoch from held_until - now()), 0)) * 1000)::float8 as "heldForMs"
         from email_providers where is_active order by is_default desc, created_at, name`,
      );
      this.known = found.flatMap((row) => {
        const account = this.accountOf(row);
        if (!account) this.log.warn(`mail account ${row.name}: ${row.apiKeyRef} is not set, or no host is named; it is left out`);
        return account ? [{ ...account, rate: row.config?.messagesPerSecond ?? 0, heldUntil: Date.now() + row.heldForMs }] : [];
      });
      if (this.known.length === 0) this.known = [this.fallback()];
    } catch (error) {
      if (this.known.length === 0) throw error;
      this.log.warn({ err: error }, 'the mail accounts could not be read');
    }
  }

  private fallback(): Known {
    return { ...this.accountOf({ id: UNLISTED, name: 'SMTP_URL', apiKeyRef: 'SMTP_URL', config: null })!, rate: 0, heldUntil: 0 };
  }

  private limiter(id: string, points: number): RateLimiterRedis {
    const key = `${id}:${points}`;
    const keyPrefix = `${this.settings.redisPrefix}:provider-rate`;
    const made = this.limiters.get(key) ?? new RateLimiterRedis({
      storeClient: this.jobs.queue('deliveries').client, rejectIfRedisNotReady: true, keyPrefix, points, duration: 1,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points: Math.max(1, Math.floor(points / 4)), duration: 1 }),
    });
    this.limiters.set(key, made);
    return made;
  }
}
