import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { rows } from '../../shared/database/queries/rows.js';
import { type MailAccount, MailAccounts } from '../../shared/mail/smtp/mail-accounts.js';
import { smtpOptions } from '../../shared/mail/smtp/smtp-options.js';
import { type SmtpFault, verdictOf } from '../../shared/mail/smtp/smtp-verdict.js';
import { ProviderRateLimiter } from './rate-limits/provider-rate-limiter.service.js';
import { type Quota, WarmUp } from './warm-up.service.js';
import { MailHostGuard } from '../../shared/mail/smtp/mail-host-guard.js';
import { type AccountServer, type ProviderConfig, serverOf } from './provider-config.js';
import { ProviderHealth } from './provider-health.service.js';

interface Row {
  id: string;
  name: string;
  apiKeyRef: string;
  config: ProviderConfig | null;
}

export interface ServedAccount extends MailAccount {
  namedBy: AccountServer['namedBy'];
}

interface Known extends ServedAccount {
  config: ProviderConfig;
  heldUntil: number;
}

const READ_AGAIN_MS = 1_000;
/** How far ahead a send time may be reserved, in ms. */
const LOOKAHEAD_MS = 500;
const LOCAL_HOLD_MS = 10_000;
const CONNECTIONS = 10;
/**
 * Error shown to an admin for any fault of a host that an admin named. More detail would turn the form into a port
 * scanner.
 */
const NO_DETAIL = 'The mail server could not be reached or refused the message; the log says more';
/** Messages per connection during warm-up: receivers distrust long connections from unknown addresses. */
const WARM_UP_MESSAGES = 50;
/** Name of the account from SMTP_URL, which is the fallback if the table has no usable account. */
const ENVIRONMENT_ACCOUNT = 'SMTP_URL';

/** Daily quota that was consumed for messages. */
export interface ReservedQuota extends Pick<Quota, 'granted' | 'pauseSeconds'> {
  reservedAccount: string;
  /** Returns the quota of messages that were not sent after all. Never rejects. */
  giveBack: (messages: number) => Promise<void>;
}

/**
 * Provides the active accounts of `email_providers` to the transports. Never exposes an account whose secret is missing
 * or bound to another host.
 */
@Injectable()
export class ProviderAccounts extends MailAccounts {
  private readonly log = new Logger(ProviderAccounts.name);
  private readonly localHolds = new Map<string, number>();
  private readonly unusable = new Set<string>();
  private known: Known[] = [];
  private readAt = -Infinity;
  private reading?: Promise<void>;
  /**
   * By account: the last reservation of a send time by a message that had none for this account, because another account
   * admitted it or because it is a system or test mail. Messages reserve one after the other.
   */
  private readonly takeOvers = new Map<string, Promise<unknown>>();

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly health: ProviderHealth,
    private readonly limiter: ProviderRateLimiter,
    private readonly warmUp: WarmUp,
    private readonly hosts: MailHostGuard,
  ) {
    super();
  }

  async inOrder(): Promise<Known[]> {
    this.readIfOld().catch((error: unknown) => this.log.warn({ err: error }, 'the mail accounts could not be read'));
    if (this.known.length === 0) await this.readIfOld(0);
    const now = performance.now();
    const isHeld = (one: Known): boolean => Math.max(one.heldUntil, this.localHolds.get(one.id) ?? 0) > now;
    if (!this.known.some(isHeld)) return this.known;
    const held = this.known.filter(isHeld);
    return [...this.known.filter((one) => !isHeld(one)), ...held];
  }

  inOrderNow(reservedAccount?: string): Known[] | undefined {
    const [first] = this.known;
    const now = performance.now();
    if (!first || now - this.readAt >= READ_AGAIN_MS) return undefined;
    for (const { id, heldUntil } of this.known)
      if (heldUntil > now || (this.localHolds.get(id) ?? 0) > now) return undefined;
    return (first.config.messagesPerSecond || isCounted(first)) && reservedAccount !== first.id
      ? undefined
      : this.known;
  }

  /**
   * The preferred account that is not failing. Reads the table again if the cache is over a second old, so that a new
   * limit applies soon.
   */
  async inUse(): Promise<Known> {
    await this.readIfOld();
    return (await this.inOrder())[0]!;
  }

  /** @returns messages per second that the account's settings allow; undefined: no limit */
  rateOf(id: string): number | undefined {
    return this.known.find((one) => one.id === id)?.config.messagesPerSecond;
  }

  get idOfFirst(): string | undefined {
    return this.known[0]?.id;
  }

  /** Messages per second that the preferred account's settings allow; undefined: no limit. */
  get rateOfFirst(): number | undefined {
    return this.known[0]?.config.messagesPerSecond;
  }

  /** Consumes daily quota of the account in use. Accounts without a warm-up or a daily limit grant all messages. */
  async reserveQuota(messages: number): Promise<ReservedQuota> {
    const { id, config } = await this.inUse();
    const isLimited = isCounted({ config }) && messages > 0;
    const { granted, pauseSeconds, hour } = isLimited
      ? await this.warmUp.take(id, messages)
      : { granted: messages, pauseSeconds: 0, hour: null };
    return { granted, pauseSeconds, reservedAccount: id, giveBack: (unsent) => this.giveBack(id, hour, unsent) };
  }

  /** Returns quota. If that fails, the quota stays consumed, so that the account sends less rather than more. */
  private async giveBack(id: string, hour: string | null, messages: number): Promise<void> {
    if (messages === 0 || hour === null) return;
    await this.warmUp
      .giveBack(id, hour, messages)
      .catch((error: unknown) => this.log.warn({ err: error }, 'unused quota of a mail account could not be returned'));
  }

  canTakeOver(account: MailAccount): boolean | Promise<boolean> {
    if (!isCounted(account as Known)) return true;
    return this.warmUp.take(account.id, 1).then(({ granted }) => granted === 1);
  }

  async awaitRate(account: MailAccount): Promise<void> {
    const { messagesPerSecond } = (account as Known).config;
    if (!messagesPerSecond) return;
    const turn = (this.takeOvers.get(account.id) ?? Promise.resolve()).then(() =>
      this.reserveSendTime(account.id, messagesPerSecond),
    );
    this.takeOvers.set(
      account.id,
      turn.catch(() => undefined),
    );
    await pause(Math.max(0, await turn));
  }

  /** @returns ms until the send time of one message */
  private async reserveSendTime(account: string, most: number): Promise<number> {
    for (;;) {
      const request = { provider: '*', wanted: 1, most, lookaheadMs: LOOKAHEAD_MS };
      const { granted, startsInMs, retryInMs } = (await this.limiter.reserve(account, [request])).get('*')!;
      if (granted > 0) return startsInMs;
      await pause(retryInMs);
    }
  }

  worked(account: MailAccount): void {
    this.localHolds.delete(account.id);
    if (account.id !== ENVIRONMENT_ACCOUNT) this.health.worked(account.id);
  }

  failed(account: MailAccount, error: Error): boolean {
    const verdict = verdictOf(error as SmtpFault);
    if (verdict.kind !== 'account') return false;
    this.localHolds.set(account.id, performance.now() + LOCAL_HOLD_MS);
    const detail = verdict.response ?? `${verdict.reason}${verdict.code ? ` (${verdict.code})` : ''}`;
    const shown = (account as ServedAccount).namedBy === 'admin' ? NO_DETAIL : detail;
    if (account.id !== ENVIRONMENT_ACCOUNT) this.health.failed(account.id, account.name, shown, detail);
    return true;
  }

  /** Drops the cached accounts; the next message reads the table again. */
  forget(): void {
    this.readAt = -Infinity;
    this.known = [];
  }

  /** @returns null if the secret is not configured or may not be used with the config */
  accountOf({ id, name, apiKeyRef, config }: Row): ServedAccount | null {
    const server = serverOf(this.settings, apiKeyRef, config ?? {});
    if (!server) return null;
    const { url, namedBy } = server;
    const maxMessages = config?.messagesPerConnection ?? (config?.warmUp ? WARM_UP_MESSAGES : Infinity);
    const fromUrl = smtpOptions(this.settings, config?.connections ?? CONNECTIONS, url);
    const client = fromUrl.client ?? config?.client;
    const options = {
      ...fromUrl,
      maxMessages,
      client,
      ...(namedBy === 'admin' && { addressOf: this.hosts.addressOf }),
    };
    const version = JSON.stringify([url, namedBy, config?.connections, maxMessages, client]);
    return { id, name, namedBy, options, version };
  }

  /** @throws if no accounts are cached and the database does not answer */
  private readIfOld(age = READ_AGAIN_MS): Promise<void> {
    if (performance.now() - this.readAt >= age) this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading ?? Promise.resolve();
  }

  /** Keeps the cached accounts if the database does not answer, so that delivery continues. */
  private async read(): Promise<void> {
    this.readAt = performance.now();
    try {
      this.known = (await this.found()).flatMap((row) => {
        const account = this.accountOf(row);
        this.logUsability(row, account !== null);
        return account ? [{ ...account, config: row.config ?? {}, heldUntil: performance.now() + row.heldForMs }] : [];
      });
      if (this.known.length === 0) this.known = [this.fallback()];
    } catch (error) {
      if (this.known.length === 0) throw error;
      this.log.warn({ err: error }, 'the mail accounts could not be read');
    }
  }

  /** Overridden by tests without a database. */
  protected found(): Promise<(Row & { heldForMs: number })[]> {
    return rows(
      this.em.fork(),
      `select id, name, api_key_ref as "apiKeyRef", config, (greatest(0, coalesce(extract(epoch from held_until - now()), 0)) * 1000)::float8 as "heldForMs"
       from email_providers where is_active order by is_default desc, created_at, name`,
    );
  }

  /** Logs an unusable account once, and again only if it was usable in between. */
  private logUsability({ id, name, apiKeyRef }: Row, isUsable: boolean): void {
    if (isUsable) this.unusable.delete(id);
    else if (!this.unusable.has(id)) {
      this.unusable.add(id);
      const bind = apiKeyRef.startsWith('SMTP_PASSWORD_')
        ? `, or it is to go to another server than ${apiKeyRef.replace('SMTP_PASSWORD_', 'SMTP_HOST_')} names`
        : '';
      this.log.warn(
        { provider: name, code: 'mail_account_unusable' },
        `mail account ${name}: ${apiKeyRef} is not set${bind}; it is left out`,
      );
    }
  }

  private fallback(): Known {
    return {
      ...this.accountOf({ id: ENVIRONMENT_ACCOUNT, name: 'SMTP_URL', apiKeyRef: 'SMTP_URL', config: null })!,
      config: {},
      heldUntil: 0,
    };
  }
}

/** Whether the account has a daily quota, so that its messages are counted. */
const isCounted = ({ config: { warmUp, messagesPerDay } }: Pick<Known, 'config'>): boolean =>
  warmUp !== undefined || messagesPerDay !== undefined;
