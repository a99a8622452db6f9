import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { contains, Keyset, type SortKey, withoutKeys } from '../../../shared/database/queries/keyset.js';
import { countMatches } from '../../../shared/database/queries/read-page.js';
import { rows } from '../../../shared/database/queries/rows.js';
import type { Page, RequestUser } from '../../../shared/http/index.js';
import { isoTime } from '../../../shared/text/formats.js';
import { companyDomain } from '../profiles/values/company-domain.js';
import type { ProfileRuleDto } from '../profiles/profile-rule.dto.js';
import { ruleNotFound } from '../contacts.errors.js';
import type { DoNotSendQuery, DoNotSendRuleDto } from './do-not-send.dto.js';
import { domainsOf } from './rule-set.js';
import { MATCHES_SQL, RULE_HOLDS } from './rule-sql.js';
import { REASON_LABELS, shownValue } from './reason-labels.js';

const SORTS: Record<string, SortKey> = {
  createdAt: { expression: 'r.created_at', type: 'timestamptz' },
  value: { expression: 'r.value', type: 'text' },
};
const PAGE_ROWS = 500;
const COLUMNS = `r.id, r.kind, r.value, r.reason, r.note, r.expires_at as until, r.created_at as "createdAt", ${MATCHES_SQL} as matches`;

type Row = Omit<DoNotSendRuleDto, 'until' | 'createdAt'> & { until: Date | string | null; createdAt: Date | string };

export const RULE_CSV = ['value', 'reason', 'note', 'until', 'added', 'contacts'] as const;

/** Reads the do-not-send list. Rules that have ended are not part of it. */
@Injectable()
export class RuleReader {
  constructor(private readonly em: EntityManager) {}

  /** @throws 400 for a bad cursor or sort */
  async page(ownerId: string, query: DoNotSendQuery & { limit: number }): Promise<Page<DoNotSendRuleDto>> {
    const keyset = new Keyset(SORTS, query.sort ?? '-createdAt', query.cursor, 'r.id');
    const text = query.search?.trim().toLowerCase();
    const where = `r.owner_id = ? and ${RULE_HOLDS}${query.reason ? ' and r.reason = ?' : ''}${text ? ` and (r.value like ? or lower(coalesce(r.note, '')) like ?)` : ''}`;
    const params = [
      ownerId,
      ...(query.reason ? [query.reason] : []),
      ...(text ? [contains(text), contains(text)] : []),
    ];
    const em = this.em.fork();
    const found = await rows<Row & { keyset_value: string; keyset_id: string }>(
      em,
      `select ${keyset.columns}, ${COLUMNS} from do_not_send_rules r where ${where} and ${keyset.where} order by ${keyset.orderBy} limit ?`,
      [...params, ...keyset.params, query.limit + 1],
    );
    const page = keyset.page(found, query.limit);
    const total = await countMatches(em, `do_not_send_rules r where ${where}`, params);
    return { ...page, rows: page.rows.map((row) => view(withoutKeys(row) as Row)), ...total };
  }

  /** @throws 404 */
  async one(ownerId: string, id: string): Promise<DoNotSendRuleDto> {
    const [found] = await rows<Row>(
      this.em.fork(),
      `select ${COLUMNS} from do_not_send_rules r where r.id = ? and r.owner_id = ?`,
      [id, ownerId],
    );
    if (!found) throw ruleNotFound();
    return view(found);
  }

  /**
   * The whole list as rows of a CSV file. The columns begin with those that `POST do-not-send/bulk` reads, so that an
   * exported file can be uploaded again.
   */
  async *csvRows(ownerId: string): AsyncGenerator<(string | number | null)[]> {
    for (let cursor: string | null | undefined; ;) {
      const page = await this.page(ownerId, { limit: PAGE_ROWS, sort: 'value', ...(cursor && { cursor }) });
      for (const { value, reason, note, until, createdAt, matches } of page.rows)
        yield [value, REASON_LABELS[reason], note, until, createdAt, matches];
      cursor = page.next;
      if (!cursor) return;
    }
  }

  /**
   * The rule that covers an address: the rule for the address itself, otherwise the rule for the longest matching
   * domain.
   * @returns null if no rule covers the address
   */
  async covering(ownerId: string, emailNorm: string, hash: Uint8Array): Promise<ProfileRuleDto | null> {
    const [found] = await rows<Omit<ProfileRuleDto, 'since' | 'until'> & { since: Date; until: Date | null }>(
      this.em.fork(),
      `select r.id, r.kind, r.value, r.reason, r.note, r.created_at as since, r.expires_at as until from do_not_send_rules r
       where r.owner_id = ? and ${RULE_HOLDS} and (r.address_hash = ? or (r.kind = 'domain' and r.value in (select jsonb_array_elements_text(?::jsonb))))
       order by r.kind, length(r.value) desc limit 1`,
      [ownerId, Buffer.from(hash), JSON.stringify(domainsOf(emailNorm))],
    );
    if (!found) return null;
    return { ...found, value: shownValue(found.value), since: isoTime(found.since), until: isoTime(found.until) };
  }

  /**
   * Suggests a rule for the domain of the account's own agency.
   * @returns null if the account's address belongs to no company, or a rule covers the domain already
   */
  async suggestion(user: Pick<RequestUser, 'id' | 'emailNorm'>): Promise<string | null> {
    const domain = companyDomain(user.emailNorm);
    if (!domain) return null;
    const [covered] = await rows(
      this.em.fork(),
      `select 1 from do_not_send_rules r where r.owner_id = ? and ${RULE_HOLDS} and r.value = ?`,
      [user.id, domain],
    );
    return covered ? null : domain;
  }
}

const view = ({ until, createdAt, value, ...row }: Row): DoNotSendRuleDto => ({
  ...row,
  value: shownValue(value),
  until: isoTime(until),
  createdAt: isoTime(createdAt),
});
