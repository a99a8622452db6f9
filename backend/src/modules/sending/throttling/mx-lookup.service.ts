import { type MxRecord, promises as dns } from 'node:dns';
import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed, rows } from '../../../shared/database/rows.js';
import { providerByMx, type RecipientProvider } from './recipient-provider.js';

/** Names that no public DNS knows. */
const RESERVED = /(^|\.)(test|example|invalid|localhost|local|internal|home\.arpa|example\.(com|net|org))$/;
const NO_RECORDS = new Set(['ENOTFOUND', 'ENODATA']);
const KEPT_HERE = 50_000;
/** Domains that wait to be looked up; more are asked for again when their next message comes. */
const MOST_WAITING = 10_000;
const AT_A_TIME = 8;
const BATCH = 200;
const PATIENCE_MS = 2_000;
const GOOD_FOR = '30 days';
/** After so many failures in a row nothing is asked for a while: there is no DNS to be had. */
const FAILURES = 8;
const REST_MS = 600_000;

/** Resolves MX records; replaced in tests. */
export abstract class MxResolver {
  abstract resolve(domain: string): Promise<MxRecord[]>;
}

@Injectable()
export class DnsMxResolver extends MxResolver {
  private readonly resolver = new dns.Resolver({ timeout: PATIENCE_MS, tries: 1 });

  resolve(domain: string): Promise<MxRecord[]> {
    return this.resolver.resolveMx(domain);
  }
}

/**
 * The large mailbox provider that hosts a domain, by its MX records. Asked on the way of a message it answers from memory only; what it
 * does not know is read from `recipient_domains`, or looked up, in the background. Without DNS every domain stands for itself.
 */
@Injectable()
export class MxLookup implements BeforeApplicationShutdown {
  private readonly log = new Logger(MxLookup.name);
  private readonly hosted = new Map<string, RecipientProvider | null>();
  private readonly waiting = new Set<string>();
  private working?: Promise<void>;
  private failures = 0;
  private restUntil = 0;
  private stopping = false;

  /** The embedded mailbox is every domain's mail server. */
  private readonly isOff: boolean;

  constructor(
    private readonly em: EntityManager,
    settings: Settings,
    private readonly resolver: MxResolver,
  ) {
    this.isOff = settings.embedded.has('mailbox');
  }

  /** @returns undefined where no large provider hosts it, as far as is known yet */
  known(domain: string): RecipientProvider | undefined {
    const found = this.hosted.get(domain);
    if (found === undefined) this.ask(domain);
    return found ?? undefined;
  }

  /** Resolves once nothing waits to be looked up. */
  async settled(): Promise<void> {
    while (this.working) await this.working;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.waiting.clear();
    await this.working;
  }

  private ask(domain: string): void {
    if (this.stopping || this.isOff || RESERVED.test(domain) || !domain.includes('.')) return this.keep(domain, null);
    if (this.waiting.size >= MOST_WAITING || Date.now() < this.restUntil) return;
    this.waiting.add(domain);
    this.working ??= new Promise<void>((begin) => setImmediate(begin)).then(() => this.work()).finally(() => (this.working = undefined));
  }

  private async work(): Promise<void> {
    while (this.waiting.size > 0) {
      const batch = [...this.waiting].slice(0, BATCH);
      for (const domain of batch) this.waiting.delete(domain);
      try {
        await this.lookUp(batch);
      } catch (error) {
        this.log.warn({ err: error }, 'recipient domains could not be looked up');
        this.rest();
      }
    }
  }

  private async lookUp(domains: readonly string[]): Promise<void> {
    const kept = await rows<{ domain: string; provider: RecipientProvider | null }>(
      this.em.fork(),
      `select domain, provider from recipient_domains where domain in (select jsonb_array_elements_text(?::jsonb)) and looked_up_at > now() - interval '${GOOD_FOR}'`,
      [JSON.stringify(domains)],
    );
    for (const { domain, provider } of kept) this.keep(domain, provider);
    const unknown = domains.filter((domain) => !this.hosted.has(domain));
    const found: { domain: string; provider: RecipientProvider | null }[] = [];
    const next = async (): Promise<void> => {
      for (let domain = unknown.pop(); domain !== undefined && !this.stopping && Date.now() >= this.restUntil; domain = unknown.pop()) {
        const provider = await this.resolve(domain);
        if (provider === undefined) this.keep(domain, null);
        else found.push({ domain, provider });
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, next));
    if (found.length === 0) return;
    for (const { domain, provider } of found) this.keep(domain, provider);
    await changed(
      this.em.fork(),
      `insert into recipient_domains (domain, provider) select f.domain, f.provider from jsonb_to_recordset(?::jsonb) as f(domain text, provider text) order by f.domain
       on conflict (domain) do update set provider = excluded.provider, looked_up_at = now()`,
      [JSON.stringify(found)],
    );
  }

  /** @returns null where none of the large ones hosts it, undefined where the question was not answered */
  private async resolve(domain: string): Promise<RecipientProvider | null | undefined> {
    try {
      const records = await withPatience(this.resolver.resolve(domain));
      this.failures = 0;
      return providerByMx(records.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)) ?? null;
    } catch (error) {
      if (NO_RECORDS.has((error as { code?: string }).code ?? '')) return null;
      if (++this.failures >= FAILURES) this.rest();
      return undefined;
    }
  }

  private rest(): void {
    if (Date.now() >= this.restUntil) this.log.warn(`MX records cannot be looked up; tried again in ${REST_MS / 60_000} min. Until then a domain counts as its own provider`);
    this.restUntil = Date.now() + REST_MS;
    this.failures = 0;
    this.waiting.clear();
  }

  private keep(domain: string, provider: RecipientProvider | null): void {
    if (this.hosted.size >= KEPT_HERE) this.hosted.clear();
    this.hosted.set(domain, provider);
  }
}

function withPatience<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_resolve, reject) => (timer = setTimeout(() => reject(new Error('no answer')), PATIENCE_MS * 2).unref()));
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
