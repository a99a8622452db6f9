import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { Accounts } from '../../auth/index.js';
import { readActiveRules } from './rule-rows.js';
import { RuleSet } from './rule-set.js';
import { wordsFor } from './reason-labels.js';

/** Ms for which the rules of an account are cached, and so the longest time until a new rule takes effect. */
const CACHE_MS = 1_000;
const MAX_CACHED_SENDERS = 200;

/**
 * Returns why the account sends nothing to a normalised address, as text; undefined where it may. The text about a
 * masked address contains no address, because it would reveal that the address is on the shared network.
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

  /** The check against an account's rules, read at most once a second; null where it has none. */
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
