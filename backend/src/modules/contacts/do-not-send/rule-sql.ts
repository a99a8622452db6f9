import type { SqlPart } from '../../../shared/database/queries/rows.js';
import { hostSql } from '../../../shared/database/queries/columns.js';

/** SQL condition: rule `r` is in force. */
export const RULE_HOLDS = '(r.expires_at is null or r.expires_at > now())';

/** SQL condition: a host equals a domain or is a subdomain of it. */
export const isBelowSql = (host: string, domain: string): string =>
  `(${host} = ${domain} or right(${host}, length(${domain}) + 1) = '.' || ${domain})`;

/**
 * SQL expression: number of the account's profiles that rule `r` covers. Each branch reads an index; for a free-mail
 * domain, it reads the index entries of all contacts without a company.
 */
export const MATCHES_SQL = `(case
  when r.kind = 'address' then (select count(*) from contact_profiles p where p.owner_id = r.owner_id and p.email_hash = r.address_hash)
  when r.value = r.company_domain then (select count(*) from contact_profiles p where p.owner_id = r.owner_id and p.company_domain = r.value)
  when r.company_domain is not null then (select count(*) from contact_profiles p
    where p.owner_id = r.owner_id and p.company_domain = r.company_domain and ${isBelowSql(hostSql('p.email_norm'), 'r.value')})
  else (select count(*) from contact_profiles p
    where p.owner_id = r.owner_id and p.company_domain is null and ${isBelowSql(hostSql('p.email_norm'), 'r.value')})
end)::int`;

/**
 * SQL condition over profiles `p`: a rule of the account covers them. Rules for whole companies are looked up in a set.
 * Only free mail, and companies with a rule for one of their subdomains, are compared rule by rule.
 */
export function coveredByRule(ownerId: string): SqlPart {
  const rules = (columns: string, more: string): string =>
    `select ${columns} from do_not_send_rules r where r.owner_id = ? and ${RULE_HOLDS} and ${more}`;
  return {
    sql: `(p.email_hash in (${rules('r.address_hash', `r.kind = 'address'`)})
      or coalesce(p.company_domain in (${rules('r.value', `r.kind = 'domain' and r.value = r.company_domain`)}), false)
      or ((case when p.company_domain is null then exists (${rules('1', `r.kind = 'domain' and r.company_domain is null`)})
           else p.company_domain in (${rules('r.company_domain', `r.kind = 'domain' and r.company_domain <> r.value`)}) end)
        and exists (${rules('1', `r.kind = 'domain' and r.company_domain is not distinct from p.company_domain and ${isBelowSql(hostSql('p.email_norm'), 'r.value')}`)})))`,
    params: [ownerId, ownerId, ownerId, ownerId, ownerId],
  };
}
