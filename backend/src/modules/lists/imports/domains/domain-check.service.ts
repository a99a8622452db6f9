import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../../shared/config/settings.js';
import { changed, rows } from '../../../../shared/database/queries/rows.js';
import { MailResolver } from './mail-resolver.js';

const DOMAINS_PER_CHECK = 50;
const KEPT_DAYS = 7;
/** Time in ms after which an import's lookups end. Domains that were not looked up by then count as taking mail. */
const MAX_CHECK_MS = 10 * 60_000;
/**
 * Maximum number of names looked up below one registrable domain, so that a file cannot flood one company's name
 * servers with made-up names.
 */
const MAX_HOSTS_OF_DOMAIN = 20;

/**
 * Looks up whether the domains of an import take mail. Answers are kept for KEPT_DAYS. A domain without an answer
 * counts as taking mail.
 */
@Injectable()
export class DomainCheck {
  constructor(
    private readonly em: EntityManager,
    private readonly resolver: MailResolver,
    private readonly settings: Settings,
  ) {}

  /**
   * Lists the domains of an import's staged rows anew, within the caller's transaction. Of the names below one
   * registrable domain, only those with the most people are looked up.
   */
  async collect(em: EntityManager, importId: string): Promise<void> {
    await rows(em, `delete from contact_import_domains where import_id = ?`, [importId]);
    await rows(em, COLLECT, [importId]);
  }

  /**
   * Looks up the next domains, those with the most people first, for a few seconds at most.
   * @param since time of the first lookup, in ms since 1970
   * @returns whether there may be more
   */
  async lookUpSome(importId: string, since: number): Promise<boolean> {
    if (!this.settings.importMxCheck || Date.now() - since > MAX_CHECK_MS) return false;
    const open = await rows<{ domain: string }>(this.em.fork(), OPEN, [importId]);
    if (open.length === 0) return false;
    const answers = await Promise.all(
      open.map(async ({ domain }) => ({ domain, takes_mail: await this.resolver.takesMail(domain) })),
    );
    await changed(this.em.fork(), STORE_ANSWERS, [
      JSON.stringify(answers.filter(({ takes_mail: known }) => known !== undefined)),
    ]);
    await changed(this.em.fork(), LOOKED_UP, [importId, JSON.stringify(open.map(({ domain }) => domain))]);
    return true;
  }
}

/**
 * Registrable domain: the company domain, or the last two labels for free-mail domains, which have no company domain.
 */
const REGISTRABLE = `coalesce(min(person ->> 'company_domain'), substring(domain from '[^.]+\\.[^.]+$'), domain)`;

const COLLECT = `
  insert into contact_import_domains (import_id, domain, people, suggestion, is_over_limit)
  select d.import_id, d.domain, d.people, d.suggestion, row_number() over (partition by d.registrable order by d.people desc, d.domain) > ${MAX_HOSTS_OF_DOMAIN}
  from (
    select import_id, domain, count(*) as people, min(suggestion) as suggestion, ${REGISTRABLE} as registrable
    from contact_import_rows where import_id = ? and domain is not null group by import_id, domain
  ) d`;

const OPEN = `
  select d.domain from contact_import_domains d where d.import_id = ? and not d.is_looked_up and not d.is_over_limit
    and not exists (select 1 from mail_domains m where m.domain = d.domain and m.looked_up_at > now() - interval '${KEPT_DAYS} days')
  order by d.people desc, d.domain limit ${DOMAINS_PER_CHECK}`;

const STORE_ANSWERS = `
  insert into mail_domains (domain, takes_mail) select a.domain, a.takes_mail from jsonb_to_recordset(?::jsonb) as a(domain text, takes_mail boolean) order by a.domain
  on conflict (domain) do update set takes_mail = excluded.takes_mail, looked_up_at = now()`;

const LOOKED_UP = `
  update contact_import_domains set is_looked_up = true where import_id = ? and domain in (select jsonb_array_elements_text(?::jsonb))`;
