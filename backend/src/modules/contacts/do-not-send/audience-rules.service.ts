import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { rows } from '../../../shared/database/queries/rows.js';
import { Accounts } from '../../auth/index.js';
import type { RuleKind } from '../contacts.constants.js';
import { RULE_HOLDS } from './rule-sql.js';
import { wordsFor } from './reason-labels.js';
import { readActiveRules } from './rule-rows.js';

/** A rule in the form in which it is applied when an audience is frozen. */
export interface AudienceRule {
  kind: RuleKind;
  value: string;
  /** SHA-256 of the address, in hex; null for a domain. */
  hash: string | null;
  /** Why the rule leaves an address out, as text. */
  words: string;
  /** The same reason for a masked address, without the address. */
  maskedWords: string;
}

/** Maximum number of people at a company that one send reaches. */
export interface CompanyCap {
  domain: string;
  max: number;
}

/** The account's rules and caps, for freezing the audience of a send. */
@Injectable()
export class AudienceRules {
  constructor(
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether a rule or a company cap of the account may affect a send, because it covers one of the account's contacts.
   * @param isNetworkChosen whether the send goes to the shared network: its members are not contacts of the account, so
   * any rule or cap may affect the send
   */
  async areInPlay(em: EntityManager, ownerId: string, isNetworkChosen: boolean): Promise<boolean> {
    const [found] = await rows<{ inPlay: boolean }>(em, APPLIES_TO_CHOICE, [
      ownerId,
      isNetworkChosen,
      ownerId,
      isNetworkChosen,
    ]);
    return found?.inPlay ?? false;
  }

  /** The rules in force, with the texts of their reasons. */
  async rules(em: EntityManager, ownerId: string): Promise<AudienceRule[]> {
    const found = await readActiveRules(em, ownerId);
    if (found.length === 0) return [];
    const zone = (await this.accounts.byId(ownerId, em))?.timeZone ?? 'UTC';
    const now = this.clock.now();
    return found.map((rule) => ({ kind: rule.kind, value: rule.value, hash: rule.hash, ...wordsFor(rule, zone, now) }));
  }

  /** The company caps of the account. */
  caps(em: EntityManager, ownerId: string): Promise<CompanyCap[]> {
    return rows<CompanyCap>(
      em,
      `select domain, max_per_send as max from companies where owner_id = ? and max_per_send is not null`,
      [ownerId],
    );
  }
}

/**
 * SQL: whether a rule or a cap covers a contact of the account. A rule for a free-mail domain always counts: its
 * contacts cannot be looked up by company, because contacts with free-mail addresses have no company.
 */
const APPLIES_TO_CHOICE = `
  select exists (
    select 1 from do_not_send_rules r where r.owner_id = ? and ${RULE_HOLDS} and (? or case
      when r.kind = 'address' then exists (select 1 from contact_profiles p where p.owner_id = r.owner_id and p.email_hash = r.address_hash)
      when r.company_domain is null then true
      else exists (select 1 from contact_profiles p where p.owner_id = r.owner_id and p.company_domain = r.company_domain) end)
  ) or exists (
    select 1 from companies k where k.owner_id = ? and k.max_per_send is not null and (? or exists (
      select 1 from contact_profiles p where p.owner_id = k.owner_id and p.company_domain = k.domain))
  ) as "inPlay"`;
