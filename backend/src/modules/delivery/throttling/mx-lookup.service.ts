import { type MxRecord, promises as dns } from 'node:dns';
import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { providerByMx, type RecipientProvider } from './recipient-provider.js';
import { answerWithin } from '../../../shared/lifecycle/answer-within.js';

/** Reserved names, which are never looked up. */
const RESERVED = /(^|\.)(test|example|invalid|localhost|local|internal|home\.arpa|example\.(com|net|org))$/;
const NO_RECORDS = new Set(['ENOTFOUND', 'ENODATA']);
const MAX_CACHED_DOMAINS = 50_000;
/** Maximum domains in the queue. A further domain is queued when its next message is processed. */
const MAX_WAITING_DOMAINS = 10_000;
const CONCURRENT_LOOKUPS = 8;
const DOMAINS_PER_BATCH = 200;
const LOOKUP_TIMEOUT_MS = 2_000;
const STORED_ANSWER_VALID_FOR = '30 days';
/** Ms for which an answer is kept in memory before it is read again. */
const GOOD_HERE_MS = 86_400_000;
/** Ms before a domain is queried again after its first unanswered query; doubled each time. */
const FIRST_DOMAIN_PAUSE_MS = 60_000;
const MAX_DOMAIN_PAUSE_MS = 3_600_000;
/**
 * Maximum number of unanswered domains that are remembered. If there are more, the oldest are forgotten and queried
 * again with their next message.
 */
const MAX_UNANSWERED_DOMAINS = 10_000;
/** Consecutive failures after which all queries pause, because no DNS server is reachable. */
const FAILURES = 8;
/** Ms for which all queries pause after FAILURES failures. */
const NO_DNS_PAUSE_MS = 600_000;

/** Resolves MX records; replaced in tests. */
export abstract class MxResolver {
  abstract resolve(domain: string): Promise<MxRecord[]>;
}

@Injectable()
export class DnsMxResolver extends MxResolver {
  private readonly resolver = new dns.Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: 1 });

  resolve(domain: string): Promise<MxRecord[]> {
    return this.resolver.resolveMx(domain);
  }
}

/**
 * Finds the large mailbox provider that hosts a domain, by the domain's MX records. Answers from memory while a message
 * is being processed; unknown domains are read from `recipient_domains` or looked up in the background. Without DNS,
 * every domain counts as its own provider.
 */
@Injectable()
export class MxLookup implements BeforeApplicationShutdown {
  private readonly log = new Logger(MxLookup.name);
  private readonly hosted = new Map<string, { provider: RecipientProvider | null; goodUntil: number }>();
  private readonly waiting = new Set<string>();
  /** Domains whose query was not answered, with the time of the next query; the oldest first. */
  private readonly unanswered = new Map<string, { askAt: number; pauseMs: number }>();
  private working?: Promise<void>;
  private failures = 0;
  private pausedUntil = 0;
  private stopping = false;

  /** Whether lookups are off, because the embedded mailbox receives all mail and MX records do not matter. */
  private readonly isOff: boolean;

  constructor(
    private readonly em: EntityManager,
    settings: Settings,
    private readonly resolver: MxResolver,
  ) {
    this.isOff = settings.embedded.has('mailbox');
  }

  /** @returns undefined if no large provider hosts the domain, or if that is not known yet */
  known(domain: string): RecipientProvider | undefined {
    const found = this.hosted.get(domain);
    if (!found || found.goodUntil <= this.now()) this.ask(domain);
    return found?.provider ?? undefined;
  }

  /** Resolves once the queue is empty. */
  async settled(): Promise<void> {
    while (this.working) await this.working;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.waiting.clear();
    await this.working;
  }

  /** Overridden by tests that simulate hours in seconds. */
  protected now(): number {
    return performance.now();
  }

  private ask(domain: string): void {
    if (this.stopping || this.isOff || RESERVED.test(domain) || !domain.includes('.')) return this.keep(domain, null);
    const now = this.now();
    if (
      this.waiting.size >= MAX_WAITING_DOMAINS ||
      now < this.pausedUntil ||
      now < (this.unanswered.get(domain)?.askAt ?? 0)
    )
      return;
    this.waiting.add(domain);
    this.working ??= new Promise<void>((begin) => setImmediate(begin))
      .then(() => this.work())
      .finally(() => (this.working = undefined));
  }

  private async work(): Promise<void> {
    while (this.waiting.size > 0) {
      const batch = [...this.waiting].slice(0, DOMAINS_PER_BATCH);
      for (const domain of batch) this.waiting.delete(domain);
      try {
        await this.lookUp(batch);
      } catch (error) {
        this.log.warn({ err: error }, 'recipient domains could not be looked up');
        this.pause();
      }
    }
  }

  private async lookUp(domains: readonly string[]): Promise<void> {
    const kept = await rows<{ domain: string; provider: RecipientProvider | null }>(
      this.em.fork(),
      `select domain, provider from recipient_domains where domain in (select jsonb_array_elements_text(?::jsonb)) and looked_up_at > now() - interval '${STORED_ANSWER_VALID_FOR}'`,
      [JSON.stringify(domains)],
    );
    const known = new Set(kept.map(({ domain }) => domain));
    for (const { domain, provider } of kept) this.keep(domain, provider);
    const unknown = domains.filter((domain) => !known.has(domain));
    const found: { domain: string; provider: RecipientProvider | null }[] = [];
    const next = async (): Promise<void> => {
      for (
        let domain = unknown.pop();
        domain !== undefined && !this.stopping && this.now() >= this.pausedUntil;
        domain = unknown.pop()
      ) {
        const provider = await this.resolve(domain);
        if (provider === undefined) this.askLater(domain);
        else found.push({ domain, provider });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_LOOKUPS }, next));
    if (found.length === 0) return;
    for (const { domain, provider } of found) this.keep(domain, provider);
    await changed(
      this.em.fork(),
      `insert into recipient_domains (domain, provider) select f.domain, f.provider from jsonb_to_recordset(?::jsonb) as f(domain text, provider text) order by f.domain
       on conflict (domain) do update set provider = excluded.provider, looked_up_at = now()`,
      [JSON.stringify(found)],
    );
  }

  /** @returns null if no large provider hosts the domain; undefined if the query was not answered */
  private async resolve(domain: string): Promise<RecipientProvider | null | undefined> {
    try {
      const records = await answerWithin(this.resolver.resolve(domain), LOOKUP_TIMEOUT_MS * 2, 'no answer');
      this.failures = 0;
      return providerByMx(records.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)) ?? null;
    } catch (error) {
      if (NO_RECORDS.has((error as { code?: string }).code ?? '')) return null;
      if (++this.failures >= FAILURES) this.pause();
      return undefined;
    }
  }

  private pause(): void {
    if (this.now() >= this.pausedUntil)
      this.log.warn(
        `MX records cannot be looked up; tried again in ${NO_DNS_PAUSE_MS / 60_000} min. Until then a domain counts as its own provider`,
      );
    this.pausedUntil = this.now() + NO_DNS_PAUSE_MS;
    this.failures = 0;
    this.waiting.clear();
  }

  /** Schedules another query for the domain. Until it is answered, the domain counts as its own provider. */
  private askLater(domain: string): void {
    const pauseMs = Math.min(
      (this.unanswered.get(domain)?.pauseMs ?? FIRST_DOMAIN_PAUSE_MS / 2) * 2,
      MAX_DOMAIN_PAUSE_MS,
    );
    this.unanswered.delete(domain);
    if (this.unanswered.size >= MAX_UNANSWERED_DOMAINS) this.unanswered.delete(this.unanswered.keys().next().value!);
    this.unanswered.set(domain, { askAt: this.now() + pauseMs, pauseMs });
  }

  private keep(domain: string, provider: RecipientProvider | null): void {
    this.unanswered.delete(domain);
    if (this.hosted.size >= MAX_CACHED_DOMAINS) this.hosted.clear();
    this.hosted.set(domain, { provider, goodUntil: this.now() + GOOD_HERE_MS });
  }
}
