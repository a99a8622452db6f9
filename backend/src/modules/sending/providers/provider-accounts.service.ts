import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { rows } from '../../../shared/database/rows.js';
import { type MailAccount, MailAccounts } from '../../../shared/mail/mail-accounts.js';
import { smtpOptions } from '../../../shared/mail/smtp-options.js';
import { type SmtpFault, verdictOf } from '../smtp-verdict.js';
import { ProviderRateLimiter } from '../throttling/provider-rate-limiter.service.js';
import { type Places, WarmUp } from '../warm-up.service.js';
import { accountUrl, type ProviderConfig } from './provider-config.js';
import { ProviderHealth } from './provider-health.service.js';

interface Row {
  id: string;
  name: string;
  apiKeyRef: string;
  config: ProviderConfig | null;
}

interface Known extends MailAccount {
  config: ProviderConfig;
  heldUntil: number;
}

const READ_AGAIN_MS = 1_000;
const HELD_HERE_MS = 10_000;
const CONNECTIONS = 10;
/** A mail server of our own on a new address says goodbye early (guide/email.md §6). */
const WARM_UP_MESSAGES = 50;
/** SMTP_URL itself, where the table has no account that can be used. */
const UNLISTED = 'SMTP_URL';

/** The active accounts of `email_providers`, as transports want them. */
@Injectable()
export class ProviderAccounts extends MailAccounts {
  private readonly log = new Logger(ProviderAccounts.name);
  private readonly heldHere = new Map<string, number>();
  private known: Known[] = [];
  private readAt = 0;
  private reading?: Promise<void>;

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly health: ProviderHealth,
    private readonly limiter: ProviderRateLimiter,
    private readonly warmUp: WarmUp,
  ) {
    super();
  }

  async inOrder(): Promise<Known[]> {
    this.readIfOld().catch((error: unknown) => this.log.warn({ err: error }, 'the mail accounts could not be read'));
    if (this.known.length === 0) await this.readIfOld(0);
    const now = Date.now();
    const isHeld = (one: Known): boolean => Math.max(one.heldUntil, this.heldHere.get(one.id) ?? 0) > now;
    if (!this.known.some(isHeld)) return this.known;
    const held = this.known.filter(isHeld);
    return [...this.known.filter((one) => !isHeld(one)), ...held];
  }

  atOnce(placeWith?: string): Known[] | undefined {
    const [first] = this.known;
    const now = Date.now();
    if (!first || now - this.readAt >= READ_AGAIN_MS) return undefined;
    for (const { id, heldUntil } of this.known) if (heldUntil > now || (this.heldHere.get(id) ?? 0) > now) return undefined;
    return (first.config.messagesPerSecond || isCounted(first)) && placeWith !== first.id ? undefined : this.known;
  }

  /** The one that mail goes out by now, unless it fails; as the table has had it within a second, so that a new limit holds at once. */
  async inUse(): Promise<Known> {
    await this.readIfOld();
    return (await this.inOrder())[0]!;
  }

  /** Messages a second that an account's settings allow; undefined: no limit. */
  rateOf(id: string): number | undefined {
    return this.known.find((one) => one.id === id)?.config.messagesPerSecond;
  }

  get idOfFirst(): string | undefined {
    return this.known[0]?.id;
  }

  /** The rate of the account that is tried first. */
  get rateOfFirst(): number | undefined {
    return this.known[0]?.config.messagesPerSecond;
  }

  /** Places for so many messages with the account in use: one that is warmed up has only so many. */
  async takePlaces(messages: number): Promise<Places & { placeWith: string }> {
    const { id, config } = await this.inUse();
    const places = isCounted({ config }) && messages > 0 ? await this.warmUp.take(id, messages) : { granted: messages, pauseSeconds: 0 };
    return { ...places, placeWith: id };
  }

  mayTakeOver(account: MailAccount): boolean | Promise<boolean> {
    if (!isCounted(account as Known)) return true;
    return this.warmUp.take(account.id, 1).then(({ granted }) => granted === 1);
  }

  async takeTurn(account: MailAccount): Promise<void> {
    const { messagesPerSecond } = (account as Known).config;
    if (!messagesPerSecond) return;
    const reserved = await this.limiter.reserve(account.id, [{ provider: '*', wanted: 1, most: messagesPerSecond, lookaheadMs: Infinity }]);
    await pause(reserved.get('*')!.delayMs);
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
    const maxMessages = config?.messagesPerConnection ?? (config?.warmUp ? WARM_UP_MESSAGES : Infinity);
    const options = { ...smtpOptions(this.settings, config?.connections ?? CONNECTIONS, url), maxMessages };
    return { id, name, options, version: JSON.stringify([url, config?.connections, maxMessages]) };
  }

  /** @throws where nothing is known and the database does not answer */
  private readIfOld(age = READ_AGAIN_MS): Promise<void> {
    if (Date.now() - this.readAt >= age) this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading ?? Promise.resolve();
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
        return account ? [{ ...account, config: row.config ?? {}, heldUntil: Date.now() + row.heldForMs }] : [];
      });
      if (this.known.length === 0) this.known = [this.fallback()];
    } catch (error) {
      if (this.known.length === 0) throw error;
      this.log.warn({ err: error }, 'the mail accounts could not be read');
    }
  }

  private fallback(): Known {
    return { ...this.accountOf({ id: UNLISTED, name: 'SMTP_URL', apiKeyRef: 'SMTP_URL', config: null })!, config: {}, heldUntil: 0 };
  }
}

/** Whether its messages of a day are counted. */
const isCounted = ({ config: { warmUp, messagesPerDay } }: Pick<Known, 'config'>): boolean => warmUp !== undefined || messagesPerDay !== undefined;
