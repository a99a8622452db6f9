import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { Accounts } from '../../auth/index.js';
import { readActiveRules } from './rule-rows.js';
import { RuleSet } from './rule-set.js';
import { wordsFor } from './reason-labels.js';

/** Time in ms for which an account's rules are cached. A new rule takes effect at most this much later. */
const CACHE_MS = 1_000;
const MAX_CACHED_SENDERS = 200;

/**
 * Checks a normalised address. The text about a masked address contains no address, because that would reveal that the
 * address is on the shared network.
 * @returns why the account sends nothing to the address, as text; undefined if it may send
 */
export type RuleCheck = (emailNorm: string, isMasked: boolean) => string | undefined;

/**
 * Checks single addresses against the do-not-send rules of an account: right before each message, and for each line of
 * an import. Whole audiences are checked by `AudienceRules`. Caches the rules of the accounts in use.
 */
@Injectable()
export class SenderRules {
  private readonly kept = new Map<string, { check: Promise<RuleCheck | null>; until: number }>();

  constructor(
    private readonly em: EntityManager,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {}

  /**
   * The check against an account's rules, which are read at most once a second.
   * @returns null if the account has no rules
   */
  of(ownerId: string): Promise<RuleCheck | null> {
    const known = this.kept.get(ownerId);
    if (known && known.until > performance.now()) return known.check;
    const check = this.load(ownerId);
    this.kept.delete(ownerId);
    this.kept.set(ownerId, { check, until: performance.now() + CACHE_MS });
    if (this.kept.size > MAX_CACHED_SENDERS) this.kept.delete(this.kept.keys().next().value!);
    check.catch(() => this.kept.delete(ownerId));
    return check;
  }

  private async load(ownerId: string): Promise<RuleCheck | null> {
    const found = await readActiveRules(this.em.fork(), ownerId);
    if (found.length === 0) return null;
    const rules = new RuleSet(found);
    const zone = (await this.accounts.byId(ownerId))?.timeZone ?? 'UTC';
    return (emailNorm, isMasked) => {
      const now = this.clock.now();
      const rule = rules.covering(emailNorm, now);
      return rule && wordsFor(rule, zone, now)[isMasked ? 'maskedWords' : 'words'];
    };
  }
}
