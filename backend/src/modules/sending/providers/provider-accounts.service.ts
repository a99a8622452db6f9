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
import { MailHostGuard } from '../../../shared/mail/mail-host-guard.js';
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
const HELD_HERE_MS = 10_000;
const CONNECTIONS = 10;
/** What an admin sees of any fault of a host that an admin named: more would tell which ports of which hosts are open. */
const NO_DETAIL = 'The mail server could not be reached or refused the message; the log says more';
/** A mail server of our own on a new address says goodbye early (guide/email.md §6). */
const WARM_UP_MESSAGES = 50;
/** SMTP_URL itself, where the table has no account that can be used. */
const UNLISTED = 'SMTP_URL';

/** The active accounts of `email_providers`, as transports want them. */
@Injectable()
export class ProviderAccounts extends MailAccounts {
  private readonly log = new Logger(ProviderAccounts.name);
  private readonly heldHere = new Map<string, number>();
  private readonly leftOut = new Set<string>();
  private known: Known[] = [];
  private readAt = 0;
  private reading?: Promise<void>;

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
    await pause(Math.max(0, reserved.get('*')!.startsInMs));
  }

  worked(account: MailAccount): void {
    this.heldHere.delete(account.id);
    if (account.id !== UNLISTED) this.health.worked(account.id);
  }

  failed(account: MailAccount, error: Error): boolean {
    const verdict = verdictOf(error as SmtpFault);
    if (verdict.kind !== 'lane') return false;
    this.heldHere.set(account.id, Date.now() + HELD_HERE_MS);
    const detail = verdict.response ?? `${verdict.reason}${verdict.code ? ` (${verdict.code})` : ''}`;
    const shown = (account as ServedAccount).namedBy === 'admin' ? NO_DETAIL : detail;
    if (account.id !== UNLISTED) this.health.failed(account.id, account.name, shown, detail);
    return true;
  }

  /** Asks the table again at the next message. */
  forget(): void {
    this.readAt = 0;
    this.known = [];
  }

  /** Null where the secret is not configured, or the config cannot be used with it. */
  accountOf({ id, name, apiKeyRef, config }: Row): ServedAccount | null {
    const server = serverOf(this.settings, apiKeyRef, config ?? {});
    if (!server) return null;
    const { url, namedBy } = server;
    const maxMessages = config?.messagesPerConnection ?? (config?.warmUp ? WARM_UP_MESSAGES : Infinity);
    const options = { ...smtpOptions(this.settings, config?.connections ?? CONNECTIONS, url), maxMessages, ...(namedBy === 'admin' && { addressOf: this.hosts.addressOf }) };
    return { id, name, namedBy, options, version: JSON.stringify([url, namedBy, config?.connections, maxMessages]) };
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
        this.noteUse(row, account !== null);
        return account ? [{ ...account, config: row.config ?? {}, heldUntil: Date.now() + row.heldForMs }] : [];
      });
      if (this.known.length === 0) this.known = [this.fallback()];
    } catch (error) {
      if (this.known.length === 0) throw error;
      this.log.warn({ err: error }, 'the mail accounts could not be read');
    }
  }

  /** Says once that an account is left out, and why that may be. */
  private noteUse({ id, name, apiKeyRef }: Row, isUsable: boolean): void {
    if (isUsable) this.leftOut.delete(id);
    else if (!this.leftOut.has(id)) {
      this.leftOut.add(id);
      const bind = apiKeyRef.startsWith('SMTP_PASSWORD_') ? `, or it is to go to another server than ${apiKeyRef.replace('SMTP_PASSWORD_', 'SMTP_HOST_')} names` : '';
      this.log.warn({ provider: name, code: 'mail_account_unusable' }, `mail account ${name}: ${apiKeyRef} is not set${bind}; it is left out`);
    }
  }

  private fallback(): Known {
    return { ...this.accountOf({ id: UNLISTED, name: 'SMTP_URL', apiKeyRef: 'SMTP_URL', config: null })!, config: {}, heldUntil: 0 };
  }
}

/** Whether its messages of a day are counted. */
const isCounted = ({ config: { warmUp, messagesPerDay } }: Pick<Known, 'config'>): boolean => warmUp !== undefined || messagesPerDay !== undefined;
